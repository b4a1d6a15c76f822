//! `/sandbox/clock`: a clock that a client's developer can move, to meet every expiry in seconds. `serve` has no such
//! route.

use crate::app::{CLOCK_OFFSET, Shared};
use crate::formats::when;
use crate::voices::api::{Rest, trouble};
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use rules::answers::Refusal;
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

pub async fn read(State(app): State<Shared>) -> Response {
    ([crate::voices::api::NO_STORE], axum::Json(json!({ "now": when::rfc3339(app.clock.now()) }))).into_response()
}

pub async fn advance(State(app): State<Shared>, body: Bytes) -> Result<Response, Rest> {
    let asked: Advance = serde_json::from_slice(&body).map_err(|error| {
        Refusal::Invalid(format!("send {{\"advance_seconds\": N}}, a whole number of seconds: {error}"))
    })?;
    let most = app.clock.now().seconds_until(FURTHEST);
    if !(0..=most).contains(&asked.advance_seconds) {
        return Err(Refusal::Invalid(format!("advance_seconds must be from 0 to {most}, which leads to 2090")).into());
    }
    let moved_by = app.clock.advance_seconds(asked.advance_seconds);
    settings::set(&app.store, CLOCK_OFFSET, moved_by.to_string()).await.map_err(|error| trouble(&error))?;
    Ok(read(State(app)).await)
}
