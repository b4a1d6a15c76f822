//! `POST /fhir/{type}`: a new resource of any type under an id of ours, with criteria only if nothing meets them yet. Binary has its own, for its content.

use crate::callers::api::FhirWriter;
use crate::fhir::read::answer;
use crate::fhir::write::acknowledgement::{self, Preference};
use crate::fhir::write::conditional;
use crate::fhir::write::if_match;
use crate::fhir::{body, media};
use crate::http::call::Call;
use crate::interactions::write::execution;
use crate::interactions::write::request::WriteRequest;
use crate::voices::api::ApiStop;
use axum::response::Response;

pub async fn create(caller: FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let Call { app, head, body, .. } = call;
    let (unless, format) = conditional::of_create(&app, &caller, resource_type, &head).await?;
    media::must_take_json(&head.headers, format.as_deref())?;
    if_match::refuse(&head.headers, &["if-match", "if-none-match"])?;
    let text = body::text(&app, &head.headers, body).await?.into();
    let done = execution::one(&app, &caller, resource_type, &WriteRequest::Create { text, unless }).await?;
    Ok(acknowledgement::of(&app, resource_type, done, Preference::of(&head.headers)))
}
