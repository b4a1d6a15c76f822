//! What whoever wrote a resource hears: where it is, its version, and as much of it as they prefer.

use crate::app::App;
use crate::fhir::media;
use crate::fhir::read::answer;
use crate::interactions::noted::Noted;
use crate::interactions::write::request::WriteOutcome;
use crate::voices::api::NO_STORE;
use axum::body::Body;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use fhir::types::ResourceType;
use rules::moment::Moment;
use serde_json::json;
use store::write::resource_write::Stored;

/// How much of what was written an answer tells (`Prefer: return=…`).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preference {
    Minimal,
    Representation,
    OperationOutcome,
}

impl Preference {
    pub(crate) fn of(headers: &HeaderMap) -> Self {
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

/// The answer to what was done.
pub(crate) fn of(app: &App, of: ResourceType, done: WriteOutcome, preference: Preference) -> Response {
    match done {
        WriteOutcome::Stored { id, stored } => {
            let is_new = stored.is_new;
            answer(app, (of, &id), stored, is_new, preference)
        }
        WriteOutcome::Already(found) => already(app, &found, preference),
        WriteOutcome::Deleted(version) => {
            let mut response = Response::new(Body::empty());
            *response.status_mut() = StatusCode::NO_CONTENT;
            if let Some(version) = version {
                answer::put(response.headers_mut(), header::ETAG, format!("W/\"{version}\""));
            }
            response.headers_mut().extend([NO_STORE]);
            response
        }
    }
}

/// The answer to a create that was not made: where what is there is.
fn already(app: &App, found: &Noted, preference: Preference) -> Response {
    let (of, id) = (found.resource_type, &found.id);
    let body = match preference {
        Preference::Minimal => String::new(),
        Preference::Representation => found.body.clone(),
        Preference::OperationOutcome => outcome(&format!("{}/{id} is there already; nothing was stored", of.name())),
    };
    let mut response = told(found.version, found.updated_at, body, preference);
    answer::put(response.headers_mut(), header::LOCATION, location(app, (of, id), found.version));
    response
}

/// The answer to a write that was made, or that changed nothing.
pub(crate) fn answer(
    app: &App,
    (resource_type, id): (ResourceType, &str),
    stored: Stored,
    is_new: bool,
    preference: Preference,
) -> Response {
    let body = match preference {
        Preference::Minimal => String::new(),
        Preference::Representation => stored.body,
        Preference::OperationOutcome => {
            outcome(&format!("{}/{id} is stored as version {}", resource_type.name(), stored.version))
        }
    };
    let mut response = told(stored.version, stored.updated_at, body, preference);
    if is_new {
        answer::put(response.headers_mut(), header::LOCATION, location(app, (resource_type, id), stored.version));
        *response.status_mut() = StatusCode::CREATED;
    }
    response
}

/// Since when what was written is as it is, for whoever makes an entry of a Bundle of the answer, which may have no body.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WrittenAt(pub Moment);

fn told(version: i64, updated_at: Moment, body: String, preference: Preference) -> Response {
    let mut response = answer::resource(version, updated_at, Body::from(body));
    response.extensions_mut().insert(WrittenAt(updated_at));
    if preference == Preference::Minimal {
        response.headers_mut().remove(header::CONTENT_TYPE);
    }
    response
}

/// Where a version is.
pub(crate) fn location(app: &App, (of, id): (ResourceType, &str), version: i64) -> String {
    format!("{}/fhir/{}/{id}/_history/{version}", app.settings.base_url, of.name())
}

/// An OperationOutcome that says that all is well.
pub(crate) fn outcome(words: &str) -> String {
    let issue = json!({ "severity": "information", "code": "informational", "diagnostics": words });
    json!({ "resourceType": "OperationOutcome", "issue": [issue] }).to_string()
}
