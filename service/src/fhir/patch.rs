//! `PATCH /fhir/{type}/{id}`: JSON Patch, JSON Merge Patch or FHIRPath Patch on the version that is there, and on no other; and
//! `PATCH /fhir/{type}?…`, the same to the one that meets criteria.

use crate::app::Shared;
use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::fhir::acknowledgement::{self, Preference};
use crate::fhir::deed::{Aim, Deed};
use crate::fhir::patch_body::Patch;
use crate::fhir::{answer, body, conditions, criteria, execution, media, query};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use axum::response::Response;
use fhir::types::ResourceType;

pub async fn patch(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let id = answer::id(resource_type, &call)?.into_owned();
    let Call { app, head, body, .. } = call;
    let format = query::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    change((&app, &head), &caller, resource_type, Aim::Id(id), body).await
}

pub async fn conditional(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let Call { app, head, body, .. } = call;
    let (query, format) = criteria::of_url(&app, &caller, resource_type, head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    change((&app, &head), &caller, resource_type, Aim::Criteria(query), body).await
}

async fn change(
    (app, head): (&Shared, &Parts),
    caller: &Caller,
    resource_type: ResourceType,
    aim: Aim,
    body: Body,
) -> Result<Response, ApiStop> {
    media::must_send_version(&head.headers)?;
    conditions::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = conditions::if_match(&head.headers)?;
    let patch = Patch::read(media_type(&head.headers), body::bytes(app, body).await?)?;
    let done = execution::one(app, caller, resource_type, &Deed::Patch { aim, patch, demand }).await?;
    Ok(acknowledgement::of(app, caller, resource_type, done, Preference::of(&head.headers)))
}

fn media_type(headers: &HeaderMap) -> &str {
    headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default()
}
