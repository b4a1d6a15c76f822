//! Patience with clients that are slow to send or to take: whoever trickles a head or a body, or does not read what is
//! answered, is cut off, so that they cannot pile up.
//!
//! A connection has one timer, whatever number of requests comes over it. What waits for the client only notes until
//! when; a timer per request would cost more than finding its route.

use axum::body::Body;
use hyper::Request;
use hyper::body::{Body as HttpBody, Bytes, Frame, Incoming, SizeHint};
use rules::limits::{ARRIVAL_BYTES_A_SECOND, ARRIVAL_SECONDS};
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::time::Instant;

/// Whatever is waited for is waited for at least so long.
pub(crate) const WITHIN: Duration = Duration::from_secs(ARRIVAL_SECONDS);

/// How long one connection may still wait for its client.
#[derive(Debug)]
pub(crate) struct Patience {
    began: Instant,
    /// How often it is looked whether the client was waited for too long, at least.
    every: Duration,
    arrival: Deadline,
    delivery: Deadline,
}

/// Milliseconds from the beginning; zero while the client is not waited for.
#[derive(Debug, Default)]
struct Deadline(AtomicU64);

/// What a client was too slow to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Slowness {
    Sending,
    Taking,
    /// It has asked for nothing in a while.
    Idle,
}

/// Patience that can be lost.
pub(crate) trait Watched: Send + Sync {
    /// Returns when the client was waited for too long.
    fn is_lost(&self) -> impl Future<Output = Slowness> + Send;
}

impl Patience {
    /// Patience with a client that may take nothing of its answers for so long.
    pub(crate) fn new(delivery: Duration) -> Arc<Self> {
        let every = delivery.min(WITHIN);
        Arc::new(Self { began: Instant::now(), every, arrival: Deadline::default(), delivery: Deadline::default() })
    }

    fn ends_at(&self, moment: Instant) {
        self.arrival.set(self.began, moment);
    }

    fn need_not_wait(&self) {
        self.arrival.clear();
    }

    /// The client must take something of its answer until then.
    pub(crate) fn delivery_ends_at(&self, moment: Instant) {
        self.delivery.set(self.began, moment);
    }

    /// It has taken something.
    pub(crate) fn is_taken(&self) {
        self.delivery.clear();
    }

    /// When the client will have been waited for too long, if it is waited for.
    pub(crate) fn soonest(&self) -> Option<(Instant, Slowness)> {
        let arrival = self.arrival.moment(self.began).map(|moment| (moment, Slowness::Sending));
        let delivery = self.delivery.moment(self.began).map(|moment| (moment, Slowness::Taking));
        arrival.into_iter().chain(delivery).min_by_key(|(moment, _)| *moment)
    }
}

impl Watched for Patience {
    async fn is_lost(&self) -> Slowness {
        loop {
            let now = Instant::now();
            let look_again = now + self.every;
            match self.soonest() {
                Some((moment, slowness)) if moment <= now => return slowness,
                Some((moment, _)) => tokio::time::sleep_until(moment.min(look_again)).await,
                None => tokio::time::sleep_until(look_again).await,
            }
        }
    }
}

impl Deadline {
    fn set(&self, began: Instant, moment: Instant) {
        let millis = moment.saturating_duration_since(began).as_millis();
        self.0.store(u64::try_from(millis).unwrap_or(u64::MAX).max(1), Ordering::Relaxed);
    }

    fn clear(&self) {
        self.0.store(0, Ordering::Relaxed);
    }

    fn moment(&self, began: Instant) -> Option<Instant> {
        match self.0.load(Ordering::Relaxed) {
            0 => None,
            millis => Some(began + Duration::from_millis(millis)),
        }
    }
}

/// What hyper takes for a timer when it begins to wait for a head.
#[derive(Debug)]
pub(crate) struct Heads(pub(crate) Arc<Patience>);

impl hyper::rt::Timer for Heads {
    fn sleep(&self, duration: Duration) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.sleep_until(self.now() + duration)
    }

    fn sleep_until(&self, deadline: std::time::Instant) -> Pin<Box<dyn hyper::rt::Sleep>> {
        self.0.ends_at(deadline.into());
        Box::pin(HeadWait(Arc::clone(&self.0)))
    }

    fn now(&self) -> std::time::Instant {
        Instant::now().into_std()
    }
}

/// A head that is waited for until this is dropped. It never ends by itself: the connection does.
struct HeadWait(Arc<Patience>);

impl hyper::rt::Sleep for HeadWait {}

impl Future for HeadWait {
    type Output = ();

    fn poll(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<()> {
        Poll::Pending
    }
}

impl Drop for HeadWait {
    fn drop(&mut self) {
        self.0.need_not_wait();
    }
}

/// The request with a body that is waited for with patience; most have none.
pub(crate) fn with_patience(request: Request<Incoming>, patience: &Arc<Patience>) -> Request<Body> {
    request.map(|body| match body.is_end_stream() {
        true => Body::empty(),
        false => Body::new(Arrival { body, patience: Arc::clone(patience), bytes: 0, since: None }),
    })
}

struct Arrival<B> {
    body: B,
    patience: Arc<Patience>,
    bytes: u64,
    /// When it was first waited for.
    since: Option<Instant>,
}

impl<B: HttpBody<Data = Bytes> + Unpin> HttpBody for Arrival<B> {
    type Data = Bytes;
    type Error = B::Error;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, B::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Pending => {
                let since = *self.since.get_or_insert_with(Instant::now);
                self.patience.ends_at(since + WITHIN + Duration::from_secs(self.bytes / ARRIVAL_BYTES_A_SECOND));
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

impl<B> Drop for Arrival<B> {
    fn drop(&mut self) {
        self.patience.need_not_wait();
    }
}

#[cfg(test)]
#[path = "patience_tests.rs"]
mod tests;
