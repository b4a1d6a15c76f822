//! Bodies of FHIR requests: of the right media type, not too long, and text.

use crate::app::App;
use crate::fhir::media;
use axum::body::{Body, HttpBody};
use axum::http::HeaderMap;
use http_body_util::LengthLimitError;
use rules::answers::Refusal;
use std::error::Error;

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
    // A client that says how much it will send need not send it to hear that it is too much.
    if body.size_hint().lower() > u64::try_from(most_bytes).unwrap_or(u64::MAX) {
        return Err(Refusal::TooLarge { most_bytes });
    }
    let bytes = axum::body::to_bytes(body, most_bytes).await.map_err(|error| {
        if error.source().is_some_and(|source| source.is::<LengthLimitError>()) {
            Refusal::TooLarge { most_bytes }
        } else {
            Refusal::Invalid("the body ended before it was complete".into())
        }
    })?;
    Ok(bytes.into())
}
