//! A request's body as it was before its sender packed it (`Content-Encoding`): gzip and deflate. It is unpacked as it comes, a little
//! at a time, so that nothing which unpacks to more than may be sent is ever held.

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, header};
use flate2::write::{DeflateDecoder, GzDecoder, ZlibDecoder};
use hyper::body::Frame;
use std::io::{self, Write};
use std::pin::Pin;
use std::task::{Context, Poll};

/// Packed bytes that are unpacked at once: each can become a thousand.
const STEP: usize = 512;

/// How a body is packed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Coding {
    Gzip,
    Deflate,
}

/// A body that is not packed as its sender says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the body is not packed as Content-Encoding says")]
pub(crate) struct NotPacked;

/// The codings of a body, in the order in which they were applied; `None` where one of them is not known.
fn coding(headers: &HeaderMap) -> Option<Option<Coding>> {
    let mut found = None;
    for value in headers.get_all(header::CONTENT_ENCODING) {
        for word in value.to_str().ok()?.split(',').map(str::trim).filter(|word| !word.is_empty()) {
            let one = match word.to_ascii_lowercase().as_str() {
                "identity" => continue,
                "gzip" | "x-gzip" => Coding::Gzip,
                "deflate" => Coding::Deflate,
                _ => return None,
            };
            // One inside of another is nobody's need, and the way to make much of little.
            if found.replace(one).is_some() {
                return None;
            }
        }
    }
    Some(found)
}

/// Whether a body that is packed as these headers say can be read.
pub(crate) fn is_known(headers: &HeaderMap) -> bool {
    coding(headers).is_some()
}

/// The body as it was before it was packed.
pub(crate) fn unpacked(headers: &HeaderMap, body: Body) -> Body {
    match coding(headers).flatten() {
        Some(coding) => Body::new(UnpackedBody { body, coding, packed: Bytes::new(), unpacking: None, is_over: false }),
        None => body,
    }
}

struct UnpackedBody {
    body: Body,
    coding: Coding,
    /// What has come and is not unpacked yet.
    packed: Bytes,
    /// Nothing before the first byte has come.
    unpacking: Option<Unpacking>,
    is_over: bool,
}

enum Unpacking {
    Gzip(GzDecoder<Vec<u8>>),
    Zlib(ZlibDecoder<Vec<u8>>),
    /// Deflate without what RFC 9110 has around it, as some senders understand it.
    Bare(DeflateDecoder<Vec<u8>>),
}

impl Unpacking {
    fn of(coding: Coding, first: u8) -> Self {
        match coding {
            Coding::Gzip => Self::Gzip(GzDecoder::new(Vec::new())),
            // The method of zlib is in the lower half of its first byte.
            Coding::Deflate if first & 0x0f == 8 => Self::Zlib(ZlibDecoder::new(Vec::new())),
            Coding::Deflate => Self::Bare(DeflateDecoder::new(Vec::new())),
        }
    }

    fn take(&mut self, packed: &[u8]) -> io::Result<Vec<u8>> {
        Ok(match self {
            Self::Gzip(decoder) => {
                decoder.write_all(packed)?;
                std::mem::take(decoder.get_mut())
            }
            Self::Zlib(decoder) => {
                decoder.write_all(packed)?;
                std::mem::take(decoder.get_mut())
            }
            Self::Bare(decoder) => {
                decoder.write_all(packed)?;
                std::mem::take(decoder.get_mut())
            }
        })
    }

    fn finish(&mut self) -> io::Result<Vec<u8>> {
        Ok(match self {
            Self::Gzip(decoder) => {
                decoder.try_finish()?;
                std::mem::take(decoder.get_mut())
            }
            Self::Zlib(decoder) => {
                decoder.try_finish()?;
                std::mem::take(decoder.get_mut())
            }
            Self::Bare(decoder) => {
                decoder.try_finish()?;
                std::mem::take(decoder.get_mut())
            }
        })
    }
}

impl UnpackedBody {
    /// The next bytes that come of what there is to unpack; nothing where more is needed.
    fn step(&mut self) -> io::Result<Vec<u8>> {
        let step = self.packed.split_to(STEP.min(self.packed.len()));
        let Some(first) = step.first() else { return Ok(Vec::new()) };
        self.unpacking.get_or_insert_with(|| Unpacking::of(self.coding, *first)).take(&step)
    }
}

impl HttpBody for UnpackedBody {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        loop {
            while !self.packed.is_empty() {
                match self.step() {
                    Err(_) => return Poll::Ready(Some(Err(NotPacked.into()))),
                    Ok(bytes) if bytes.is_empty() => {}
                    Ok(bytes) => return Poll::Ready(Some(Ok(Frame::data(bytes.into())))),
                }
            }
            if self.is_over {
                return Poll::Ready(None);
            }
            match std::task::ready!(Pin::new(&mut self.body).poll_frame(context)) {
                Some(Ok(frame)) => self.packed = frame.into_data().unwrap_or_default(),
                Some(Err(error)) => return Poll::Ready(Some(Err(error.into()))),
                None => {
                    self.is_over = true;
                    let last = self.unpacking.as_mut().map_or(Ok(Vec::new()), Unpacking::finish);
                    return match last {
                        Err(_) => Poll::Ready(Some(Err(NotPacked.into()))),
                        Ok(bytes) if bytes.is_empty() => Poll::Ready(None),
                        Ok(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes.into())))),
                    };
                }
            }
        }
    }

    fn is_end_stream(&self) -> bool {
        self.packed.is_empty() && (self.is_over || (self.unpacking.is_none() && self.body.is_end_stream()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use axum::http::HeaderValue;
    use flate2::Compression;
    use flate2::write::{DeflateEncoder, GzEncoder, ZlibEncoder};
    use http_body_util::BodyExt;

    fn headers(coding: &'static str) -> HeaderMap {
        [(header::CONTENT_ENCODING, HeaderValue::from_static(coding))].into_iter().collect()
    }

    fn text() -> Vec<u8> {
        (0..200_000_u32).flat_map(|number| number.to_string().into_bytes()).collect()
    }

    async fn read(coding: &'static str, packed: Vec<u8>) -> Result<Vec<u8>, axum::Error> {
        let body = unpacked(&headers(coding), Body::from(packed));
        body.collect().await.map(|all| all.to_bytes().to_vec())
    }

    #[tokio::test]
    async fn what_was_packed_comes_out_as_it_was() {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&text()).unwrap();
        let gzip = gzip.finish().unwrap();
        let mut zlib = ZlibEncoder::new(Vec::new(), Compression::default());
        zlib.write_all(&text()).unwrap();
        let mut bare = DeflateEncoder::new(Vec::new(), Compression::default());
        bare.write_all(&text()).unwrap();
        assert_eq!(read("gzip", gzip.clone()).await.unwrap(), text());
        assert_eq!(read("X-GZIP", gzip).await.unwrap(), text());
        assert_eq!(read("deflate", zlib.finish().unwrap()).await.unwrap(), text());
        assert_eq!(read("deflate", bare.finish().unwrap()).await.unwrap(), text());
        assert_eq!(read("identity", text()).await.unwrap(), text());
    }

    #[tokio::test]
    async fn what_is_not_packed_as_it_says_or_broke_off_is_told() {
        let mut gzip = GzEncoder::new(Vec::new(), Compression::default());
        gzip.write_all(&text()).unwrap();
        let mut broken = gzip.finish().unwrap();
        broken.truncate(broken.len() / 2);
        for (coding, sent) in [("gzip", b"{}".to_vec()), ("gzip", broken), ("deflate", b"\x78\x9cno".to_vec())] {
            let error = read(coding, sent).await.unwrap_err();
            let source = std::error::Error::source(&error).unwrap();
            assert!(source.is::<NotPacked>(), "{coding}: {error}");
        }
    }

    #[tokio::test]
    async fn a_little_that_becomes_much_comes_in_small_pieces() {
        let mut bomb = GzEncoder::new(Vec::new(), Compression::best());
        bomb.write_all(&vec![0; 50 << 20]).unwrap();
        let bomb = bomb.finish().unwrap();
        assert!(bomb.len() < 100_000);
        let mut body = unpacked(&headers("gzip"), Body::from(bomb));
        while let Some(frame) = body.frame().await {
            let piece = frame.unwrap().into_data().unwrap();
            assert!(piece.len() <= 1 << 20, "{}", piece.len());
        }
    }

    #[test]
    fn codings_that_are_not_read_are_known_as_such() {
        for known in ["gzip", "deflate", "identity", "", "identity, gzip"] {
            assert!(is_known(&headers(known)), "{known}");
        }
        for unknown in ["br", "zstd", "gzip, gzip", "deflate, gzip", "gzip, br"] {
            assert!(!is_known(&headers(unknown)), "{unknown}");
        }
    }
}
