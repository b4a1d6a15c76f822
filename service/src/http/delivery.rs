//! The delivery of a large answer: its bytes keep the room that they take up until the last of them has left.

use crate::app::unread::{Overload, Room, Taker, Unread};
use axum::body::{Body, Bytes, HttpBody};
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
    unread: &Unread,
    taker: impl FnOnce() -> Taker,
    answer: Response,
) -> Result<Response, Overload> {
    let length = answer.body().size_hint().lower();
    if length <= SMALL_ANSWER_BYTES as u64 {
        return Ok(answer);
    }
    let room = unread.room(taker(), usize::try_from(length).unwrap_or(usize::MAX))?.map(Arc::new);
    let keep = move |frame: Frame<Bytes>| match &room {
        Some(room) => frame.map_data(|bytes| Bytes::from_owner(Piece { bytes, _room: Arc::clone(room) })),
        None => frame,
    };
    Ok(answer.map(|body| Body::new(body.map_frame(keep))))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::app::bounds::ConnectionBounds;

    const ANYBODY: Taker = Taker::Network(1);

    #[tokio::test]
    async fn the_room_is_kept_until_the_bytes_are_gone_and_not_only_the_body() {
        let bounds = ConnectionBounds { unread: 1, ..ConnectionBounds::default() };
        let unread = Unread::new(&bounds);
        let large = || Response::new(Body::from(vec![b'x'; SMALL_ANSWER_BYTES + 1]));
        let mut body = with_room(&unread, || ANYBODY, large()).unwrap().into_body();
        let piece = body.frame().await.unwrap().unwrap().into_data().unwrap();
        drop(body);
        assert_eq!(piece.len(), SMALL_ANSWER_BYTES + 1);
        assert_eq!(with_room(&unread, || ANYBODY, large()).unwrap_err(), Overload::InAll);
        drop(piece);
        assert!(with_room(&unread, || ANYBODY, large()).is_ok());
    }
}
