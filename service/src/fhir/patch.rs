//! `PATCH /fhir/{type}/{id}`: JSON Patch, JSON Merge Patch or FHIRPath Patch on the version that is there, and on no other; and
//! `PATCH /fhir/{type}?…`, the same to the one that meets criteria.

use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::fhir::acknowledgement::{self, Preference};
use crate::fhir::deed::{Aim, Deed};
use crate::fhir::patch_body::Patch;
use crate::fhir::{aim, answer, body, conditions, execution, media};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use fhir::types::ResourceType;

pub async fn patch(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let aimed = aim::of_id(&call)?;
    change(&caller, call, aimed).await
}

pub async fn conditional(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let of = answer::resource_type(&call)?;
    let aimed = aim::of_criteria(&call.app, &caller, of, &call.head).await?;
    change(&caller, call, aimed).await
}

async fn change(caller: &Caller, call: Call, (of, aim): (ResourceType, Aim)) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    media::must_send_version(&head.headers)?;
    conditions::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = conditions::if_match(&head.headers)?;
    let patch = Patch::sent((&app, caller), media_type(&head.headers), body::bytes(&app, body).await?).await?;
    let done = execution::one(&app, caller, of, &Deed::Patch { aim, patch, demand }).await?;
    Ok(acknowledgement::of(&app, caller, of, done, Preference::of(&head.headers)))
}

fn media_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
