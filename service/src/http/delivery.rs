//! The delivery of a large answer: its bytes keep the room that they take up until the last of them has left.

use crate::app::response_budget::{Overload, ResponseBudget, Room, Taker};
use axum::body::{Body, Bytes, HttpBody};
use axum::http::HeaderValue;
use axum::http::header::CONTENT_LENGTH;
use axum::response::Response;
use http_body_util::BodyExt;
use hyper::body::Frame;
use rules::limits::SMALL_ANSWER_BYTES;
use std::sync::Arc;

/// A piece of an answer. The connection holds it until it has been taken, also when the body is long gone.
struct Piece {
    bytes: Bytes,
    _room: Arc<Room>,
}

impl AsRef<[u8]> for Piece {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

/// The answer with the room that it needs, if there is any.
pub(crate) fn with_room(
    response_budget: &ResponseBudget,
    taker: impl FnOnce() -> Taker,
    answer: Response,
) -> Result<Response, Overload> {
    let (length, exact) = (answer.body().size_hint().lower(), answer.body().size_hint().exact());
    if length <= SMALL_ANSWER_BYTES as u64 {
        return Ok(answer);
    }
    let room = response_budget.room(taker(), usize::try_from(length).unwrap_or(usize::MAX))?.map(Arc::new);
    let keep = move |frame: Frame<Bytes>| match &room {
        Some(room) => frame.map_data(|bytes| Bytes::from_owner(Piece { bytes, _room: Arc::clone(room) })),
        None => frame,
    };
    let mut answer = answer.map(|body| Body::new(body.map_frame(keep)));
    // How long it is cannot be seen any more from what its frames have become.
    if let Some(exact) = exact {
        answer.headers_mut().entry(CONTENT_LENGTH).or_insert(HeaderValue::from(exact));
    }
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bounds::ConnectionBounds;

    const ANYBODY: Taker = Taker::Network(1);

    #[tokio::test]
    async fn a_large_answer_says_how_long_it_is_and_one_of_unknown_length_does_not() {
        let response_budget = ResponseBudget::new(&ConnectionBounds::default());
        let length = |body: Body| {
            let answer = with_room(&response_budget, || ANYBODY, Response::new(body)).unwrap();
            answer.headers().get(CONTENT_LENGTH).map(|length| length.to_str().unwrap().to_owned())
        };
        let large = vec![b'x'; SMALL_ANSWER_BYTES + 1];
        assert_eq!(length(Body::from(large.clone())), Some((SMALL_ANSWER_BYTES + 1).to_string()));
        let unknown = Body::new(Body::from(large).map_frame(|frame| frame));
        assert_eq!(length(unknown), None);
    }

    #[tokio::test]
    async fn the_room_is_kept_until_the_bytes_are_gone_and_not_only_the_body() {
        let bounds = ConnectionBounds { unread: 1, ..ConnectionBounds::default() };
        let response_budget = ResponseBudget::new(&bounds);
        let large = || Response::new(Body::from(vec![b'x'; SMALL_ANSWER_BYTES + 1]));
        let mut body = with_room(&response_budget, || ANYBODY, large()).unwrap().into_body();
        let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
        drop(body);
        assert_eq!(piece.len(), SMALL_ANSWER_BYTES + 1);
        assert_eq!(with_room(&response_budget, || ANYBODY, large()).unwrap_err(), Overload::InAll);
        drop(piece);
        assert!(with_room(&response_budget, || ANYBODY, large()).is_ok());
    }
}
