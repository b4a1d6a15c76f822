//! The metrics, on a listener of their own.

use super::stop::turned_true;
use crate::app::{Shared, scrape};
use axum::Router;
use axum::http::header;
use tokio::net::TcpListener;
use tokio::sync::watch;

/// Serves `/metrics` on a listener of its own, away from the public one.
pub async fn serve_metrics(app: Shared, listener: TcpListener, mut stop: watch::Receiver<bool>) {
    let shown = app.clone();
    let router = Router::new().route(
        "/metrics",
        axum::routing::get(move || {
            let app = shown.clone();
            async move {
                (
                    [
                        (header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8"),
                        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
                    ],
                    scrape::text(&app).await,
                )
            }
        }),
    );
    let stopped = async move { turned_true(&mut stop).await };
    if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(stopped).await {
        tracing::error!(%error, "the metrics listener ended");
    }
}
