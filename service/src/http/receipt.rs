//! The receipt of a request's body: its bytes are counted as they come, and until the request is answered.

use super::call::Call;
use super::unpacked::{self, NotPacked};
use crate::app::body_budget::{BodyClaim, BodyOverload};
use crate::app::response_budget::Taker;
use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::header;
use http_body_util::BodyExt;
use hyper::body::{Frame, SizeHint};
use rules::limits::{ARRIVAL_SECONDS, READ_ON_BYTES};
use std::error::Error;
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

/// What a body has of the budget: held by whoever answers, and by the body that it grows with.
pub(crate) type Receipt = Arc<Mutex<BodyClaim>>;

/// Has the body of a call counted, if it has one. The receipt is to be kept until the call is answered.
pub(crate) fn count(call: &mut Call, caller: Taker) -> Option<Receipt> {
    if call.body.is_end_stream() {
        return None;
    }
    let receipt = Arc::new(Mutex::new(call.app.bodies.claim(caller)));
    let counted = CountedBody {
        body: unpacked::unpacked(&call.head.headers, std::mem::take(&mut call.body)),
        receipt: receipt.clone(),
        longest: call.app.settings.api_body_bytes,
        is_awaited: call.head.headers.contains_key(header::EXPECT),
        received: None,
    };
    call.body = Body::new(counted);
    Some(receipt)
}

struct CountedBody {
    body: Body,
    receipt: Receipt,
    /// A longer one is not kept, and what comes of it then is not counted.
    longest: usize,
    /// Whether its sender waits to hear that it is wanted: then nothing need be sent of one that is too long.
    is_awaited: bool,
    /// The bytes that have come; nothing before anybody has asked for them.
    received: Option<usize>,
}

impl CountedBody {
    fn length(&self) -> usize {
        usize::try_from(self.body.size_hint().lower()).unwrap_or(usize::MAX)
    }

    /// Nothing is taken of a body that says how long it is and for which there is no room.
    fn begin(&mut self) -> Result<(), BodyOverload> {
        let is_begun = self.received.is_some();
        self.received.get_or_insert(0);
        match self.length() {
            length if is_begun || length > self.longest => Ok(()),
            length => self.receipt.lock().unwrap_or_else(PoisonError::into_inner).has_room(length),
        }
    }

    fn grow(&mut self, frame: &Frame<Bytes>) -> Result<(), BodyOverload> {
        let bytes = frame.data_ref().map_or(0, Bytes::len);
        let received = self.received.unwrap_or_default().saturating_add(bytes);
        let is_counted = received.saturating_add(self.length()) <= self.longest;
        self.received = Some(received);
        match is_counted {
            true => self.receipt.lock().unwrap_or_else(PoisonError::into_inner).grow(bytes),
            false => Ok(()),
        }
    }
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        if self.is_awaited && self.received.is_none() && self.length() > self.longest {
            return Poll::Ready(None);
        }
        if let Err(overload) = self.begin() {
            return Poll::Ready(Some(Err(overload.into())));
        }
        let polled = Pin::new(&mut self.body).poll_frame(context);
        polled.map(|frame| {
            frame.map(|frame| {
                let frame = frame?;
                self.grow(&frame)?;
                Ok(frame)
            })
        })
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Why there is no whole body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum BodyFault {
    TooLarge,
    /// The client went away before it was complete.
    Broken,
    /// It is not packed as Content-Encoding says.
    NotPacked,
    Overload(BodyOverload),
}

/// All of a body, if it has no more than so many bytes. They are put together as they come, and kept once.
pub(crate) async fn whole(mut body: Body, most_bytes: usize) -> Result<Vec<u8>, BodyFault> {
    let length = usize::try_from(body.size_hint().lower()).unwrap_or(usize::MAX);
    if length > most_bytes {
        read_on(body).await;
        return Err(BodyFault::TooLarge);
    }
    let mut bytes = Vec::new();
    while let Some(frame) = body.frame().await {
        let frame = frame.map_err(|error| fault(&error))?;
        let Ok(piece) = frame.into_data() else { continue };
        if bytes.len() + piece.len() > most_bytes {
            drop(bytes);
            read_on(body).await;
            return Err(BodyFault::TooLarge);
        }
        if bytes.is_empty() {
            bytes.reserve_exact(length.max(piece.len()));
        }
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

/// What an error of a body means, however often it was wrapped on its way.
pub(crate) fn fault(error: &(dyn Error + 'static)) -> BodyFault {
    let causes = std::iter::successors(Some(error), |error: &&(dyn Error + 'static)| (*error).source());
    let known = causes.filter_map(|cause| match cause.downcast_ref::<BodyOverload>() {
        Some(overload) => Some(BodyFault::Overload(*overload)),
        None => cause.is::<NotPacked>().then_some(BodyFault::NotPacked),
    });
    known.last().unwrap_or(BodyFault::Broken)
}

/// Takes what is left of a body, as far as one may send in vain, and lets it go. Most clients listen only when they have sent all, and
/// whoever closes before them is taken for broken.
pub(crate) async fn read_on(mut body: Body) {
    if usize::try_from(body.size_hint().lower()).is_ok_and(|length| length > READ_ON_BYTES) {
        return;
    }
    let all = async {
        let mut left = READ_ON_BYTES;
        while let Some(Ok(frame)) = body.frame().await {
            let Some(less) = left.checked_sub(frame.data_ref().map_or(0, Bytes::len)) else { return };
            left = less;
        }
    };
    let _in_time = tokio::time::timeout(Duration::from_secs(ARRIVAL_SECONDS), all).await;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::body_budget::BodyBudget;
    use futures_util::FutureExt;

    const CALLER: Taker = Taker::Network(1);
    const MOST: usize = 12 << 20;

    /// Pieces of a body, of which nobody has said how many there are.
    fn in_pieces(pieces: &[usize]) -> Body {
        struct Pieces(Vec<usize>);
        impl HttpBody for Pieces {
            type Data = Bytes;
            type Error = BoxError;

            fn poll_frame(
                mut self: Pin<&mut Self>,
                _: &mut Context<'_>,
            ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
                Poll::Ready(self.0.pop().map(|length| Ok(Frame::data(vec![b'x'; length].into()))))
            }
        }
        Body::new(Pieces(pieces.to_vec()))
    }

    fn counted(budget: &BodyBudget, body: Body) -> Body {
        let receipt = Arc::new(Mutex::new(budget.claim(CALLER)));
        Body::new(CountedBody { body, receipt, longest: MOST, is_awaited: false, received: None })
    }

    async fn length(body: Body) -> Result<usize, BodyFault> {
        whole(body, MOST).await.map(|bytes| bytes.len())
    }

    #[tokio::test]
    async fn a_body_is_put_together_whether_or_not_it_says_how_long_it_is() {
        let budget = BodyBudget::new(MOST);
        assert_eq!(length(counted(&budget, Body::from(vec![b'x'; 100_000]))).await, Ok(100_000));
        assert_eq!(length(counted(&budget, in_pieces(&[70_000, 1, 30_000]))).await, Ok(100_001));
        assert_eq!(length(in_pieces(&[])).await, Ok(0));
    }

    #[tokio::test]
    async fn a_body_that_is_too_large_is_refused_where_it_says_so_and_where_it_does_not() {
        assert_eq!(length(Body::from(vec![b'x'; MOST + 1])).await, Err(BodyFault::TooLarge));
        assert_eq!(length(in_pieces(&[MOST, 1])).await, Err(BodyFault::TooLarge));
    }

    #[tokio::test]
    async fn a_body_for_which_there_is_no_room_is_refused_before_it_comes_or_where_there_is_no_more() {
        let budget = BodyBudget::new(MOST);
        let mut held = budget.claim(CALLER);
        held.grow(MOST - 1_000_000).unwrap();
        let refused = Err(BodyFault::Overload(BodyOverload::OfCaller));
        assert_eq!(length(counted(&budget, Body::from(vec![b'x'; 1_000_001]))).await, refused);
        let mut waits = counted(&budget, in_pieces(&[1, 1_000_000]));
        assert!(
            waits.frame().now_or_never().flatten().is_some_and(|frame| frame.is_ok()),
            "what there is room for comes"
        );
        assert_eq!(length(waits).await, refused);
        drop(held);
        assert_eq!(length(counted(&budget, in_pieces(&[1, 1_000_000]))).await, Ok(1_000_001), "all of it came back");
    }
}
