//! What whoever wrote a resource hears: where it is, its version, and as much of it as they prefer.

use crate::app::App;
use crate::fhir::{answer, media};
use crate::voices::api::FHIR_JSON;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use fhir::types::ResourceType;
use serde_json::json;
use store::write::Stored;

/// How much of what was written an answer tells (`Prefer: return=…`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Preference {
    Minimal,
    Representation,
    OperationOutcome,
}

impl Preference {
    pub(super) fn of(headers: &HeaderMap) -> Self {
        let prefers = |wish| media::preferences(headers).any(|preference| preference == wish);
        if prefers("return=minimal") {
            Self::Minimal
        } else if prefers("return=OperationOutcome") {
            Self::OperationOutcome
        } else {
            Self::Representation
        }
    }
}

/// The answer to a write that was made, or that changed nothing.
pub(super) fn answer(
    app: &App,
    (resource_type, id): (ResourceType, &str),
    stored: Stored,
    is_new: bool,
    preference: Preference,
) -> Response {
    let name = resource_type.name();
    let body = match preference {
        Preference::Minimal => String::new(),
        Preference::Representation => stored.body,
        Preference::OperationOutcome => outcome(&format!("{name}/{id} is stored as version {}", stored.version)),
    };
    let mut response = answer::resource(stored.version, stored.updated_at, Body::from(body));
    let headers = response.headers_mut();
    match preference {
        Preference::Minimal => {
            headers.remove(header::CONTENT_TYPE);
        }
        Preference::Representation | Preference::OperationOutcome => {
            headers.insert(header::CONTENT_TYPE, FHIR_JSON);
        }
    }
    let location = format!("{}/fhir/{name}/{id}/_history/{}", app.settings.base_url, stored.version);
    if is_new {
        answer::put(headers, header::LOCATION, location);
        *response.status_mut() = StatusCode::CREATED;
    }
    response
}

/// An OperationOutcome that says that all is well.
pub(super) fn outcome(words: &str) -> String {
    let issue = json!({ "severity": "information", "code": "informational", "diagnostics": words });
    json!({ "resourceType": "OperationOutcome", "issue": [issue] }).to_string()
}
