//! `PUT /fhir/{type}/{id}`: the next version of a resource, or what is new under an id that a System Client chose; and
//! `PUT /fhir/{type}?…`, the same to the one that meets criteria. Binary has its own, for its content.

use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::fhir::body;
use crate::fhir::read::answer;
use crate::fhir::write::acknowledgement::{self, Preference};
use crate::fhir::write::if_match;
use crate::fhir::write::url_target;
use crate::http::call::Call;
use crate::interactions::write::execution;
use crate::interactions::write::request::{WriteRequest, WriteTarget};
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;

pub async fn update(caller: FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let aimed = url_target::of_id(&call)?;
    store(&caller, call, aimed).await
}

pub async fn conditional(caller: FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let of = answer::resource_type(&call)?;
    let aimed = url_target::of_criteria(&call.app, &caller, of, &call.head).await?;
    store(&caller, call, aimed).await
}

async fn store(caller: &Caller, call: Call, (of, aim): (ResourceType, WriteTarget)) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    if_match::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = if_match::if_match(&head.headers)?;
    let text = body::text(&app, &head.headers, body).await?.into();
    let done = execution::one(&app, caller, of, &WriteRequest::Update { aim, text, demand }).await?;
    Ok(acknowledgement::of(&app, of, done, Preference::of(&head.headers)))
}
