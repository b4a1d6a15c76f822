//! A connection with TLS, from its handshake to its end: HTTP/2 where the client can, else HTTP/1.1.

use super::certificate::HTTP2;
use super::connection_limits::ConnectionSlot;
use super::conversation::attend;
use super::core_workers::WorkerPlace;
use super::{handshake, http1, http2};
use crate::http::patience::Patience;
use crate::http::streams::Streams;
use crate::routes::dispatch::Dispatch;
use hyper_util::rt::TokioIo;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio_rustls::rustls::ServerConfig;

/// Attends to a connection, in whose place it is from the first byte on; a client may leave what is sent to it for so long.
pub(super) async fn attend_to(
    (stream, peer, config, delivery): (TcpStream, IpAddr, Arc<ServerConfig>, Duration),
    dispatch: Arc<Dispatch>,
    mut stop: watch::Receiver<bool>,
    until_it_ends: (ConnectionSlot, WorkerPlace),
) {
    // What the wire feels, whatever goes over it.
    let patience = Patience::new(delivery);
    let Some(stream) = handshake::shake(stream, config, (&patience, delivery), &mut stop).await else { return };
    if stream.get_ref().1.alpn_protocol() != Some(HTTP2) {
        let connection = http1::connection(&dispatch, stream, peer, &patience);
        return attend(connection, patience, stop, until_it_ends).await;
    }
    let streams = Streams::new(delivery, patience);
    let connection = http2::connection(&dispatch, TokioIo::new(stream), peer, &streams);
    attend(connection, streams, stop, until_it_ends).await;
}
