//! Accepts connections, bounds what they may send and leave unread, and finishes what it accepted before it stops.

use super::connection_limits::{ConnectionLimits, ConnectionSlot};
use super::core_workers::{CoreWorkers, WorkerPlace};
use super::files;
use super::notice::Notice;
use super::stop::turned_true;
use super::wake_guard::WakeGuard;
use super::wire::{SEND_BUFFER_BYTES, Wire};
use crate::app::mailer::Mailer;
use crate::app::sweeper::Sweeper;
use crate::app::telemetry::exporter;
use crate::app::{Shared, access_writer, filling, key_watch, readiness};
use crate::http::patience::{self, Heads, Patience, Slowness, with_patience};
use crate::routes::dispatch::Dispatch;
use axum::http::Request;
use futures_util::FutureExt;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use hyper_util::server::graceful::GracefulConnection;
use rules::limits::HEADER_BLOCK_BYTES;
use rustix::net::sockopt::set_socket_send_buffer_size;
use std::convert::Infallible;
use std::net::{IpAddr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Serves until `stop` turns true, then finishes what was accepted.
pub async fn serve(
    app: Shared,
    (listener, workers): (TcpListener, CoreWorkers),
    mut stop: watch::Receiver<bool>,
    patience: Duration,
) {
    let dispatch = Arc::new(Dispatch::new(app.clone()));
    let sweeping = tokio::spawn(Sweeper::begin(app.clone()).await.run(stop.clone()));
    let mailing = tokio::spawn(Mailer::new(app.clone()).run(stop.clone()));
    let watching = tokio::spawn(key_watch::run(app.clone(), stop.clone()));
    let looking = tokio::spawn(readiness::run(app.clone(), stop.clone()));
    let filling = tokio::spawn(filling::run(app.clone(), stop.clone()));
    let (answered, writing) = watch::channel(false);
    let exporting = tokio::spawn(export(app.clone(), writing.clone()));
    let writing = tokio::spawn(access_writer::run(app.clone(), writing));
    let bounds = app.settings.connections;
    let limits = ConnectionLimits::new(&bounds, files::left(bounds.other_files), app.settings.trust_forwarded_for);
    // Every connection that is accepted takes this over.
    if let Err(error) = set_socket_send_buffer_size(&listener, SEND_BUFFER_BYTES) {
        tracing::warn!(%error, "what the system keeps of answers could not be bounded");
    }
    let not_accepted = Notice::default();
    let mut connections = JoinSet::new();
    loop {
        let next = async {
            let place = limits.free().await;
            (place, accept(&listener, &workers).await)
        };
        tokio::select! {
            (free, accepted) = next => match accepted {
                Ok((stream, peer, worker)) => {
                    // Nobody is told: who has too many connections must not be given more of our time.
                    let Some(place) = limits.take(free, peer.ip()) else { continue };
                    let patience = Patience::new(bounds.delivery);
                    let wire = Wire::new(at_once(stream), &patience, bounds.delivery);
                    let connection = connection(&dispatch, wire, peer.ip(), &patience);
                    let runtime = worker.runtime.clone();
                    connections.spawn_on(attend(connection, patience, stop.clone(), (place, worker)), &runtime);
                }
                Err(error) => {
                    // Out of file descriptors, most likely: give connections a moment to close.
                    if not_accepted.is_due() {
                        tracing::warn!(%error, "a connection could not be accepted");
                    }
                    tokio::time::sleep(Duration::from_millis(50)).await;
                }
            },
            Some(_ended) = connections.join_next() => {}
            () = turned_true(&mut stop) => break,
        }
    }
    drop(listener);
    tracing::info!("shutting down: finishing what was accepted");
    let finished = async { while connections.join_next().await.is_some() {} };
    if tokio::time::timeout(patience, finished).await.is_err() {
        tracing::warn!("some requests did not finish in time");
        // Until nothing is left of them: whoever serves the same data next must not find it in use.
        connections.shutdown().await;
    }
    let _ended = (sweeping.await, mailing.await, watching.await, looking.await, filling.await);
    // Only now has everything been looked at that will be.
    let _gone = answered.send(true);
    let _ended = (writing.await, exporting.await);
}

/// The next connection, in a worker.
async fn accept(
    listener: &TcpListener,
    workers: &CoreWorkers,
) -> std::io::Result<(TcpStream, SocketAddr, WorkerPlace)> {
    let (stream, peer) = listener.accept().await?;
    let (stream, worker) = workers.take(stream)?;
    Ok((stream, peer, worker))
}

/// Keeps a connection going until it ends, its client is too slow, or the service stops and what came over it is answered.
async fn attend(
    connection: impl GracefulConnection<Error = hyper::Error>,
    patience: Arc<Patience>,
    mut stop: watch::Receiver<bool>,
    _until_it_ends: (ConnectionSlot, WorkerPlace),
) {
    let mut connection = pin!(connection);
    let mut lost = WakeGuard::new(patience.is_lost());
    let mut stopped = WakeGuard::new(turned_true(&mut stop));
    let mut is_stopping = false;
    loop {
        tokio::select! {
            biased;
            ended = &mut connection => {
                if let Err(error) = ended {
                    tracing::debug!(%error, "a connection ended early");
                }
                return;
            }
            slowness = &mut lost => {
                match slowness {
                    Slowness::Sending => tracing::debug!("a client was too slow to send its request"),
                    Slowness::Taking => tracing::debug!("a client was too slow to take its answer"),
                }
                return;
            }
            () = &mut stopped, if !is_stopping => {
                is_stopping = true;
                connection.as_mut().graceful_shutdown();
            }
        }
    }
}

/// Exports spans, where the operator wants them, until everything is answered.
async fn export(app: Shared, answered: watch::Receiver<bool>) {
    let Some(spans) = &app.spans else { return };
    exporter::run(spans, app.request_ids.next().as_str().to_owned(), answered).await;
}

/// Answers are small and latency matters: do not wait to fill a packet.
fn at_once(stream: TcpStream) -> TcpStream {
    let _best_effort = stream.set_nodelay(true);
    stream
}

/// One connection: HTTP/1.1 with a bounded header block (431 beyond it) and its peer known to every request.
fn connection(
    dispatch: &Arc<Dispatch>,
    wire: Wire<TcpStream>,
    peer: IpAddr,
    patience: &Arc<Patience>,
) -> impl GracefulConnection<Error = hyper::Error> + use<> {
    let (dispatch, waiting) = (Arc::new(dispatch.apart()), patience.clone());
    let answer = service_fn(move |request: Request<Incoming>| {
        let request = with_patience(request, &waiting);
        dispatch.clone().answer(request, peer).map(Ok::<_, Infallible>)
    });
    http1::Builder::new()
        .timer(Heads(patience.clone()))
        .header_read_timeout(patience::WITHIN)
        .max_buf_size(HEADER_BLOCK_BYTES)
        .serve_connection(TokioIo::new(wire), answer)
}
