//! `/healthz` (the process answers) and `/readyz` (it can do its work).

use crate::app::readiness;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::http::StatusCode;
use axum::response::{IntoResponse, Response};

pub async fn alive(_: Anyone, _: Call) -> Result<Response, ApiStop> {
    Ok("ok\n".into_response())
}

/// Says why not, and logs nothing: whoever watches over the service has logged it once.
pub async fn ready(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    Ok(match readiness::obstacle(&call.app).await {
        None => "ready\n".into_response(),
        Some(why) => (StatusCode::SERVICE_UNAVAILABLE, format!("not ready: {why}\n")).into_response(),
    })
}
