//! `GET /fhir/Binary/{id}`: the content itself, or the resource around it for who asks for FHIR.

use crate::app::Shared;
use crate::callers::caller::FhirCaller;
use crate::documents::content::Content;
use crate::documents::reading;
use crate::fhir::{answer, media, query};
use crate::routes::dispatch::FreeEnd;
use crate::voices::api::Fhir;
use axum::extract::{Request, State};
use axum::http::Method;
use axum::response::Response;
use store::records;

const TYPE: &str = "Binary";

pub async fn read(
    State(app): State<Shared>,
    FhirCaller(caller): FhirCaller,
    FreeEnd(name): FreeEnd,
    request: Request,
) -> Result<Response, Fhir> {
    let format = query::only_format(request.uri().query())?;
    let as_resource = media::wants_resource(request.headers(), format.as_deref());
    if as_resource {
        media::must_take_json(request.headers(), format.as_deref())?;
    }
    let id = answer::id(TYPE, name)?;
    let found = records::read_binary(&app.store, &caller.reach, &id).await?;
    let found = answer::present(TYPE, found)?;
    app.accesses.note(&caller.viewer(), found.patient_id.as_deref(), TYPE);
    if answer::is_held(request.headers(), found.version) {
        return Ok(answer::not_modified(&found));
    }
    if request.method() != Method::HEAD {
        reading::binary(&app, &caller, &id).await?;
    }
    if as_resource {
        return Ok(answer::whole(found));
    }
    let mut response = Content::of_binary(&found.body).answer();
    answer::version_headers(response.headers_mut(), found.version, found.updated_at);
    Ok(response)
}
