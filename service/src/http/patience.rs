//! Patience with clients that are slow to send: whoever trickles a head or a body is cut off, so that they cannot pile up.
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
    /// Milliseconds from the beginning; zero while the client is not waited for.
    ends: AtomicU64,
}

impl Patience {
    pub(crate) fn new() -> Arc<Self> {
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
    pub(crate) async fn is_lost(&self) {
        loop {
            let now = Instant::now();
            let next = match self.ends.load(Ordering::Relaxed) {
                // Nothing that is waited for from now on is over before.
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
mod tests {
    use super::*;
    use hyper::rt::Timer;
    use tokio::time::timeout;

    const AN_HOUR: Duration = Duration::from_secs(3600);

    #[tokio::test(start_paused = true)]
    async fn patience_is_lost_with_a_head_that_does_not_come() {
        let patience = Patience::new();
        let timer = Heads(Arc::clone(&patience));
        let began = Instant::now();
        let _head = timer.sleep(WITHIN);
        assert!(timeout(AN_HOUR, patience.is_lost()).await.is_ok());
        assert_eq!(began.elapsed().as_secs(), ARRIVAL_SECONDS);
    }

    #[tokio::test(start_paused = true)]
    async fn patience_is_not_lost_while_the_client_waits_for_us() {
        let patience = Patience::new();
        drop(Heads(Arc::clone(&patience)).sleep(WITHIN));
        assert!(timeout(AN_HOUR, patience.is_lost()).await.is_err());
    }

    #[tokio::test(start_paused = true)]
    async fn each_head_is_waited_for_anew() {
        let patience = Patience::new();
        let timer = Heads(Arc::clone(&patience));
        let began = Instant::now();
        let next_head = async {
            for _ in 0..4 {
                let _head = timer.sleep(WITHIN);
                tokio::time::sleep(WITHIN / 2).await;
            }
            let _never_comes = timer.sleep(WITHIN);
            tokio::time::sleep(AN_HOUR).await;
        };
        tokio::select! {
            () = patience.is_lost() => {}
            () = next_head => {}
        }
        assert_eq!(began.elapsed().as_secs(), 3 * ARRIVAL_SECONDS);
    }
    /// A body whose first piece is there, and whose second is not.
    struct Half(Option<Bytes>);

    impl HttpBody for Half {
        type Data = Bytes;
        type Error = std::convert::Infallible;

        fn poll_frame(
            mut self: Pin<&mut Self>,
            _: &mut Context<'_>,
        ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
            self.0.take().map_or(Poll::Pending, |piece| Poll::Ready(Some(Ok(Frame::data(piece)))))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn patience_with_a_body_runs_only_while_it_is_waited_for() {
        let patience = Patience::new();
        let piece = Some(Bytes::from_static(b"grant_type="));
        let mut body = Arrival { body: Half(None), patience: Arc::clone(&patience), bytes: 0, since: None };
        let mut look = |piece: Option<Bytes>| {
            body.body.0 = piece;
            Pin::new(&mut body).poll_frame(&mut Context::from_waker(std::task::Waker::noop())).is_ready()
        };
        assert!(!look(None) && look(piece));
        assert!(timeout(AN_HOUR, patience.is_lost()).await.is_err(), "what came is being worked on");
        assert!(!look(None));
        assert!(timeout(AN_HOUR, patience.is_lost()).await.is_ok());
        drop(body);
        assert!(timeout(AN_HOUR, patience.is_lost()).await.is_err(), "nobody wants the rest");
    }

    #[tokio::test(start_paused = true)]
    async fn a_large_body_may_take_as_long_as_a_thin_line_needs() {
        for (bytes, seconds) in [(0, 15), (16 * 1024 - 1, 15), (16 * 1024, 16), (1024 * 1024, 15 + 64)] {
            let patience = Patience::new();
            let began = Instant::now();
            let arrived = Some(Bytes::from(vec![b' '; bytes]));
            let mut body = Arrival { body: Half(arrived), patience: Arc::clone(&patience), bytes: 0, since: None };
            let mut look = || Pin::new(&mut body).poll_frame(&mut Context::from_waker(std::task::Waker::noop()));
            assert!(look().is_ready() && look().is_pending());
            patience.is_lost().await;
            assert_eq!(began.elapsed().as_secs(), seconds, "after {bytes} bytes");
        }
    }
}
