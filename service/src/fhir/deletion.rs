//! `DELETE /fhir/{type}/{id}`, of every type: what was there stays in its history; and `DELETE /fhir/{type}?…`, the same to the
//! one that meets criteria.

use crate::app::Shared;
use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::fhir::acknowledgement::{self, Preference};
use crate::fhir::deed::{Aim, Deed};
use crate::fhir::{answer, conditions, criteria, execution, media, query};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::http::request::Parts;
use axum::response::Response;
use fhir::types::ResourceType;

pub async fn delete(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let id = answer::id(resource_type, &call)?.into_owned();
    let format = query::only_format(call.head.uri.query())?;
    media::must_take_json(&call.head.headers, format.as_deref())?;
    remove((&call.app, &call.head), &caller, resource_type, Aim::Id(id)).await
}

pub async fn conditional(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let (query, format) = criteria::of_url(&call.app, &caller, resource_type, call.head.uri.query())?;
    media::must_take_json(&call.head.headers, format.as_deref())?;
    remove((&call.app, &call.head), &caller, resource_type, Aim::Criteria(query)).await
}

async fn remove(
    (app, head): (&Shared, &Parts),
    caller: &Caller,
    resource_type: ResourceType,
    aim: Aim,
) -> Result<Response, ApiStop> {
    conditions::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = conditions::if_match(&head.headers)?;
    let done = execution::one(app, caller, resource_type, &Deed::Delete { aim, demand }).await?;
    Ok(acknowledgement::of(app, caller, resource_type, done, Preference::of(&head.headers)))
}
