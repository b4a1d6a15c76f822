//! What is made once and given to whoever asks: its bytes, the same compressed, and the tag by which a client knows that it has them.

use crate::formats::accept;
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use flate2::Compression;
use flate2::write::GzEncoder;
use sha2::{Digest, Sha256};
use std::io::Write;

/// As much of a SHA-256 as chance will never hit.
const TAG_BYTES: usize = 16;
const GZIP: HeaderValue = HeaderValue::from_static("gzip");

#[derive(Clone, Debug)]
pub struct Representation {
    plain: Bytes,
    /// Nothing where it could not be compressed.
    compressed: Option<Bytes>,
    tag: HeaderValue,
}

impl Representation {
    #[must_use]
    pub fn of(text: String) -> Self {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        let compressed = encoder.write_all(text.as_bytes()).and_then(|()| encoder.finish());
        let hash: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        let hash: String = hash.iter().take(TAG_BYTES).map(|byte| format!("{byte:02x}")).collect();
        // Of the meaning and not of the bytes, because compressed it is the same.
        let tag = HeaderValue::try_from(format!("W/\"{hash}\"")).unwrap_or(HeaderValue::from_static("W/\"\""));
        Self { plain: text.into(), compressed: compressed.ok().map(Bytes::from), tag }
    }

    /// As it was made.
    #[must_use]
    pub const fn bytes(&self) -> &Bytes {
        &self.plain
    }

    /// What is answered to a request with these headers: what it is, compressed if the client takes that, or only that the client
    /// has it.
    #[must_use]
    pub fn answer(&self, headers: &HeaderMap, media_type: HeaderValue, kept: HeaderValue) -> Response {
        let is_held = is_held(headers, &self.tag);
        let compressed = self.compressed.as_ref().filter(|_| !is_held && takes_gzip(headers));
        let body = match (is_held, compressed) {
            (true, _) => Body::empty(),
            (false, Some(compressed)) => Body::from(compressed.clone()),
            (false, None) => Body::from(self.plain.clone()),
        };
        let mut answer = Response::new(body);
        let told = [
            (header::ETAG, self.tag.clone()),
            (header::CACHE_CONTROL, kept),
            (header::VARY, HeaderValue::from_static("accept-encoding")),
        ];
        answer.headers_mut().extend(told);
        match is_held {
            true => *answer.status_mut() = StatusCode::NOT_MODIFIED,
            false => drop(answer.headers_mut().insert(header::CONTENT_TYPE, media_type)),
        }
        if compressed.is_some() {
            answer.headers_mut().insert(header::CONTENT_ENCODING, GZIP);
        }
        answer
    }
}

fn is_held(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let bare = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let own = bare(tag.to_str().unwrap_or_default());
    accept::members(headers, header::IF_NONE_MATCH).any(|held| held == "*" || bare(held) == own)
}

/// Whether a client takes what is compressed (RFC 9110 12.5.3): what it names itself goes before the star.
pub(crate) fn takes_gzip(headers: &HeaderMap) -> bool {
    let takes = |coding| accept::takes(accept::items(headers, header::ACCEPT_ENCODING), coding);
    takes("gzip").or_else(|| takes("x-gzip")).or_else(|| takes("*")).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use http_body_util::BodyExt;
    use std::io::Read;

    fn headers(lines: &[(&'static str, &str)]) -> HeaderMap {
        lines.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    fn answer(lines: &[(&'static str, &str)]) -> Response {
        let made = Representation::of("a text ".repeat(1000));
        made.answer(&headers(lines), HeaderValue::from_static("text/plain"), HeaderValue::from_static("no-cache"))
    }

    #[tokio::test]
    async fn who_takes_gzip_gets_the_same_bytes_compressed() {
        let compressed = answer(&[("accept-encoding", "br, gzip;q=0.5")]);
        assert_eq!(compressed.headers().get("content-encoding").unwrap(), "gzip");
        let bytes = compressed.into_body().collect().await.unwrap().to_bytes();
        let mut text = String::new();
        GzDecoder::new(bytes.as_ref()).read_to_string(&mut text).unwrap();
        assert_eq!(text, "a text ".repeat(1000));
        assert!(bytes.len() < text.len() / 10);
    }

    #[test]
    fn only_who_takes_gzip_gets_it() {
        let is_compressed =
            |taken: &str| answer(&[("accept-encoding", taken)]).headers().contains_key("content-encoding");
        for taken in ["gzip", "GZIP", "*", "deflate, x-gzip", "gzip;q=0.001", "identity;q=0, *;q=0.3"] {
            assert!(is_compressed(taken), "{taken}");
        }
        for taken in ["", "br", "gzip;q=0", "gzip;q=0, *", "identity", "gzip;q=x", "*;q=0"] {
            assert!(!is_compressed(taken), "{taken}");
        }
        assert!(!answer(&[]).headers().contains_key("content-encoding"));
    }

    #[test]
    fn who_has_it_is_told_so_in_either_form() {
        let tag = answer(&[]).headers().get("etag").unwrap().to_str().unwrap().to_owned();
        let strong = tag.strip_prefix("W/").unwrap();
        for held in [tag.as_str(), strong, "*", &format!("\"x\", {tag}")] {
            let told = answer(&[("if-none-match", held), ("accept-encoding", "gzip")]);
            assert_eq!(told.status(), StatusCode::NOT_MODIFIED, "{held}");
            assert_eq!(told.headers().get("etag").unwrap(), tag.as_str());
            assert!(!told.headers().contains_key("content-type") && !told.headers().contains_key("content-encoding"));
        }
        assert_eq!(answer(&[("if-none-match", "\"x\"")]).status(), StatusCode::OK);
        assert_ne!(Representation::of("other".into()).tag, tag.as_str());
    }
}
