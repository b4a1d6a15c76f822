//! How an answer is packed for a client that takes it so (`Accept-Encoding`): with zstd or gzip, at once or piece by piece.

use crate::formats::accept;
use axum::http::{HeaderMap, HeaderValue, header};
use flate2::Compression;
use flate2::write::GzEncoder;
use std::io::{Result, Write};

/// What takes longer packs little better: on records, the first level of zstd makes three quarters of what gzip makes, in half the
/// time.
const QUICK_ZSTD: i32 = 1;
const THOROUGH_ZSTD: i32 = 9;

/// A content coding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum AnswerCoding {
    Zstd,
    Gzip,
}

/// How much time there is for it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Somebody waits.
    Quick,
    /// It is made once and sent often.
    Thorough,
}

impl AnswerCoding {
    /// The coding that a client wants most (RFC 9110 12.5.3), zstd of two that it wants alike; `None` where it takes neither or
    /// rather has the answer as it is. What it names itself goes before the star, which is taken for gzip: that is what whoever
    /// takes anything has always been sent.
    #[must_use]
    pub fn wanted(headers: &HeaderMap) -> Option<Self> {
        let weight = |name| accept::weight(accept::items(headers, header::ACCEPT_ENCODING), name);
        let gzip = weight("gzip").or_else(|| weight("x-gzip")).or_else(|| weight("*")).unwrap_or(0);
        let zstd = weight("zstd").unwrap_or(0);
        let (coding, most) = if zstd >= gzip { (Self::Zstd, zstd) } else { (Self::Gzip, gzip) };
        (most > 0 && most >= weight("identity").unwrap_or(0)).then_some(coding)
    }

    /// As `Content-Encoding` names it.
    #[must_use]
    pub const fn name(self) -> HeaderValue {
        match self {
            Self::Zstd => HeaderValue::from_static("zstd"),
            Self::Gzip => HeaderValue::from_static("gzip"),
        }
    }

    /// A whole answer, packed.
    pub fn packed(self, plain: &[u8], effort: Effort) -> Result<Vec<u8>> {
        let mut packer = StreamPacker::new(self, effort)?;
        packer.write(plain)?;
        packer.finish()
    }
}

/// Packs an answer that comes piece by piece, so that each leaves as it comes.
pub enum StreamPacker {
    Zstd(zstd::stream::write::Encoder<'static, Vec<u8>>),
    Gzip(GzEncoder<Vec<u8>>),
}

impl std::fmt::Debug for StreamPacker {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Zstd(_) => "StreamPacker(zstd)",
            Self::Gzip(_) => "StreamPacker(gzip)",
        })
    }
}

impl StreamPacker {
    pub fn new(coding: AnswerCoding, effort: Effort) -> Result<Self> {
        Ok(match (coding, effort) {
            (AnswerCoding::Zstd, Effort::Quick) => Self::Zstd(zstd::Encoder::new(Vec::new(), QUICK_ZSTD)?),
            (AnswerCoding::Zstd, Effort::Thorough) => Self::Zstd(zstd::Encoder::new(Vec::new(), THOROUGH_ZSTD)?),
            (AnswerCoding::Gzip, Effort::Quick) => Self::Gzip(GzEncoder::new(Vec::new(), Compression::fast())),
            (AnswerCoding::Gzip, Effort::Thorough) => Self::Gzip(GzEncoder::new(Vec::new(), Compression::default())),
        })
    }

    fn write(&mut self, plain: &[u8]) -> Result<()> {
        match self {
            Self::Zstd(encoder) => encoder.write_all(plain),
            Self::Gzip(encoder) => encoder.write_all(plain),
        }
    }

    /// What comes of the next piece: who unpacks it has all of it.
    pub fn push(&mut self, plain: &[u8]) -> Result<Vec<u8>> {
        self.write(plain)?;
        Ok(match self {
            Self::Zstd(encoder) => {
                encoder.flush()?;
                std::mem::take(encoder.get_mut())
            }
            Self::Gzip(encoder) => {
                encoder.flush()?;
                std::mem::take(encoder.get_mut())
            }
        })
    }

    /// The last bytes.
    pub fn finish(self) -> Result<Vec<u8>> {
        match self {
            Self::Zstd(encoder) => encoder.finish(),
            Self::Gzip(encoder) => encoder.finish(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::read::GzDecoder;
    use std::io::Read;

    fn wanted(taken: &[&str]) -> Option<AnswerCoding> {
        AnswerCoding::wanted(&taken.iter().map(|value| (header::ACCEPT_ENCODING, value.parse().unwrap())).collect())
    }

    fn unpacked(coding: AnswerCoding, packed: &[u8]) -> Vec<u8> {
        match coding {
            AnswerCoding::Zstd => zstd::decode_all(packed).unwrap(),
            AnswerCoding::Gzip => {
                let mut plain = Vec::new();
                GzDecoder::new(packed).read_to_end(&mut plain).unwrap();
                plain
            }
        }
    }

    #[test]
    fn what_a_client_wants_most_is_what_it_gets() {
        for taken in
            ["zstd", "ZSTD", "gzip, zstd", "zstd, gzip", "br;q=1, zstd;q=0.3, gzip;q=0.2", "zstd;q=0.5, *;q=0.5"]
        {
            assert_eq!(wanted(&[taken]), Some(AnswerCoding::Zstd), "{taken}");
        }
        for taken in [
            "gzip",
            "GZIP",
            "*",
            "deflate, x-gzip",
            "gzip;q=0.001",
            "identity;q=0, *;q=0.3",
            "zstd;q=0.9, gzip",
            "zstd;q=0, *",
            "zstd;q=x, gzip;q=0.1",
            "br, gzip;q=0.5",
        ] {
            assert_eq!(wanted(&[taken]), Some(AnswerCoding::Gzip), "{taken}");
        }
        for taken in [
            "",
            "br",
            "gzip;q=0",
            "gzip;q=0, *",
            "identity",
            "gzip;q=x",
            "*;q=0",
            "zstd;q=0",
            "identity, gzip;q=0.5, zstd;q=0.9",
        ] {
            assert_eq!(wanted(&[taken]), None, "{taken}");
        }
        assert_eq!(wanted(&["gzip;q=0.5", "zstd;q=0.6"]), Some(AnswerCoding::Zstd), "in two headers as in one");
        assert_eq!(wanted(&[]), None);
    }

    #[test]
    fn what_is_packed_comes_out_as_it_was() {
        let plain = "a record ".repeat(20_000).into_bytes();
        for coding in [AnswerCoding::Zstd, AnswerCoding::Gzip] {
            for effort in [Effort::Quick, Effort::Thorough] {
                let packed = coding.packed(&plain, effort).unwrap();
                assert!(packed.len() < plain.len() / 20, "{coding:?} {effort:?}: {}", packed.len());
                assert_eq!(unpacked(coding, &packed), plain, "{coding:?} {effort:?}");
            }
        }
    }

    #[test]
    fn each_piece_of_a_stream_can_be_read_when_it_has_come() {
        for coding in [AnswerCoding::Zstd, AnswerCoding::Gzip] {
            let mut packer = StreamPacker::new(coding, Effort::Quick).unwrap();
            let mut sent = packer.push(b"first\n").unwrap();
            let mut read = [0; 6];
            match coding {
                AnswerCoding::Zstd => zstd::Decoder::new(sent.as_slice()).unwrap().read_exact(&mut read).unwrap(),
                AnswerCoding::Gzip => GzDecoder::new(sent.as_slice()).read_exact(&mut read).unwrap(),
            }
            assert_eq!(&read, b"first\n", "{coding:?}");
            sent.extend(packer.push(b"second\n").unwrap());
            sent.extend(packer.finish().unwrap());
            assert_eq!(unpacked(coding, &sent), b"first\nsecond\n");
        }
    }
}
