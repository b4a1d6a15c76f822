//! `/sandbox/clock`: a clock that a client's developer can move, to meet every expiry in seconds. `serve` has no such
//! route.

use crate::app::trouble::During;
use crate::app::{App, CLOCK_OFFSET};
use crate::callers::requirement::Anyone;
use crate::formats::when;
use crate::http::call::Call;
use crate::voices::api::{ApiStop, NO_STORE};
use axum::response::{IntoResponse, Response};
use rules::answers::Refusal;
use rules::limits::FORM_BODY_BYTES;
use rules::moment::Moment;
use serde::Deserialize;
use serde_json::json;
use store::settings;

/// 2090-01-01T00:00:00Z: our ids hold the time they were made in 41 bits of milliseconds, which are full in 2093.
const FURTHEST: Moment = Moment(3_786_912_000_000);

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Advance {
    advance_seconds: i64,
}

pub async fn read(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    Ok(answer(&call.app))
}

pub async fn advance(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    let Call { app, body, .. } = call;
    let body = axum::body::to_bytes(body, FORM_BODY_BYTES).await;
    let body = body.map_err(|error| Refusal::Invalid(format!("the body cannot be read: {error}")))?;
    let advance: Advance = serde_json::from_slice(&body).map_err(|error| {
        Refusal::Invalid(format!("send {{\"advance_seconds\": N}}, a whole number of seconds: {error}"))
    })?;
    let most = app.clock.now().seconds_until(FURTHEST);
    if !(0..=most).contains(&advance.advance_seconds) {
        return Err(Refusal::Invalid(format!("advance_seconds must be from 0 to {most}, which leads to 2090")).into());
    }
    let moved_by = app.clock.advance_seconds(advance.advance_seconds);
    settings::set(&app.store, CLOCK_OFFSET, moved_by.to_string()).await.during("keeping the clock's offset")?;
    Ok(answer(&app))
}

fn answer(app: &App) -> Response {
    ([NO_STORE], axum::Json(json!({ "now": when::rfc3339(app.clock.now()) }))).into_response()
}
