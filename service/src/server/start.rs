//! The server: accepts connections, bounds what they may send, and shuts down without dropping what it accepted.

use crate::app::Shared;
use crate::app::access_writer;
use crate::app::config::Config;
use crate::app::key_watch;
use crate::app::sweeper;
use crate::http::origin::Peer;
use crate::http::patience::{self, Heads, Patience, with_patience};
use crate::operator;
use crate::routes::dispatch::Dispatch;
use axum::Router;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, Request, StatusCode};
use axum::response::IntoResponse;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use rules::limits::HEADER_BLOCK_BYTES;
use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};
use tokio::sync::{mpsc, watch};

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
    let control = operator::listen(app.clone(), &config.database)?;
    let (stop, stopped) = watch::channel(false);
    tracing::info!(address = %listener.local_addr()?, base_url = app.settings.base_url, "listening");
    if let Some(metrics) = metrics {
        tokio::spawn(serve_metrics(app.clone(), metrics, stopped.clone()));
    }
    let address = listener.local_addr()?;
    let patience = Duration::from_secs(config.shutdown_seconds);
    let serving = tokio::spawn(serve(app, listener, stopped.clone(), patience));
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

async fn bind(address: &str) -> std::io::Result<TcpListener> {
    let explained =
        |error: std::io::Error| std::io::Error::new(error.kind(), format!("cannot listen on {address}: {error}"));
    TcpListener::bind(address).await.map_err(explained)
}

async fn turned_true(stop: &mut watch::Receiver<bool>) {
    // An error means that nobody is left to say stop, which is the same.
    let _stopped = stop.wait_for(|stop| *stop).await;
}

/// Serves until `stop` turns true, then finishes what was accepted.
pub async fn serve(app: Shared, listener: TcpListener, mut stop: watch::Receiver<bool>, patience: Duration) {
    let dispatch = Arc::new(Dispatch::new(app.clone()));
    let sweeping = tokio::spawn(sweeper::run(app.clone(), stop.clone()));
    let watching = tokio::spawn(key_watch::run(app.clone(), stop.clone()));
    let (answered, writing) = watch::channel(false);
    let writing = tokio::spawn(access_writer::run(app.clone(), writing));
    let open = GracefulShutdown::new();
    // Each connection holds an end of this until nothing of it is left: a connection counts as shut down a moment
    // before it lets go of the store, and whoever serves the same data next must not find it in use.
    let (holding, mut let_go) = mpsc::channel::<()>(1);
    loop {
        tokio::select! {
            accepted = listener.accept() => match accepted {
                Ok((stream, peer)) => {
                    // Answers are small and latency matters: do not wait to fill a packet.
                    let _best_effort = stream.set_nodelay(true);
                    let patience = Patience::new();
                    let connection = connection(&dispatch, stream, peer, &patience);
                    let watched = open.watch(connection);
                    let held = holding.clone();
                    tokio::spawn(async move {
                        tokio::select! {
                            biased;
                            ended = watched => if let Err(error) = ended {
                                tracing::debug!(%error, "a connection ended early");
                            },
                            () = patience.is_lost() => tracing::debug!("a client was too slow to send its request"),
                        }
                        drop(held);
                    });
                }
                Err(error) => {
                    // Out of file descriptors, most likely: give connections a moment to close.
                    tracing::warn!(%error, "a connection could not be accepted");
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            () = turned_true(&mut stop) => break,
        }
    }
    drop(listener);
    tracing::info!("shutting down: finishing what was accepted");
    drop(holding);
    let finished = async {
        open.shutdown().await;
        let_go.recv().await
    };
    if tokio::time::timeout(patience, finished).await.is_err() {
        tracing::warn!("some requests did not finish in time");
    }
    let _ended = (sweeping.await, watching.await);
    // Only now has everything been looked at that will be.
    let _gone = answered.send(true);
    let _ended = writing.await;
}

/// One connection: HTTP/1.1 with a bounded header block (431 beyond it) and its peer known to every request.
fn connection(
    dispatch: &Arc<Dispatch>,
    stream: tokio::net::TcpStream,
    peer: SocketAddr,
    patience: &Arc<Patience>,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + use<> {
    let (dispatch, waiting) = (dispatch.clone(), patience.clone());
    let answer = service_fn(move |request: Request<Incoming>| {
        let part = part(request.uri().path());
        let mut request = with_patience(request, &waiting);
        request.extensions_mut().insert(Peer(peer));
        let too_large = head_bytes(&request) > HEADER_BLOCK_BYTES;
        let dispatch = dispatch.clone();
        async move {
            let response = if too_large {
                StatusCode::REQUEST_HEADER_FIELDS_TOO_LARGE.into_response()
            } else {
                dispatch.answer(request).await
            };
            dispatch.app.metrics.answered(part, response.status().as_u16());
            Ok::<_, Infallible>(response)
        }
    });
    http1::Builder::new()
        .timer(Heads(patience.clone()))
        .header_read_timeout(patience::WITHIN)
        .max_buf_size(HEADER_BLOCK_BYTES)
        .serve_connection(TokioIo::new(stream), answer)
}

/// The length of a request's first line and headers. The connection's buffer bounds what is read, not what is parsed:
/// a head that arrives in large pieces may be about twice as long as the buffer.
fn head_bytes(request: &Request<Body>) -> usize {
    let path = request.uri().path_and_query().map_or(0, |path| path.as_str().len());
    let first_line = request.method().as_str().len() + path + "  HTTP/1.1\r\n".len();
    let line = |name: &HeaderName, value: &HeaderValue| name.as_str().len() + value.len() + ": \r\n".len();
    request.headers().iter().map(|(name, value)| line(name, value)).sum::<usize>() + first_line + "\r\n".len()
}

/// Which part of the service a path belongs to, for the metrics.
fn part(path: &str) -> &'static str {
    match path {
        "/apiToken.action" => "token",
        "/apiAuthorize.action" => "authorize",
        "/healthz" | "/readyz" => "health",
        path if path.starts_with("/fhir") => "fhir",
        path if path.starts_with("/json") => "rest",
        _ => "pages",
    }
}

/// Serves `/metrics` on a listener of its own, away from the public one.
pub async fn serve_metrics(app: Shared, listener: TcpListener, mut stop: watch::Receiver<bool>) {
    let shown = app.clone();
    let router = Router::new().route(
        "/metrics",
        axum::routing::get(move || {
            let text = shown.metrics.text();
            async move {
                (
                    [(axum::http::header::CONTENT_TYPE, "application/openmetrics-text; version=1.0.0; charset=utf-8")],
                    text,
                )
            }
        }),
    );
    let stopped = async move { turned_true(&mut stop).await };
    if let Err(error) = axum::serve(listener, router).with_graceful_shutdown(stopped).await {
        tracing::error!(%error, "the metrics listener ended");
    }
}
