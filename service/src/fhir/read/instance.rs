//! `GET /fhir/{type}/{id}` with its versions and its history, of every type. Binary has its own, for its content.

use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::fhir::history::versions;
use crate::fhir::read::answer;
use crate::fhir::read::options::ReadOptions;
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use store::read as records;

pub async fn read(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let resource_type = answer::resource_type(&call)?;
    let options = ReadOptions::of_read(&call.head)?;
    let id = answer::id(resource_type, &call)?;
    let found = records::find(&app.store, &caller.reach, resource_type, &id, caller.now).await;
    let Some(found) = found.during("reading a resource")? else {
        return Err(versions::absent(app, &caller, (resource_type, &id)).await);
    };
    versions::show(app, &caller, &call.head, &options, found).await
}

/// What it was.
pub async fn version(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    versions::read(answer::resource_type(&call)?, caller, call).await
}

pub async fn history(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    versions::history(answer::resource_type(&call)?, caller, call).await
}
