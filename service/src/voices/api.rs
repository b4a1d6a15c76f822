//! The voices of the two APIs: one refusal by meaning, said as an OperationOutcome or as custom REST JSON.
//!
//! A handler's return type picks the voice: `Result<_, Fhir>` or `Result<_, Rest>`.

use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use rules::answers::{Answer, RESPONSE_CODE_SYSTEM, Refusal, answer};
use serde_json::json;

pub const FHIR_JSON: HeaderValue = HeaderValue::from_static("application/fhir+json");
pub const JSON: HeaderValue = HeaderValue::from_static("application/json;charset=UTF-8");
/// Seconds after which a client may try again when the service is busy.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

/// A refusal in FHIR's voice.
#[derive(Debug)]
pub struct Fhir(pub Refusal);

/// A refusal in the custom REST API's voice.
#[derive(Debug)]
pub struct Rest(pub Refusal);

impl From<Refusal> for Fhir {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl From<Refusal> for Rest {
    fn from(refusal: Refusal) -> Self {
        Self(refusal)
    }
}

impl From<store::Error> for Fhir {
    fn from(error: store::Error) -> Self {
        Self(trouble(&error))
    }
}

impl From<store::Error> for Rest {
    fn from(error: store::Error) -> Self {
        Self(trouble(&error))
    }
}

/// What a client hears of trouble on our side; the log, and only the log, hears what it was.
#[must_use]
pub fn trouble(error: &store::Error) -> Refusal {
    tracing::error!(%error, "the store is in trouble");
    if error.is_passing() { Refusal::Unavailable } else { Refusal::Trouble }
}

impl IntoResponse for Fhir {
    fn into_response(self) -> Response {
        let answer = answer(&self.0);
        let outcome = json!({
            "resourceType": "OperationOutcome",
            "issue": [{
                "severity": "error",
                "code": answer.issue,
                "details": {
                    "coding": [{ "system": RESPONSE_CODE_SYSTEM, "code": answer.code }],
                    "text": answer.message,
                },
                "diagnostics": answer.message,
            }],
        });
        respond(&answer, FHIR_JSON, outcome.to_string())
    }
}

impl IntoResponse for Rest {
    fn into_response(self) -> Response {
        let answer = answer(&self.0);
        let body = json!({ "errorMessage": answer.message, "errorCode": answer.code }).to_string();
        respond(&answer, JSON, body)
    }
}

fn respond(answer: &Answer, media_type: HeaderValue, body: String) -> Response {
    let status = StatusCode::from_u16(answer.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut response = (status, [(header::CONTENT_TYPE, media_type), NO_STORE], body).into_response();
    let headers = response.headers_mut();
    match answer.status {
        401 if answer.invalid_token => {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static(r#"Bearer error="invalid_token""#));
        }
        401 => {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        503 => {
            headers.insert(header::RETRY_AFTER, RETRY_AFTER);
        }
        _ => {}
    }
    response
}

/// Records and tokens are nobody's to keep on the way.
pub const NO_STORE: (HeaderName, HeaderValue) = (header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
