//! The load driver: keep-alive connections that each send a script's requests one after another and time the answers.
//!
//! It shares the machine with what it measures, so it does as little as it can: the requests are bytes made beforehand,
//! the answers are scanned for two numbers, and each exchange costs one write and one read.

use crate::Trouble;
use crate::response::{Answer, Reader};
use crate::tally::Tally;
use std::net::SocketAddr;
use std::time::{Duration, Instant};
use tokio::io::AsyncWriteExt;
use tokio::net::TcpStream;
use tokio::task::JoinSet;

/// What one connection says: the next request, and what to make of its answer.
pub(crate) trait Script: Send + 'static {
    fn request(&mut self) -> &[u8];
    fn answered(&mut self, answer: &Answer<'_>) -> Result<(), Trouble>;
    /// True when this connection has said everything; most never have.
    fn finished(&self) -> bool {
        false
    }
}

/// The stretch of time whose answers count. Load begins as soon as a connection stands and ends with the window.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    from: Instant,
    to: Instant,
}

impl Window {
    pub(crate) fn after(warm_up: Duration, length: Duration) -> Self {
        let from = Instant::now() + warm_up;
        Self { from, to: from + length }
    }

    fn length(self) -> Duration {
        self.to.saturating_duration_since(self.from)
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
    while sent < window.to && !script.finished() {
        socket.write_all(script.request()).await?;
        let answer = reader.answer(&mut socket).await?;
        let now = Instant::now();
        if answer.status != 200 {
            return Err(refusal(&answer));
        }
        script.answered(&answer)?;
        tally.answered();
        if now >= window.from && now < window.to {
            tally.add(now - sent);
        }
        sent = now;
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
fn refusal(answer: &Answer<'_>) -> Trouble {
    format!("expected 200, was answered {}: {}", answer.status, String::from_utf8_lossy(answer.body)).into()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bare;
    use crate::requests;
    use crate::scripts::{Chain, Stack, Walk};
    use std::sync::Arc;

    const TOKENS: &[u8] = br#"{"access_token":"rga_1","refresh_token":"rgr_1"}"#;

    async fn server(body: &[u8]) -> SocketAddr {
        let order = bare::order("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n", body).unwrap();
        bare::in_this_process(&order).await.unwrap()
    }

    fn moment() -> Window {
        Window::after(Duration::ZERO, Duration::from_millis(100))
    }

    #[tokio::test]
    async fn load_on_keep_alive_connections_is_answered_and_counted() {
        let address = server(b"hello").await;
        let requests: Arc<[Vec<u8>]> = Arc::new([requests::get("here", "/"), requests::form("here", "/", "a=b")]);
        let (tally, scripts) = load(address, moment(), Walk::together(&requests, 8)).await.unwrap();
        assert_eq!(scripts.len(), 8);
        assert!(tally.per_second() > 100.0 && tally.percentile_ms(0.99) > 0.0);
    }

    #[tokio::test]
    async fn a_stack_is_used_up_and_a_chain_comes_back() {
        let address = server(TOKENS).await;
        let mut stack = Stack::new("here", "app");
        stack.refresh_tokens = (0..10).map(|place| (place, "rgr_0".to_owned())).collect();
        let (_, stacks) = load(address, moment(), vec![stack]).await.unwrap();
        assert_eq!((stacks[0].refresh_tokens.len(), stacks[0].access_tokens.len()), (0, 10));
        let (_, mut chains) = load(address, moment(), vec![Chain::new("here", "app", "rgr_0")]).await.unwrap();
        assert!(chains[0].request().ends_with(b"refresh_token=rgr_1"));
    }

    #[tokio::test]
    async fn an_answer_that_a_script_cannot_use_ends_the_load() {
        let address = server(b"{}").await;
        let outcome = load(address, moment(), vec![Chain::new("here", "app", "rgr_0")]).await;
        assert!(outcome.unwrap_err().to_string().contains("no refresh_token"));
    }
}
