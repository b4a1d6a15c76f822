//! Patience with clients that are slow to send: whoever trickles a head or a body is cut off, so that they cannot pile up.
//!
//! A connection has one timer, whatever number of requests comes over it. What waits for the client only notes until
//! when; a timer per request would cost more than finding its route.

use axum::body::Body;
use hyper::Request;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Instant;

/// A head must be here in this time, and the beginning of a body.
pub(super) const WITHIN: Duration = Duration::from_secs(15);

/// What arrives of a body buys its client more time: a second for this many bytes. The slowest of links carries more.
const BYTES_A_SECOND: u64 = 16 * 1024;

/// How long one connection may still wait for its client.
#[derive(Debug)]
pub(super) struct Patience {
    began: Instant,
    /// Milliseconds from the beginning; zero while the client is not waited for.
    ends: AtomicU64,
}

impl Patience {
    pub(super) fn new() -> Arc<Self> {
        Arc::new(Self { began: Instant::now(), ends: AtomicU64::new(0) })
    }

    fn ends_at(&self, moment: Instant) {
        let millis = moment.saturating_duration_since(self.began).as_millis();
        self.ends.store(u64::try_from(millis).unwrap_or(u64::MAX).max(1), Ordering::Relaxed);
    }

    fn need_not_wait(&self) {
        self.ends.store(0, Ordering::Relaxed);
    }

    /// Returns when the client was waited for too long.
    pub(super) async fn is_lost(&self) {
        loop {
            let now = Instant::now();
            let next = match self.ends.load(Ordering::Relaxed) {
                // Whatever is waited for from now on is waited for at least so long.
                0 => now + WITHIN,
                millis => self.began + Duration::from_millis(millis),
            };
            if next <= now {
                return;
            }
            tokio::time::sleep_until(next).await;
        }
    }
}

/// What hyper takes for a timer when it begins to wait for a head.
#[derive(Debug)]
pub(super) struct Heads(pub(super) Arc<Patience>);

impl hyper::rt::Timer for Heads {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: std::time::Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.0.ends_at(deadline.into());
        Box::pin(Head(Arc::clone(&self.0)))
    }

    fn now(&self) -> std::time::Instant {
        Instant::now().into_std()
    }
}

/// A head that is waited for until this is dropped. It never ends by itself: the connection does.
struct Head(Arc<Patience>);

impl hyper::rt::Sleep for Head {}

impl Future for Head {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

impl Drop for Head {
    fn drop(&mut self) {
        self.0.need_not_wait();
    }
}

/// The request with a body that is waited for with patience; most have none.
pub(super) fn with_patience(request: Request<Incoming>, patience: &Arc<Patience>) -> Request<Body> {
    request.map(|body| match body.is_end_stream() {
        true => Body::empty(),
        false => Body::new(Arriving { body, patience: Arc::clone(patience), bytes: 0, since: None }),
    })
}

struct Arriving {
    body: Incoming,
    patience: Arc<Patience>,
    bytes: u64,
    /// When it was first waited for.
    since: Option<Instant>,
}

impl HttpBody for Arriving {
    type Data = Bytes;
    type Error = hyper::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, hyper::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Pending => {
                let since = *self.since.get_or_insert_with(Instant::now);
                self.patience.ends_at(since + WITHIN + Duration::from_secs(self.bytes / BYTES_A_SECOND));
            }
            Poll::Ready(piece) => {
                let data = piece.as_ref().and_then(|piece| piece.as_ref().ok()?.data_ref());
                self.bytes += data.map_or(0, |data| data.len() as u64);
                self.patience.need_not_wait();
            }
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for Arriving {
    fn drop(&mut self) {
        self.patience.need_not_wait();
    }
}
