//! Large answers compressed for clients that take that. Only records as JSON, to a caller with a token of its own: never a body in which a
//! secret stands beside text that a stranger chose, because its length would tell of the secret (tokens, codes, pages with forms).

use crate::app::Shared;
use crate::app::response_budget::Taker;
use crate::app::worker_pool::WorkerPool;
use crate::formats::answer_coding::{AnswerCoding, Effort, StreamPacker};
use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use futures_util::stream;
use http_body_util::BodyExt;
use rules::limits::{PAGE_BYTES, SMALL_ANSWER_BYTES};

/// How the answer to a request may be compressed. What is answered to a POST may be new secrets.
pub(crate) fn wanted(method: &Method, headers: &HeaderMap) -> Option<AnswerCoding> {
    (*method == Method::GET).then(|| AnswerCoding::wanted(headers)).flatten()
}

/// The answer compressed, if it is large and JSON: as a whole where it is at hand, and what comes line by line as it comes.
pub(crate) async fn compressed(app: &Shared, taker: Taker, coding: AnswerCoding, answer: Response) -> Response {
    if answer.status() != StatusCode::OK || answer.headers().contains_key(header::CONTENT_ENCODING) {
        return answer;
    }
    let length = answer.body().size_hint().exact().and_then(|length| usize::try_from(length).ok());
    let is_large = length.is_some_and(|length| (SMALL_ANSWER_BYTES..=2 * PAGE_BYTES).contains(&length));
    let (mut parts, body) = answer.into_parts();
    let (packed, is_packed) = match media_type(&parts.headers) {
        "application/fhir+json" | "application/json" if is_large => whole(&app.workers, taker, coding, body).await,
        "application/fhir+ndjson" if length.is_none() => in_pieces(app, taker, coding, body),
        _ => (body, false),
    };
    if is_packed {
        parts.headers.insert(header::CONTENT_ENCODING, coding.name());
        parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
        parts.headers.remove(header::CONTENT_LENGTH);
    }
    Response::from_parts(parts, packed)
}

/// A body that is at hand, packed if that can be done.
async fn whole(workers: &WorkerPool, taker: Taker, coding: AnswerCoding, body: Body) -> (Body, bool) {
    // It is at hand: what is sent piece by piece does not say how long it is.
    let Ok(plain) = to_bytes(body, usize::MAX).await else { return (broken(), false) };
    let packed = {
        let plain = plain.clone();
        workers.run(taker, plain.len(), move || coding.packed(&plain, Effort::Quick)).await
    };
    match packed {
        Ok(Ok(packed)) => (Body::from(packed), true),
        _ => (Body::from(plain), false),
    }
}

/// A body that comes in pieces, each packed when it has come. Where it breaks off, what is sent does too.
fn in_pieces(app: &Shared, taker: Taker, coding: AnswerCoding, body: Body) -> (Body, bool) {
    let Ok(packer) = StreamPacker::new(coding, Effort::Quick) else { return (body, false) };
    let app = Shared::clone(app);
    let pieces = stream::try_unfold(Some((body, packer)), move |state| {
        let app = Shared::clone(&app);
        async move {
            let Some((mut body, mut packer)) = state else { return Ok(None) };
            while let Some(frame) = body.frame().await {
                let Ok(plain) = frame?.into_data() else { continue };
                let length = plain.len();
                let packed = app.workers.run(taker, length, move || (packer.push(&plain), packer)).await;
                let (packed, packer) = packed.map_err(|trouble| {
                    trouble.report_work("packing an answer");
                    "the answer could not be packed"
                })?;
                return Ok::<_, BoxError>(Some((Bytes::from(packed?), Some((body, packer)))));
            }
            Ok(Some((Bytes::from(packer.finish()?), None)))
        }
    });
    (Body::from_stream(pieces), true)
}

/// A body that breaks off, for an answer whose own did.
fn broken() -> Body {
    Body::from_stream(stream::once(async { Err::<Bytes, _>("the answer broke off") }))
}

/// Without parameters.
fn media_type(headers: &HeaderMap) -> &str {
    let value = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    value.split(';').next().unwrap_or_default().trim()
}
