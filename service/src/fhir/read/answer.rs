//! Answers that carry one stored resource: its bytes as they are, its version, and whether the caller has it already.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::fhir::read::options::ReadOptions;
use crate::formats::when;
use crate::http::call::Call;
use crate::interactions::absence;
use crate::interactions::noted::Noted;
use crate::voices::api::{ApiStop, FHIR_JSON, NO_STORE};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use fhir::reference;
use fhir::types::{self, ResourceType};
use rules::answers::Refusal;
use rules::moment::Moment;
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::Write;
use store::stored::resource::Resource;

/// The type that a path names. What is no type of FHIR's has nothing.
pub(crate) fn resource_type(call: &Call) -> Result<ResourceType, Refusal> {
    let name = call.part("type").unwrap_or_default();
    types::named(&name).ok_or_else(|| absence::no_such_type(&name))
}

/// The id that a path names. A malformed one is one that nothing has.
pub(crate) fn id<'c>(resource_type: ResourceType, call: &'c Call) -> Result<Cow<'c, str>, Refusal> {
    call.part("id").filter(|id| reference::is_id(id)).ok_or_else(|| absence::not_there(resource_type))
}

pub(crate) fn not_modified(found: &Resource) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NOT_MODIFIED;
    version_headers(response.headers_mut(), found.version, found.updated_at);
    response
}

/// The resource as it is stored.
pub(crate) fn whole(found: Noted) -> Response {
    let (version, updated_at) = (found.version, found.updated_at);
    resource(version, updated_at, Body::from(Bytes::from_owner(found)))
}

/// The resource as it is asked for, written away from other requests where that takes long.
pub(crate) async fn in_manner(
    app: &App,
    caller: &Caller,
    found: Noted,
    options: &ReadOptions,
) -> Result<Response, ApiStop> {
    if options.is_plain() {
        return Ok(whole(found));
    }
    let (version, updated_at, bytes, options) = (found.version, found.updated_at, found.body.len(), options.clone());
    let write = move || options.text(found.resource_type, &found.body);
    let text = app.workers.run(caller.taker(), bytes, write).await?;
    Ok(resource(version, updated_at, Body::from(text)))
}

/// A resource with its version.
pub(crate) fn resource(version: i64, updated_at: Moment, body: Body) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().insert(header::CONTENT_TYPE, FHIR_JSON);
    version_headers(response.headers_mut(), version, updated_at);
    response
}

/// FHIR's JSON that is not a stored resource.
pub(crate) fn json(body: impl Into<Body>) -> Response {
    let mut response = Response::new(body.into());
    response.headers_mut().extend([(header::CONTENT_TYPE, FHIR_JSON), NO_STORE]);
    response
}

/// A Parameters resource of these parameters.
pub(crate) fn parameters(parameters: Vec<Value>) -> Response {
    let mut answer = json!({ "resourceType": "Parameters" });
    // FHIR has no empty arrays.
    if let Some(members) = answer.as_object_mut().filter(|_| !parameters.is_empty()) {
        members.insert("parameter".into(), parameters.into());
    }
    json(answer.to_string())
}

pub(crate) fn version_headers(headers: &mut HeaderMap, version: i64, updated_at: Moment) {
    put_short(headers, header::ETAG, format_args!("W/\"{version}\""));
    put_short(headers, header::LAST_MODIFIED, format_args!("{}", when::http_date(updated_at)));
    let (name, value) = NO_STORE;
    headers.insert(name, value);
}

/// Sets a header to a text of a few letters. Every read has two of them, and where they are written first no memory is asked for.
fn put_short(headers: &mut HeaderMap, name: HeaderName, text: std::fmt::Arguments<'_>) {
    let mut letters = [0; 48];
    let mut rest = &mut letters[..];
    let written = rest.write_fmt(text);
    let left = rest.len();
    let letters = letters.get(..letters.len() - left).filter(|_| written.is_ok());
    if let Some(value) = letters.and_then(|letters| HeaderValue::from_bytes(letters).ok()) {
        headers.insert(name, value);
    }
}

/// Sets a header; text that no header can carry is left out.
pub(crate) fn put(headers: &mut HeaderMap, name: HeaderName, text: String) {
    if let Ok(value) = HeaderValue::try_from(text) {
        headers.insert(name, value);
    }
}
