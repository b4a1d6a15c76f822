//! Answers of the custom REST API: JSON that nobody keeps on the way.

use crate::app::trouble::Trouble;
use crate::voices::api::{ApiStop, JSON, NO_STORE};
use axum::body::Body;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::Response;
use serde::Serialize;

/// A value as JSON.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Result<Response, ApiStop> {
    let body = serde_json::to_string(value).map_err(|error| Trouble::new("writing an answer as JSON", error))?;
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = status;
    response.headers_mut().extend([(header::CONTENT_TYPE, JSON), NO_STORE]);
    Ok(response)
}

/// That it is deleted.
pub(crate) fn nothing() -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::NO_CONTENT;
    response.headers_mut().extend([NO_STORE]);
    response
}

/// The same with a header, where its value can be one.
pub(crate) fn with(mut response: Response, name: header::HeaderName, value: String) -> Response {
    if let Ok(value) = HeaderValue::try_from(value) {
        response.headers_mut().insert(name, value);
    }
    response
}
