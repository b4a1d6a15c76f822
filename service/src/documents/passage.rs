//! The passage of a content to its caller: piece by piece, none read before the one before it is on its way. Each piece is
//! held to its hash before it is sent; one that is damaged ends the connection, and the log says why.

use crate::app::Shared;
use crate::app::request_context;
use crate::app::request_id::RequestId;
use crate::app::response_budget::{Room, Taker};
use crate::app::trouble::During;
use crate::formats::trace_parent::TraceParent;
use crate::voices::api::ApiStop;
use axum::body::{Body, Bytes};
use fhir::base64_binary::{encode, encoded_length};
use fhir::pieces::PIECE_BYTES;
use futures_util::stream;
use std::io;
use std::ops::Range;
use std::sync::Arc;
use store::documents::contents::{self, StoredContent};

/// Where the bytes of a content are.
#[derive(Debug)]
pub(super) enum Holding {
    /// Inside the document that was read.
    Inside(Bytes),
    Stored(StoredContent),
}

impl Holding {
    pub(super) fn length(&self) -> u64 {
        match self {
            Self::Inside(bytes) => bytes.len() as u64,
            Self::Stored(content) => content.length(),
        }
    }
}

const PIECE: u64 = PIECE_BYTES as u64;
/// What a passage holds at the most: the piece that is being taken, and the next.
const IN_FLIGHT: u64 = 2 * encoded_length(PIECE);

#[derive(Debug)]
pub(super) struct Passage {
    app: Shared,
    holding: Holding,
    /// The bytes that are still to come.
    left: Range<u64>,
    /// What was read before anything was answered, so that trouble could still be said.
    first: Option<Bytes>,
    /// The text before and after the content, where it is sent as base64 in a resource.
    around: Option<[String; 2]>,
    room: Option<Arc<Room>>,
    request: Option<(RequestId, Option<TraceParent>)>,
}

/// Bytes that keep the room that they take up until they have left the process.
struct Parcel {
    bytes: Bytes,
    _room: Arc<Room>,
}

impl AsRef<[u8]> for Parcel {
    fn as_ref(&self) -> &[u8] {
        &self.bytes
    }
}

impl Passage {
    /// Begins with a range of a content, if there is room for it. Where its content will not be sent, nothing is read.
    pub(super) async fn begin(
        app: &Shared,
        taker: Taker,
        holding: Holding,
        range: Range<u64>,
        opens: bool,
    ) -> Result<Self, ApiStop> {
        let bytes = usize::try_from(IN_FLIGHT.min(range.end - range.start)).unwrap_or(usize::MAX);
        let room = app.response_budget.room(taker, bytes)?.map(Arc::new);
        let request = request_context::id().map(|id| (id, request_context::parent()));
        let mut passage = Self { app: app.clone(), holding, left: range, first: None, around: None, room, request };
        if opens && !passage.left.is_empty() {
            passage.first = Some(passage.read().await.during("reading a content")?);
        }
        Ok(passage)
    }

    /// As the last member of a resource that has none of it yet.
    pub(super) fn inside(mut self, resource: &str) -> (Body, u64) {
        let before = resource.strip_suffix('}').unwrap_or(resource);
        let around = [format!("{before},\"data\":\""), "\"}".to_owned()];
        let length = self.holding.length();
        let texts: usize = around.iter().map(String::len).sum();
        self.around = Some(around);
        (self.body(), encoded_length(length) + texts as u64)
    }

    pub(super) fn body(self) -> Body {
        Body::from_stream(stream::try_unfold(PassageStep::Before(self), async |step| step.next().await))
    }

    /// The next bytes that are still to come.
    async fn read(&mut self) -> store::Result<Bytes> {
        let number = self.left.start / PIECE;
        let start = number * PIECE;
        let piece = match &self.holding {
            Holding::Inside(bytes) => {
                let at = |place: u64| usize::try_from(place).unwrap_or(usize::MAX).min(bytes.len());
                bytes.slice(at(start)..at(start + PIECE))
            }
            Holding::Stored(content) => contents::piece(&self.app.store, content, number).await?.into(),
        };
        let at = |place: u64| usize::try_from(place - start).unwrap_or(usize::MAX).min(piece.len());
        let (from, until) = (at(self.left.start), at(self.left.end));
        self.left.start = self.left.end.min(start + PIECE);
        Ok(piece.slice(from..until))
    }

    fn parcel(&self, bytes: Bytes) -> Bytes {
        match &self.room {
            Some(room) => Bytes::from_owner(Parcel { bytes, _room: Arc::clone(room) }),
            None => bytes,
        }
    }

    /// Notes in the log, as the work of the request that it was, that a content broke off.
    async fn broke_off(&self, error: store::Error) -> io::Error {
        let told = std::pin::pin!(async { tracing::error!(%error, "a content could not be sent to its end") });
        match self.request.clone() {
            Some((id, parent)) => request_context::within(id, parent, told).await,
            None => told.await,
        }
        io::Error::other("a content could not be sent to its end")
    }
}

/// How far a passage is.
enum PassageStep {
    Before(Passage),
    Within(Passage),
    Over,
}

impl PassageStep {
    async fn next(self) -> io::Result<Option<(Bytes, Self)>> {
        let mut passage = match self {
            Self::Over => return Ok(None),
            Self::Before(passage) => match passage.around.as_ref().map(|[before, _]| before.clone()) {
                Some(before) => return Ok(Some((before.into(), Self::Within(passage)))),
                None => passage,
            },
            Self::Within(passage) => passage,
        };
        let bytes = match passage.first.take() {
            Some(first) => first,
            None if passage.left.is_empty() => {
                return Ok(passage.around.map(|[_, after]| (after.into(), Self::Over)));
            }
            None => match passage.read().await {
                Ok(bytes) => bytes,
                Err(error) => return Err(passage.broke_off(error).await),
            },
        };
        let bytes = if passage.around.is_some() { encode(&bytes).into() } else { bytes };
        Ok(Some((passage.parcel(bytes), Self::Within(passage))))
    }
}
