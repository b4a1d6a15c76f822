//! `GET /fhir/Patient/{id}`, which is what most calls are.

use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::fhir::history::versions;
use crate::fhir::read::answer;
use crate::fhir::read::options::ReadOptions;
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;
use store::read as records;

const TYPE: ResourceType = ResourceType::Patient;

pub async fn read(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let options = ReadOptions::of_read(&call.head)?;
    let id = answer::id(TYPE, &call)?;
    let found = records::find(&app.store, &caller.reach, TYPE, &id, caller.now).await.during("reading a Patient")?;
    let found = answer::present(TYPE, found)?;
    app.accesses.note(&caller.viewer(), &found);
    versions::must_be_there(&found)?;
    if answer::is_held(&call.head.headers, &found) {
        return Ok(answer::not_modified(&found));
    }
    Ok(answer::in_manner(found, &options))
}
