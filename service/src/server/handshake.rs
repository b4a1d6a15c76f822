//! The beginning of a connection with TLS: the handshake, within the time in which a head must come, and a word for who
//! speaks plain HTTP.

use super::stop::turned_true;
use super::wire::Wire;
use crate::http::patience::{Patience, WITHIN};
use rules::limits::HEADER_BLOCK_BYTES;
use std::io;
use std::sync::Arc;
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::sync::watch;
use tokio::time::timeout;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::rustls::ServerConfig;
use tokio_rustls::server::TlsStream;

/// With which byte a record of TLS begins that holds a handshake.
const HANDSHAKE: u8 = 22;

const PLAIN: &[u8] = b"HTTP/1.1 400 Bad Request\r\nContent-Type: text/plain; charset=utf-8\r\n\
    Connection: close\r\n\r\nThis port is for TLS. Use a URL that begins with https://.\n";

/// An encrypted connection. Its wire is under the TLS, where it feels what the client takes.
pub(super) type Encrypted = TlsStream<Wire<TcpStream>>;

/// Shakes hands with a client; `None` where nothing comes of it in time, or before the service stops.
pub(super) async fn shake(
    stream: TcpStream,
    config: Arc<ServerConfig>,
    (patience, most): (&Arc<Patience>, Duration),
    stop: &mut watch::Receiver<bool>,
) -> Option<Encrypted> {
    let shaken = async {
        let mut first = [0];
        match stream.peek(&mut first).await? {
            0 => Err(io::ErrorKind::UnexpectedEof.into()),
            _ if first == [HANDSHAKE] => TlsAcceptor::from(config).accept(Wire::new(stream, patience, most)).await,
            _ => refuse_plain(stream, first).await,
        }
    };
    let ended = tokio::select! {
        ended = timeout(WITHIN, shaken) => ended,
        () = turned_true(stop) => return None,
    };
    match ended {
        Ok(Ok(stream)) => return Some(stream),
        Ok(Err(error)) => tracing::debug!(%error, "a handshake failed"),
        Err(_) => tracing::debug!("a client was too slow with its handshake"),
    }
    None
}

/// Tells who speaks HTTP that this is the port of https; whoever speaks anything else hears nothing.
async fn refuse_plain(mut stream: TcpStream, first: [u8; 1]) -> io::Result<Encrypted> {
    if first.iter().all(u8::is_ascii_uppercase) {
        stream.write_all(PLAIN).await?;
        stream.shutdown().await?;
        // What came is read: else the system would take the answer back.
        let mut rest = stream.take(HEADER_BLOCK_BYTES as u64);
        tokio::io::copy(&mut rest, &mut tokio::io::sink()).await?;
    }
    Err(io::Error::new(io::ErrorKind::InvalidData, "the client does not speak TLS"))
}

#[cfg(test)]
#[path = "handshake_tests.rs"]
mod tests;
