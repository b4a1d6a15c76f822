//! `GET /fhir/{type}/{id}` with its versions and its history, of every type. Binary has its own, for its content.

use crate::app::App;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::history::versions;
use crate::fhir::read::answer;
use crate::fhir::read::request::ReadRequest;
use crate::http::call::Call;
use crate::interactions;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;

pub async fn read(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let request = ReadRequest::of(&call);
    // What is wrong with the request is said before what is wrong with the id.
    request.options()?;
    give(&call.app, &caller, &request, (resource_type, &answer::id(resource_type, &call)?)).await
}

/// The answer to a read of a resource.
pub(crate) async fn give(
    app: &App,
    caller: &Caller,
    request: &ReadRequest<'_>,
    (of, id): (ResourceType, &str),
) -> Result<Response, ApiStop> {
    let options = request.options()?;
    let found = interactions::read::resource(app, caller, of, id).await?;
    versions::show(app, caller, request, &options, found).await
}

/// What it was.
pub async fn version(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let (id, version) = versions::named(resource_type, &call)?;
    versions::give(&call.app, &caller, &ReadRequest::of(&call), resource_type, (&id, version)).await
}

pub async fn history(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let resource_type = answer::resource_type(&call)?;
    let id = answer::id(resource_type, &call)?;
    versions::history(&call.app, &caller, &ReadRequest::of(&call), (resource_type, &id)).await
}
