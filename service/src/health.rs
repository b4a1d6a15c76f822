//! `/healthz` (the process answers) and `/readyz` (it can do its work).

use crate::app::Shared;
use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};

pub async fn alive() -> &'static str {
    "ok\n"
}

pub async fn ready(State(app): State<Shared>) -> Response {
    match app.store.is_ready().await {
        Ok(()) => "ready\n".into_response(),
        Err(error) => {
            tracing::error!(%error, "not ready");
            (StatusCode::SERVICE_UNAVAILABLE, [(header::RETRY_AFTER, "1")], "the store does not answer\n")
                .into_response()
        }
    }
}
