//! The server's start: listens as configured, and stops everything in order.

use super::acceptance::serve_with;
use super::certificate_watch::CertificateWatch;
use super::core_workers::CoreWorkers;
use super::metrics::serve_metrics;
use crate::app::Shared;
use crate::app::config::Config;
use crate::operator;
use std::net::SocketAddr;
use std::time::Duration;
use store::Place;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::watch;

/// Listens as configured and serves until SIGTERM or Ctrl-C. `beside` is told where it listens, and when to stop what
/// runs beside it.
pub async fn run(
    app: Shared,
    config: &Config,
    beside: impl AsyncFnOnce(SocketAddr, watch::Receiver<bool>),
) -> std::io::Result<()> {
    // Heard from the first moment on: whoever starts the process may stop it before it listens.
    let mut terminate = signal(SignalKind::terminate())?;
    let listener = bind(&config.listen).await?;
    let metrics = match &config.metrics {
        Some(address) => Some(bind(address).await?),
        None => None,
    };
    let certificate = match &config.tls {
        Some(files) => Some(CertificateWatch::begin(files.clone(), &app).map_err(std::io::Error::other)?),
        None => None,
    };
    let control = operator::listen(app.clone(), &config.database)?;
    let (stop, stopped) = watch::channel(false);
    tracing::info!(address = %listener.local_addr()?, base_url = app.settings.base_url, "listening");
    if let Some(metrics) = metrics {
        tokio::spawn(serve_metrics(app.clone(), metrics, stopped.clone()));
    }
    let address = listener.local_addr()?;
    let patience = Duration::from_secs(config.shutdown_seconds);
    let encryption = certificate.map(|(watch, encryption)| {
        tokio::spawn(watch.run(app.clone(), stopped.clone()));
        encryption
    });
    let listening = (listener, workers(&config.database)?);
    let serving = tokio::spawn(serve_with(app, listening, encryption, stopped.clone(), patience));
    beside(address, stopped).await;
    tokio::select! {
        _ = terminate.recv() => {}
        pressed = tokio::signal::ctrl_c() => pressed?,
    }
    let _none_listen = stop.send(true);
    let _ended = serving.await;
    if let Some(control) = control {
        control.close().await;
    }
    Ok(())
}

/// On PostgreSQL the connections to it are everybody's: in workers each question would go to another's thread and back.
fn workers(place: &Place) -> std::io::Result<CoreWorkers> {
    match place.directory() {
        Some(_) => CoreWorkers::of_cores(),
        None => Ok(CoreWorkers::none()),
    }
}

async fn bind(address: &str) -> std::io::Result<TcpListener> {
    let explained = |error: std::io::Error| {
        let remedy = match error.kind() {
            std::io::ErrorKind::AddrInUse => {
                "; another process listens there: stop it, or name another address with --listen (or --metrics)"
            }
            _ => "",
        };
        std::io::Error::new(error.kind(), format!("cannot listen on {address}: {error}{remedy}"))
    };
    TcpListener::bind(address).await.map_err(explained)
}
