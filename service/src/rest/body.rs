//! Bodies of requests of the custom REST API: JSON in UTF-8, and not too long; and parameters behind the question mark.

use crate::app::App;
use crate::http::call::Call;
use crate::http::receipt;
use crate::interactions::search::query;
use crate::voices::api::{ApiStop, refusal_of_fault};
use axum::body::Body;
use axum::http::{HeaderMap, header};
use rules::answers::Refusal;
use views::list::ListQuery;

const JSON: &str = "application/json";

/// The body of a request, whole.
pub(crate) async fn text(app: &App, headers: &HeaderMap, body: Body) -> Result<String, Refusal> {
    must_be_json(headers)?;
    utf8(whole(app, body).await?)
}

/// The same as bytes, of whatever type.
pub(crate) async fn whole(app: &App, body: Body) -> Result<Vec<u8>, Refusal> {
    let most_bytes = app.settings.api_body_bytes;
    receipt::whole(body, most_bytes).await.map_err(|fault| refusal_of_fault(fault, most_bytes))
}

pub(crate) fn must_be_json(headers: &HeaderMap) -> Result<(), Refusal> {
    match is_of_type(headers, JSON) {
        true => Ok(()),
        false => Err(Refusal::UnsupportedMediaType("send JSON, with Content-Type: application/json")),
    }
}

/// Whether a form was sent.
pub(crate) fn is_form(headers: &HeaderMap) -> bool {
    is_of_type(headers, "application/x-www-form-urlencoded")
}

fn is_of_type(headers: &HeaderMap, media_type: &str) -> bool {
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    sent.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(media_type)
}

pub(crate) fn utf8(bytes: Vec<u8>) -> Result<String, Refusal> {
    String::from_utf8(bytes).map_err(|_| Refusal::Invalid("the body must be JSON in UTF-8".into()))
}

/// The parameters of a call, as they were sent.
pub(crate) fn pairs(call: &Call) -> Result<Vec<(String, String)>, Refusal> {
    query::pairs(call.query().unwrap_or_default().as_bytes())
}

/// Refuses parameters where there are none.
pub(crate) fn no_parameters(call: &Call) -> Result<(), ApiStop> {
    ListQuery::read_only(&pairs(call)?, &[], &[])?;
    Ok(())
}
