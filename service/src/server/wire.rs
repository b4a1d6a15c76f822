//! A connection's wire: bytes to and from the client, whose patience with a client that takes none runs out.
//!
//! The client has a credit of time. Waiting until it takes something uses the credit up, and what it takes buys some back:
//! so both one that takes nothing and one that takes too little are lost. Nothing is timed while the client keeps up.

use crate::http::patience::Patience;
use rules::limits::DELIVERY_BYTES_A_SECOND;
use std::io::{self, IoSlice};
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::TcpStream;
use tokio::time::Instant;

/// What the system keeps of an answer for the client to take. A bound is needed for the pace to be seen: the system says
/// that there is room again when a third of this was taken, which the slowest client that keeps the pace does in time.
pub(super) const SEND_BUFFER_BYTES: usize = 128 * 1024;

#[derive(Debug)]
pub(super) struct Wire<S: Stream> {
    stream: S,
    pace: Pace,
}

/// What a wire goes over.
pub(super) trait Stream: AsyncRead + AsyncWrite + Unpin {
    /// Has its end be one at once, though there is something to take yet.
    fn end_at_once(&self);
}

impl Stream for TcpStream {
    fn end_at_once(&self) {
        let _best_effort = self.set_zero_linger();
    }
}

#[derive(Debug)]
struct Pace {
    patience: Arc<Patience>,
    credit: Duration,
    most: Duration,
    /// Since when the client has taken nothing of what is there for it.
    since: Option<Instant>,
}

impl<S: Stream> Wire<S> {
    pub(super) fn new(stream: S, patience: &Arc<Patience>, most: Duration) -> Self {
        Self { stream, pace: Pace { patience: Arc::clone(patience), credit: most, most, since: None } }
    }
}

impl Pace {
    fn after(&mut self, written: Poll<io::Result<usize>>) -> Poll<io::Result<usize>> {
        match &written {
            Poll::Pending if self.since.is_none() => {
                let now = Instant::now();
                self.since = Some(now);
                self.patience.delivery_ends_at(now + self.credit);
            }
            Poll::Ready(Ok(bytes)) => self.took(*bytes as u64),
            Poll::Pending | Poll::Ready(Err(_)) => {}
        }
        written
    }

    fn took(&mut self, bytes: u64) {
        if let Some(since) = self.since.take() {
            self.patience.is_taken();
            self.credit = self.credit.saturating_sub(since.elapsed());
        }
        if self.credit < self.most {
            let bought = Duration::from_micros(bytes.saturating_mul(1_000_000) / DELIVERY_BYTES_A_SECOND);
            self.credit = self.most.min(self.credit + bought);
        }
    }
}

impl<S: Stream> AsyncRead for Wire<S> {
    fn poll_read(mut self: Pin<&mut Self>, context: &mut Context<'_>, into: &mut ReadBuf<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, into)
    }
}

impl<S: Stream> AsyncWrite for Wire<S> {
    fn poll_write(mut self: Pin<&mut Self>, context: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.pace.after(written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        pieces: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, pieces);
        self.pace.after(written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}

impl<S: Stream> Drop for Wire<S> {
    /// What a client does not take would be kept by the system for minutes, in vain.
    fn drop(&mut self) {
        if self.pace.since.is_some() {
            self.stream.end_at_once();
        }
    }
}

#[cfg(test)]
#[path = "wire_tests.rs"]
mod tests;
