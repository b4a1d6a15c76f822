//! `/healthz` (the process answers) and `/readyz` (it can do its work).

use crate::app::trouble::During;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::{IntoResponse, Response};

pub async fn alive(_: Anyone, _: Call) -> Result<Response, ApiStop> {
    Ok("ok\n".into_response())
}

pub async fn ready(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    call.app.store.is_ready().await.during("asking whether the store is ready")?;
    Ok("ready\n".into_response())
}
