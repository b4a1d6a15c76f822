//! `PATCH /fhir/{type}/{id}`: JSON Patch, JSON Merge Patch or FHIRPath Patch on the version that is there, and on no other; and
//! `PATCH /fhir/{type}?…`, the same to the one that meets criteria.

use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::fhir::read::answer;
use crate::fhir::write::acknowledgement::{self, Preference};
use crate::fhir::write::if_match;
use crate::fhir::write::url_target;
use crate::fhir::{body, media};
use crate::http::call::Call;
use crate::interactions::write::execution;
use crate::interactions::write::patch_body::Patch;
use crate::interactions::write::request::{WriteRequest, WriteTarget};
use crate::voices::api::ApiStop;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use fhir::types::ResourceType;

pub async fn patch(caller: FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let aimed = url_target::of_id(&call)?;
    change(&caller, call, aimed).await
}

pub async fn conditional(caller: FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let of = answer::resource_type(&call)?;
    let aimed = url_target::of_criteria(&call.app, &caller, of, &call.head).await?;
    change(&caller, call, aimed).await
}

async fn change(caller: &Caller, call: Call, (of, aim): (ResourceType, WriteTarget)) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    media::must_send_version(&head.headers)?;
    if_match::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = if_match::if_match(&head.headers)?;
    let patch = Patch::sent((&app, caller), media_type(&head.headers), body::bytes(&app, body).await?).await?;
    let done = execution::one(&app, caller, of, &WriteRequest::Patch { aim, patch, demand }).await?;
    Ok(acknowledgement::of(&app, of, done, Preference::of(&head.headers)))
}

fn media_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
