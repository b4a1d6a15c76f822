//! Bodies of FHIR requests: of the right media type, not too long, and text.

use crate::app::App;
use crate::fhir::media;
use crate::http::receipt;
use crate::voices::api::refusal_of_fault;
use axum::body::Body;
use axum::http::HeaderMap;
use rules::answers::Refusal;

/// The body of a request, whole.
pub(super) async fn text(app: &App, headers: &HeaderMap, body: Body) -> Result<String, Refusal> {
    media::must_send_json(headers)?;
    as_text(bytes(app, body).await?)
}

pub(super) fn as_text(bytes: Vec<u8>) -> Result<String, Refusal> {
    String::from_utf8(bytes).map_err(|_| Refusal::Invalid("the body must be JSON in UTF-8".into()))
}

/// The same, whatever it is.
pub(super) async fn bytes(app: &App, body: Body) -> Result<Vec<u8>, Refusal> {
    let most_bytes = app.settings.api_body_bytes;
    receipt::whole(body, most_bytes).await.map_err(|fault| refusal_of_fault(fault, most_bytes))
}
