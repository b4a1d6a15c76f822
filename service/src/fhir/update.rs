//! `PUT /fhir/{type}/{id}`: the next version of a resource, or what is new under an id that a System Client chose; and
//! `PUT /fhir/{type}?…`, the same to the one that meets criteria. Binary has its own, for its content.

use crate::app::Shared;
use crate::callers::api::FhirWriter;
use crate::callers::caller::Caller;
use crate::fhir::acknowledgement::{self, Preference};
use crate::fhir::deed::{Aim, Deed};
use crate::fhir::{answer, body, conditions, criteria, execution, media, query};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::body::Body;
use axum::http::request::Parts;
use axum::response::Response;
use fhir::types::ResourceType;

pub async fn update(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let id = answer::id(resource_type, &call)?.into_owned();
    let Call { app, head, body, .. } = call;
    let format = query::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    store((&app, &head), &caller, resource_type, Aim::Id(id), body).await
}

pub async fn conditional(FhirWriter(caller): FhirWriter, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let Call { app, head, body, .. } = call;
    let (query, format) = criteria::of_url(&app, &caller, resource_type, head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    store((&app, &head), &caller, resource_type, Aim::Criteria(query), body).await
}

async fn store(
    (app, head): (&Shared, &Parts),
    caller: &Caller,
    resource_type: ResourceType,
    aim: Aim,
    body: Body,
) -> Result<Response, ApiStop> {
    conditions::refuse(&head.headers, &["if-none-exist", "if-none-match"])?;
    let demand = conditions::if_match(&head.headers)?;
    let text = body::text(app, &head.headers, body).await?.into();
    let done = execution::one(app, caller, resource_type, &Deed::Update { aim, text, demand }).await?;
    Ok(acknowledgement::of(app, caller, resource_type, done, Preference::of(&head.headers)))
}
