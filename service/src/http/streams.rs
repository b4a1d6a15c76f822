//! Patience with the streams of one HTTP/2 connection. Each has patience of its own while its request arrives and its answer
//! is taken, because a client can hold back one of them while the others go on; with one of them patience is lost with all.
//!
//! A client that does not widen the window of a stream takes nothing of it, and the wire never gets to feel that: so it is
//! looked at what becomes of each piece of an answer.

use super::patience::{Patience, Slowness, WITHIN, Watched};
use axum::body::Body;
use hyper::Response;
use hyper::body::{Body as HttpBody, Buf, Bytes, Frame, SizeHint};
use rules::limits::{DELIVERY_BYTES_A_SECOND, HTTP2_ANSWERS, HTTP2_STREAMS};
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::Instant;

/// The streams of a connection.
#[derive(Debug)]
pub(crate) struct Streams {
    /// For how long a client may take nothing of an answer.
    most: Duration,
    /// With what is left unread on the wire, whichever stream it is of.
    wire: Arc<Patience>,
    waits: Mutex<Vec<Weak<Patience>>>,
    /// Whether a stream has begun since it was last looked.
    has_begun: AtomicBool,
    turns: Arc<Semaphore>,
}

/// A stream whose request is answered and whose answer is taken, until it is dropped.
pub(crate) struct StreamTurn {
    streams: Arc<Streams>,
    pub(crate) patience: Arc<Patience>,
    _one_of_them: Option<OwnedSemaphorePermit>,
}

impl Streams {
    pub(crate) fn new(most: Duration, wire: Arc<Patience>) -> Arc<Self> {
        let turns = Arc::new(Semaphore::new(HTTP2_ANSWERS));
        Arc::new(Self { most, wire, waits: Mutex::default(), has_begun: AtomicBool::new(false), turns })
    }

    /// A stream's turn to be answered. Until then it has nothing but its head, so that no client makes a hundred answers
    /// lie about and takes none.
    pub(crate) async fn turn(self: Arc<Self>) -> StreamTurn {
        let patience = Patience::new(self.most);
        self.wait_for(&patience);
        self.has_begun.store(true, Ordering::Relaxed);
        let _one_of_them = Arc::clone(&self.turns).acquire_owned().await.ok();
        StreamTurn { streams: self, patience, _one_of_them }
    }

    /// Streams that are over are forgotten before they are many.
    fn wait_for(&self, patience: &Arc<Patience>) {
        let mut waits = self.waits();
        if waits.len() >= 2 * HTTP2_STREAMS as usize {
            waits.retain(|wait| wait.strong_count() > 0);
        }
        waits.push(Arc::downgrade(patience));
    }

    fn waits(&self) -> MutexGuard<'_, Vec<Weak<Patience>>> {
        self.waits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many answers are made or taken at this moment.
    fn answers(&self) -> u64 {
        HTTP2_ANSWERS.saturating_sub(self.turns.available_permits()).max(1) as u64
    }

    /// With whom patience ends first, among those that are waited for; and whether there is any stream at all.
    fn soonest(&self) -> (Option<(Instant, Slowness)>, bool) {
        let mut waits = self.waits();
        waits.retain(|wait| wait.strong_count() > 0);
        let of_streams = waits.iter().filter_map(|wait| wait.upgrade()?.soonest());
        let soonest = of_streams.chain(self.wire.soonest()).min_by_key(|(moment, _)| *moment);
        (soonest, !waits.is_empty())
    }
}

impl Watched for Streams {
    /// Returns when a stream was waited for too long, or when there has been none for a while: nothing else would end a
    /// connection on which half a head was sent.
    async fn is_lost(&self) -> Slowness {
        let every = self.most.min(WITHIN);
        let mut idle_since = Instant::now();
        loop {
            let look_again = Instant::now() + every;
            let (soonest, _) = self.soonest();
            tokio::time::sleep_until(soonest.map_or(look_again, |(moment, _)| moment.min(look_again))).await;
            let now = Instant::now();
            let (soonest, has_streams) = self.soonest();
            if let Some((moment, slowness)) = soonest
                && moment <= now
            {
                return slowness;
            }
            if self.has_begun.swap(false, Ordering::Relaxed) || has_streams {
                idle_since = now;
            } else if now - idle_since >= WITHIN {
                return Slowness::Idle;
            }
        }
    }
}

impl StreamTurn {
    /// The answer, whose pieces are looked after until the client has taken them.
    pub(crate) fn deliver(self, answer: Response<Body>) -> Response<StreamAnswer> {
        let most = self.streams.most;
        let course = Arc::new(AnswerCourse { turn: self, most, ends: Mutex::new(None) });
        course.client_is_waited_for();
        answer.map(|body| StreamAnswer { body, course })
    }
}

/// How one answer is taken.
struct AnswerCourse {
    turn: StreamTurn,
    most: Duration,
    /// Until when the client must take something, unless it waits for us.
    ends: Mutex<Option<Instant>>,
}

impl AnswerCourse {
    fn ends(&self) -> MutexGuard<'_, Option<Instant>> {
        self.ends.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn client_is_waited_for(&self) {
        let end = *self.ends().get_or_insert_with(|| Instant::now() + self.most);
        self.turn.patience.delivery_ends_at(end);
    }

    fn client_waits(&self) {
        *self.ends() = None;
        self.turn.patience.is_taken();
    }

    /// What is taken buys time as on a connection of its own. The answers of this one share its line, so that each needs only
    /// its part of the pace.
    fn took(&self, bytes: usize) {
        let mut ends = self.ends();
        if let Some(end) = ends.as_mut() {
            let bytes = (bytes as u64).saturating_mul(self.turn.streams.answers());
            let bought = Duration::from_micros(bytes.saturating_mul(1_000_000) / DELIVERY_BYTES_A_SECOND);
            *end = (*end + bought).min(Instant::now() + self.most);
            self.turn.patience.delivery_ends_at(*end);
        }
    }
}

impl Drop for AnswerCourse {
    fn drop(&mut self) {
        self.turn.patience.is_taken();
    }
}

/// An answer's body. It is asked for its next frame only while the client has room for one.
pub(crate) struct StreamAnswer {
    body: Body,
    course: Arc<AnswerCourse>,
}

impl HttpBody for StreamAnswer {
    type Data = AnswerPiece;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<AnswerPiece>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(context);
        match &polled {
            Poll::Pending => self.course.client_waits(),
            Poll::Ready(_) => self.course.client_is_waited_for(),
        }
        let piece = |bytes| AnswerPiece { bytes, course: Arc::clone(&self.course) };
        polled.map(|next| next.map(|frame| frame.map(|frame| frame.map_data(piece))))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// A piece of an answer, until the client has taken it.
pub(crate) struct AnswerPiece {
    bytes: Bytes,
    course: Arc<AnswerCourse>,
}

impl Buf for AnswerPiece {
    fn remaining(&self) -> usize {
        self.bytes.remaining()
    }

    fn chunk(&self) -> &[u8] {
        self.bytes.chunk()
    }

    fn advance(&mut self, count: usize) {
        self.bytes.advance(count);
        self.course.took(count);
    }
}

#[cfg(test)]
#[path = "streams_tests.rs"]
mod tests;
