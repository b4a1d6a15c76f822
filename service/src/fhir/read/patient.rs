//! `GET /fhir/Patient/{id}`, which is what most calls are.

use crate::callers::api::FhirReader;
use crate::fhir::read::answer;
use crate::fhir::read::request::ReadRequest;
use crate::http::call::Call;
use crate::interactions;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;

const TYPE: ResourceType = ResourceType::Patient;

pub async fn read(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let request = ReadRequest::of(&call);
    let options = request.options()?;
    let id = answer::id(TYPE, &call)?;
    let found = interactions::read::resource(&call.app, &caller, TYPE, &id).await?;
    if request.has(&found, caller.now()) {
        return Ok(answer::not_modified(&found));
    }
    answer::in_manner(&call.app, &caller, found, &options).await
}
