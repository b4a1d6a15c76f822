//! What is made once and given to whoever asks: its bytes, the same compressed, and the tag by which a client knows that it has them.

use crate::formats::accept;
use crate::formats::answer_coding::{AnswerCoding, Effort};
use axum::body::{Body, Bytes};
use axum::http::{HeaderMap, HeaderValue, StatusCode, header};
use axum::response::Response;
use sha2::{Digest, Sha256};

/// As much of a SHA-256 as chance will never hit.
const TAG_BYTES: usize = 16;

#[derive(Clone, Debug)]
pub struct Representation {
    plain: Bytes,
    /// Nothing where it could not be compressed so.
    zstd: Option<Bytes>,
    gzip: Option<Bytes>,
    tag: HeaderValue,
}

impl Representation {
    #[must_use]
    pub fn of(text: String) -> Self {
        let packed = |coding: AnswerCoding| coding.packed(text.as_bytes(), Effort::Thorough).ok().map(Bytes::from);
        let (zstd, gzip) = (packed(AnswerCoding::Zstd), packed(AnswerCoding::Gzip));
        let hash: [u8; 32] = Sha256::digest(text.as_bytes()).into();
        let hash: String = hash.iter().take(TAG_BYTES).map(|byte| format!("{byte:02x}")).collect();
        // Of the meaning and not of the bytes, because compressed it is the same.
        let tag = HeaderValue::try_from(format!("W/\"{hash}\"")).unwrap_or(HeaderValue::from_static("W/\"\""));
        Self { plain: text.into(), zstd, gzip, tag }
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
        let packed = AnswerCoding::wanted(headers).filter(|_| !is_held).and_then(|coding| {
            let packed = match coding {
                AnswerCoding::Zstd => &self.zstd,
                AnswerCoding::Gzip => &self.gzip,
            };
            packed.clone().map(|packed| (coding, packed))
        });
        let coding = packed.as_ref().map(|(coding, _)| coding.name());
        let body = match (is_held, packed) {
            (true, _) => Body::empty(),
            (false, Some((_, packed))) => Body::from(packed),
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
        if let Some(coding) = coding {
            answer.headers_mut().insert(header::CONTENT_ENCODING, coding);
        }
        answer
    }
}

fn is_held(headers: &HeaderMap, tag: &HeaderValue) -> bool {
    let bare = |tag: &str| tag.strip_prefix("W/").unwrap_or(tag).to_owned();
    let own = bare(tag.to_str().unwrap_or_default());
    accept::members(headers, header::IF_NONE_MATCH).any(|held| held == "*" || bare(held) == own)
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
    async fn who_takes_it_packed_gets_the_same_bytes_so() {
        for (taken, coding) in [("br, gzip;q=0.5", "gzip"), ("gzip, zstd", "zstd"), ("zstd;q=0.5, gzip", "gzip")] {
            let packed = answer(&[("accept-encoding", taken)]);
            assert_eq!(packed.headers().get("content-encoding").unwrap(), coding);
            assert_eq!(packed.headers().get("vary").unwrap(), "accept-encoding");
            let bytes = packed.into_body().collect().await.unwrap().to_bytes();
            let mut text = String::new();
            match coding {
                "zstd" => text = String::from_utf8(zstd::decode_all(bytes.as_ref()).unwrap()).unwrap(),
                _ => drop(GzDecoder::new(bytes.as_ref()).read_to_string(&mut text).unwrap()),
            }
            assert_eq!(text, "a text ".repeat(1000));
            assert!(bytes.len() < text.len() / 10);
        }
        for taken in ["", "br", "gzip;q=0", "identity"] {
            assert!(!answer(&[("accept-encoding", taken)]).headers().contains_key("content-encoding"), "{taken}");
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
