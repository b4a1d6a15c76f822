//! `GET /fhir/Binary/{id}` with its versions: the content itself, or the resource around it for who asks for FHIR.

use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::documents::content::Content;
use crate::documents::reading;
use crate::fhir::{answer, media, query, versions};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::http::Method;
use axum::response::Response;
use fhir::types::ResourceType;
use store::read as records;

const TYPE: ResourceType = ResourceType::Binary;

pub async fn read(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let (app, headers) = (&call.app, &call.head.headers);
    let format = query::only_format(call.query())?;
    let as_resource = media::wants_resource(headers, format.as_deref());
    if as_resource {
        media::must_take_json(headers, format.as_deref())?;
    }
    let id = answer::id(TYPE, &call)?;
    let found = records::read(&app.store, &caller.reach, TYPE, &id, caller.now).await.during("reading a Binary")?;
    let found = answer::present(TYPE, found)?;
    app.accesses.note(&caller.viewer(), found.patient, TYPE.name(), found.right);
    if answer::is_held(headers, found.version) {
        return Ok(answer::not_modified(&found));
    }
    if call.head.method != Method::HEAD {
        reading::binary(app, &caller, &id).await.during("noting that a document was read")?;
    }
    if as_resource {
        return Ok(answer::whole(found));
    }
    let mut response = Content::of_binary(&found.body).answer();
    answer::version_headers(response.headers_mut(), found.version, found.updated_at);
    Ok(response)
}

/// What it was.
pub async fn version(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    versions::read(TYPE, caller, call).await
}

pub async fn history(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    versions::history(TYPE, caller, call).await
}
