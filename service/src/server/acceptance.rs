//! Accepts connections, bounds what they may send, and finishes what it accepted before it stops.

use super::stop::turned_true;
use crate::app::{Shared, access_writer, key_watch, readiness, sweeper};
use crate::http::patience::{self, Heads, Patience, with_patience};
use crate::routes::dispatch::Dispatch;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulShutdown;
use rules::limits::HEADER_BLOCK_BYTES;
use std::convert::Infallible;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::sync::{mpsc, watch};

/// Serves until `stop` turns true, then finishes what was accepted.
pub async fn serve(app: Shared, listener: TcpListener, mut stop: watch::Receiver<bool>, patience: Duration) {
    let dispatch = Arc::new(Dispatch::new(app.clone()));
    let sweeping = tokio::spawn(sweeper::run(app.clone(), stop.clone()));
    let watching = tokio::spawn(key_watch::run(app.clone(), stop.clone()));
    let looking = tokio::spawn(readiness::run(app.clone(), stop.clone()));
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
                    let connection = connection(&dispatch, stream, peer.ip(), &patience);
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
    let _ended = (sweeping.await, watching.await, looking.await);
    // Only now has everything been looked at that will be.
    let _gone = answered.send(true);
    let _ended = writing.await;
}

/// One connection: HTTP/1.1 with a bounded header block (431 beyond it) and its peer known to every request.
fn connection(
    dispatch: &Arc<Dispatch>,
    stream: tokio::net::TcpStream,
    peer: IpAddr,
    patience: &Arc<Patience>,
) -> impl hyper_util::server::graceful::GracefulConnection<Error = hyper::Error> + use<> {
    let (dispatch, waiting) = (dispatch.clone(), patience.clone());
    let answer = service_fn(move |request: Request<Incoming>| {
        let request = with_patience(request, &waiting);
        let dispatch = dispatch.clone();
        async move { Ok::<_, Infallible>(dispatch.answer(request, peer).await) }
    });
    http1::Builder::new()
        .timer(Heads(patience.clone()))
        .header_read_timeout(patience::WITHIN)
        .max_buf_size(HEADER_BLOCK_BYTES)
        .serve_connection(TokioIo::new(stream), answer)
}
