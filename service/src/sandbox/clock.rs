//! `/sandbox/clock`: a clock that a client's developer can move, to meet every expiry in seconds. `serve` has no such
//! route.

use crate::app::trouble::During;
use crate::app::{App, CLOCK_OFFSET};
use crate::callers::requirement::Anyone;
use crate::formats::when;
use crate::http::call::Call;
use crate::http::origin;
use crate::voices::api::{ApiStop, NO_STORE};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use rules::answers::Refusal;
use rules::limits::FORM_BODY_BYTES;
use rules::moment::Moment;
use serde::Deserialize;
use serde_json::json;
use store::settings;

/// 2090-01-01T00:00:00Z: our ids hold the time they were made in 41 bits of milliseconds, which are full in 2093.
const FURTHEST: Moment = Moment(3_786_912_000_000);

const USAGE: &str = "send {\"advance_seconds\": N}, a whole number of seconds, or {\"reset\": true}";

/// What can be done to the clock.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Move {
    advance_seconds: Option<i64>,
    #[serde(default)]
    reset: bool,
}

pub async fn read(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    Ok(answer(&call.app))
}

/// Moves the clock. Anybody may who reaches it, but no page of another website through a browser that does.
pub async fn set(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    if origin::is_foreign(&app, &head.headers) {
        return Err(Refusal::ForeignOrigin.into());
    }
    let media_type = head.headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(Refusal::UnsupportedMediaType("send the body with Content-Type: application/json").into());
    }
    let body = axum::body::to_bytes(body, FORM_BODY_BYTES).await;
    let body = body.map_err(|error| Refusal::Invalid(format!("the body cannot be read: {error}")))?;
    let moved_by = match serde_json::from_slice(&body) {
        Ok(Move { advance_seconds: Some(seconds), reset: false }) => advance(&app, seconds)?,
        Ok(Move { advance_seconds: None, reset: true }) => {
            app.clock.reset();
            0
        }
        Ok(_) => return Err(Refusal::Invalid(USAGE.into()).into()),
        Err(error) => return Err(Refusal::Invalid(format!("{USAGE}: {error}")).into()),
    };
    settings::set(&app.store, CLOCK_OFFSET, moved_by.to_string()).await.during("keeping the clock's offset")?;
    Ok(answer(&app))
}

/// Gives the whole offset, in milliseconds.
fn advance(app: &App, seconds: i64) -> Result<i64, Refusal> {
    let most = app.clock.now().seconds_until(FURTHEST);
    if !(0..=most).contains(&seconds) {
        return Err(Refusal::Invalid(format!("advance_seconds must be from 0 to {most}, which leads to 2090")));
    }
    Ok(app.clock.advance_seconds(seconds))
}

fn answer(app: &App) -> Response {
    ([NO_STORE], axum::Json(json!({ "now": when::rfc3339(app.clock.now()) }))).into_response()
}
