//! The load driver: keep-alive connections that each send a script's requests one after another and time the answers.
//!
//! It shares the machine with what it measures, so it does as little as it can: the requests are bytes made beforehand,
//! the answers are scanned for two numbers, and each exchange costs one write and one read.

use super::response::{Reader, Response};
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::sleep;

/// Connections of every figure that is driven over HTTP.
pub(crate) const CONNECTIONS: usize = 64;

/// What one connection says: the next request, and what to make of its answer.
pub(crate) trait Script: Send + 'static {
    fn request(&mut self) -> &[u8];
    fn answered(&mut self, answer: &Response<'_>) -> Result<(), Trouble>;
    /// Whether the answer that was just handed over is one of those that are measured; most scripts have no others.
    fn counts(&self) -> bool {
        true
    }
    /// Whether an answer of this status is one that the script can go on with; any other ends the run.
    fn accepts(&self, status: u16) -> bool {
        matches!(status, 200 | 201)
    }
    /// How long to wait before the next request; most scripts do not.
    fn pause(&self) -> Option<Duration> {
        None
    }
    /// True when this connection has said everything; most never have.
    fn finished(&self) -> bool {
        false
    }
}

/// Runs one connection per script until the window closes. Every request sent is also answered before this returns, and
/// the scripts come back, so that a chain of refresh tokens goes on in the next round where it stopped.
pub(crate) async fn load<S: Script>(
    address: SocketAddr,
    window: Window,
    scripts: Vec<S>,
) -> Result<(Tally, Vec<S>), Trouble> {
    let mut connections = JoinSet::new();
    for script in scripts {
        connections.spawn(converse(address, window, script));
    }
    let (mut whole, mut scripts) = (Tally::default(), Vec::new());
    while let Some(ended) = connections.join_next().await {
        let (tally, script) = ended??;
        whole.absorb(tally);
        scripts.push(script);
    }
    Ok((whole, scripts))
}

async fn converse<S: Script>(address: SocketAddr, window: Window, mut script: S) -> Result<(Tally, S), Trouble> {
    let mut socket = TcpStream::connect(address).await?;
    socket.set_nodelay(true)?;
    let mut reader = Reader::new();
    let mut tally = Tally::of(window.length(), 1 << 13);
    let mut sent = Instant::now();
    while !window.is_over_at(sent) && !script.finished() {
        socket.write_all(script.request()).await?;
        let answer = reader.answer(&mut socket).await?;
        let now = Instant::now();
        if !script.accepts(answer.status) {
            return Err(refusal(&answer));
        }
        script.answered(&answer)?;
        if script.counts() {
            tally.answered();
            if window.holds(sent) {
                tally.add(now - sent);
            }
        }
        sent = match script.pause() {
            Some(pause) => {
                sleep(pause).await;
                Instant::now()
            }
            None => now,
        };
    }
    Ok((tally, script))
}

/// Sends one request on a connection of its own and hands over head and body, whatever the status.
pub(crate) async fn once(address: SocketAddr, request: &[u8]) -> Result<(u16, String, Vec<u8>), Trouble> {
    let mut socket = TcpStream::connect(address).await?;
    socket.write_all(request).await?;
    let mut reader = Reader::new();
    let answer = reader.answer(&mut socket).await?;
    Ok((answer.status, answer.head.to_owned(), answer.body.to_vec()))
}

/// Only the status and the body: requests carry tokens, and those belong in no message.
fn refusal(answer: &Response<'_>) -> Trouble {
    format!("expected 200 or 201, was answered {}: {}", answer.status, String::from_utf8_lossy(answer.body)).into()
}
