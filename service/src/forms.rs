//! Forms: reading them within bounds, and the sealed value that makes ours unforgeable.

use crate::app::App;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};
use rules::limits::FORM_BODY_BYTES;
use rules::params::{ParamFault, Params};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// The hidden field that carries a sealed value.
pub const FIELD: &str = rules::params::SEALED_FIELD;
const PREFIX: &str = "rgf_";

/// Why a body is not a form that can be read.
#[derive(Debug)]
pub enum FormFault {
    NotAForm,
    TooLarge,
    /// The client went away before the body was complete.
    Broken,
    Unreadable(ParamFault),
}

/// Reads a form.
pub async fn read(headers: &HeaderMap, body: Body) -> Result<Params<'static>, FormFault> {
    let encoded = encoded(headers, body).await?;
    params(&encoded).map(Params::into_owned).map_err(FormFault::Unreadable)
}

/// Reads an `application/x-www-form-urlencoded` body of at most `FORM_BODY_BYTES`, as it was sent.
pub async fn encoded(headers: &HeaderMap, body: Body) -> Result<Bytes, FormFault> {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/x-www-form-urlencoded") {
        return Err(FormFault::NotAForm);
    }
    match Limited::new(body, FORM_BODY_BYTES).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.downcast_ref::<LengthLimitError>().is_some() => Err(FormFault::TooLarge),
        Err(_) => Err(FormFault::Broken),
    }
}

/// Reads the parameters of a query or of a form body.
pub fn params(encoded: &[u8]) -> Result<Params<'_>, ParamFault> {
    Params::read(form_urlencoded::parse(encoded))
}

/// Seals what a form must bring back unchanged. Nothing about an open page is kept on the server.
#[must_use]
pub fn seal(app: &App, content: &impl Serialize) -> String {
    serde_json::to_vec(content).ok().and_then(|bytes| app.keys.seal(PREFIX, &bytes)).unwrap_or_default()
}

/// Opens what `seal` made; `None` for anything else.
#[must_use]
pub fn open<T: DeserializeOwned>(app: &App, sealed: &str) -> Option<T> {
    serde_json::from_slice(&app.keys.open_sealed(PREFIX, sealed)?).ok()
}
