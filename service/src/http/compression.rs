//! Large answers compressed for clients that take that. Only records as JSON, to a caller with a token of its own: never a body in which a
//! secret stands beside text that a stranger chose, because its length would tell of the secret (tokens, codes, pages with forms).

use crate::app::representation::takes_gzip;
use crate::app::response_budget::Taker;
use crate::app::worker_pool::WorkerPool;
use axum::body::{Body, Bytes, HttpBody, to_bytes};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use rules::limits::{PAGE_BYTES, SMALL_ANSWER_BYTES};
use std::io::Write;

/// Whether the answer to a request may be compressed. What is answered to a POST may be new secrets.
pub(crate) fn is_wanted(method: &Method, headers: &HeaderMap) -> bool {
    *method == Method::GET && takes_gzip(headers)
}

/// The answer compressed, if it is large, JSON, and at hand as a whole.
pub(crate) async fn compressed(workers: &WorkerPool, taker: Taker, answer: Response) -> Response {
    let length = answer.body().size_hint().exact().and_then(|length| usize::try_from(length).ok());
    let is_large = length.is_some_and(|length| (SMALL_ANSWER_BYTES..=2 * PAGE_BYTES).contains(&length));
    if answer.status() != StatusCode::OK || !is_large || !is_json(answer.headers()) {
        return answer;
    }
    let (mut parts, body) = answer.into_parts();
    // It is at hand: what is sent piece by piece does not say how long it is.
    let Ok(plain) = to_bytes(body, usize::MAX).await else { return Response::from_parts(parts, broken()) };
    let packed = {
        let plain = plain.clone();
        workers.run(taker, plain.len(), move || gzip(&plain)).await
    };
    let Ok(Some(packed)) = packed else { return Response::from_parts(parts, Body::from(plain)) };
    parts.headers.insert(header::CONTENT_ENCODING, HeaderValue::from_static("gzip"));
    parts.headers.append(header::VARY, HeaderValue::from_static("accept-encoding"));
    parts.headers.remove(header::CONTENT_LENGTH);
    Response::from_parts(parts, Body::from(packed))
}

/// A body that breaks off, for an answer whose own did.
fn broken() -> Body {
    Body::from_stream(futures_util::stream::once(async { Err::<Bytes, _>("the answer broke off") }))
}

fn is_json(headers: &HeaderMap) -> bool {
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_json = media_type.starts_with("application/fhir+json") || media_type.starts_with("application/json");
    is_json && !headers.contains_key(header::CONTENT_ENCODING)
}

/// Quickly: most of what there is to gain is gained at once.
fn gzip(plain: &[u8]) -> Option<Vec<u8>> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(plain).ok()?;
    encoder.finish().ok()
}
