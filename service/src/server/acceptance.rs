//! Accepts connections, bounds what they may send and leave unread, and finishes what it accepted before it stops.

use super::certificate_watch::Encryption;
use super::connection_limits::ConnectionLimits;
use super::conversation::attend;
use super::core_workers::{CoreWorkers, WorkerPlace};
use super::files;
use super::http1;
use super::notice::Notice;
use super::secured;
use super::stop::turned_true;
use super::wire::{SEND_BUFFER_BYTES, Wire};
use crate::app::mailer::Mailer;
use crate::app::sweeper::Sweeper;
use crate::app::telemetry::exporter;
use crate::app::{Shared, access_writer, filling, key_watch, readiness};
use crate::http::patience::Patience;
use crate::routes::dispatch::Dispatch;
use rustix::net::sockopt::set_socket_send_buffer_size;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::task::JoinSet;

/// Serves plain HTTP until `stop` turns true, then finishes what was accepted.
pub async fn serve(
    app: Shared,
    listening: (TcpListener, CoreWorkers),
    stop: watch::Receiver<bool>,
    patience: Duration,
) {
    serve_with(app, listening, None, stop, patience).await;
}

/// The same, encrypted where there is a certificate.
pub(super) async fn serve_with(
    app: Shared,
    (listener, workers): (TcpListener, CoreWorkers),
    encryption: Option<Encryption>,
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
                    let (stream, runtime) = (at_once(stream), worker.runtime.clone());
                    let _handle = match &encryption {
                        None => {
                            let patience = Patience::new(bounds.delivery);
                            let wire = Wire::new(stream, &patience, bounds.delivery);
                            let connection = http1::connection(&dispatch, wire, peer.ip(), &patience);
                            connections.spawn_on(attend(connection, patience, stop.clone(), (place, worker)), &runtime)
                        }
                        Some(encryption) => {
                            let config = encryption.borrow().clone();
                            let connection = (stream, peer.ip(), config, bounds.delivery);
                            let attended = secured::attend_to(connection, dispatch.clone(), stop.clone(), (place, worker));
                            connections.spawn_on(attended, &runtime)
                        }
                    };
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
