//! `DELETE /fhir/{type}/{id}`, of every type: what was there stays in its history; and `DELETE /fhir/{type}?…`, the same to the
//! one that meets criteria.

use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
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

pub async fn delete(caller: FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let aimed = url_target::of_id(&call)?;
    remove(&caller, call, aimed).await
}

pub async fn conditional(caller: FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let of = answer::resource_type(&call)?;
    let aimed = url_target::of_criteria(&call.app, &caller, of, &call.head).await?;
    remove(&caller, call, aimed).await
}

async fn remove(caller: &Caller, call: Call, (of, aim): (ResourceType, WriteTarget)) -> Result<Response, ApiStop> {
    let Call { app, head, .. } = call;
    if_match::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = if_match::if_match(&head.headers)?;
    let done = execution::one(&app, caller, of, &WriteRequest::Delete { aim, demand }).await?;
    Ok(acknowledgement::of(&app, of, done, Preference::of(&head.headers)))
}
