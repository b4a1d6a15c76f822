//! Content in pieces of one size, and the mark that stands for it in the body of its Binary: its length, and a hash of the
//! hashes of its pieces. So each piece can be held to the body before a byte of it is sent.

use sha2::{Digest, Sha256};

/// Bytes of every piece but the last. A multiple of three, so that the base64 of all is the base64 of each.
pub const PIECE_BYTES: usize = 96 * 1024;

/// As much of a SHA-256 as chance will never hit.
const HASH_BYTES: usize = 16;
const ROOT_BYTES: usize = 32;

/// How a stored Binary ends where it has content. No base64 begins like this, so no sender can say it.
const MARK: &str = ",\"data\":\"#";
const END: &str = "\"}";

/// The length of a content, and the hash of each of its pieces.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Pieces {
    length: u64,
    hashes: Vec<u8>,
}

/// What stands for a content in the body of its Binary.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mark {
    pub length: u64,
    root: [u8; ROOT_BYTES],
}

impl Pieces {
    #[must_use]
    pub fn of(bytes: &[u8]) -> Self {
        let mut pieces = Self::default();
        bytes.chunks(PIECE_BYTES).for_each(|piece| pieces.push(piece));
        pieces
    }

    /// Adds the next piece; only the last may be shorter than the others.
    pub fn push(&mut self, piece: &[u8]) {
        self.length += piece.len() as u64;
        self.hashes.extend(hash(piece));
    }

    /// What was stored beside the pieces, if it is what this mark stands for.
    #[must_use]
    pub fn stored(length: u64, hashes: Vec<u8>, mark: &Mark) -> Option<Self> {
        let pieces = Self { length, hashes };
        let fits = pieces.hashes.len() as u64 == pieces.count() * HASH_BYTES as u64;
        (fits && pieces.mark() == *mark).then_some(pieces)
    }

    #[must_use]
    pub const fn length(&self) -> u64 {
        self.length
    }

    /// The hashes of all pieces, one behind the other.
    #[must_use]
    pub fn hashes(&self) -> &[u8] {
        &self.hashes
    }

    /// How many pieces there are.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.length.div_ceil(PIECE_BYTES as u64)
    }

    /// Whether these bytes are the piece of this number, counted from 0.
    #[must_use]
    pub fn holds(&self, number: u64, piece: &[u8]) -> bool {
        let rest = self.length.saturating_sub(number.saturating_mul(PIECE_BYTES as u64));
        let known = usize::try_from(number).ok().and_then(|number| self.hashes.chunks(HASH_BYTES).nth(number));
        piece.len() as u64 == rest.min(PIECE_BYTES as u64) && known == Some(hash(piece).as_slice())
    }

    #[must_use]
    pub fn mark(&self) -> Mark {
        let root = Sha256::new().chain_update(self.length.to_be_bytes()).chain_update(&self.hashes).finalize();
        Mark { length: self.length, root: root.into() }
    }
}

impl Mark {
    /// The mark as the last member of a body, and the end of the body.
    pub(crate) fn ending(&self) -> String {
        let root: String = self.root.iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{MARK}{}:{root}{END}", self.length)
    }

    fn parse(text: &str) -> Option<Self> {
        let (length, digits) = text.split_once(':')?;
        let mut root = [0; ROOT_BYTES];
        if digits.len() != 2 * ROOT_BYTES || !digits.bytes().all(|digit| digit.is_ascii_hexdigit()) {
            return None;
        }
        for (at, byte) in root.iter_mut().enumerate() {
            *byte = u8::from_str_radix(digits.get(2 * at..2 * at + 2)?, 16).ok()?;
        }
        Some(Self { length: length.parse().ok()?, root })
    }
}

/// A stored body without its mark, and the mark, if it has one.
#[must_use]
pub fn apart(body: &str) -> (String, Option<Mark>) {
    let marked = body.strip_suffix(END).and_then(|body| body.rsplit_once(MARK));
    match marked.and_then(|(rest, mark)| Some((rest, Mark::parse(mark)?))) {
        Some((rest, mark)) => (format!("{rest}}}"), Some(mark)),
        None => (body.to_owned(), None),
    }
}

fn hash(piece: &[u8]) -> [u8; HASH_BYTES] {
    let whole: [u8; 32] = Sha256::digest(piece).into();
    let mut start = [0; HASH_BYTES];
    start.iter_mut().zip(whole).for_each(|(to, from)| *to = from);
    start
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(length: usize) -> Vec<u8> {
        (0..length).map(|n| u8::try_from(n % 251).unwrap()).collect()
    }

    #[test]
    fn a_mark_stands_for_one_content_and_is_taken_out_of_a_body_again() {
        let lengths = [1, PIECE_BYTES - 1, PIECE_BYTES, PIECE_BYTES + 1, 3 * PIECE_BYTES + 7];
        for length in lengths {
            let pieces = Pieces::of(&bytes(length));
            let body = format!("{{\"resourceType\":\"Binary\"{}", pieces.mark().ending());
            let (rest, mark) = apart(&body);
            assert_eq!((rest.as_str(), mark), ("{\"resourceType\":\"Binary\"}", Some(pieces.mark())));
            let mark = mark.unwrap();
            assert_eq!(mark.length, length as u64);
            let stored = Pieces::stored(mark.length, pieces.hashes().to_vec(), &mark);
            assert_eq!(stored, Some(pieces.clone()));
            assert_eq!(Pieces::stored(mark.length + 1, pieces.hashes().to_vec(), &mark), None);
            let mut others = pieces.hashes().to_vec();
            others[0] ^= 1;
            assert_eq!(Pieces::stored(mark.length, others, &mark), None);
        }
    }

    #[test]
    fn a_piece_is_held_to_its_bytes_its_length_and_its_place() {
        let whole = bytes(2 * PIECE_BYTES + 5);
        let pieces = Pieces::of(&whole);
        assert_eq!(pieces.count(), 3);
        let each: Vec<&[u8]> = whole.chunks(PIECE_BYTES).collect();
        for (number, piece) in each.iter().enumerate() {
            assert!(pieces.holds(number as u64, piece));
            assert!(!pieces.holds(number as u64 + 1, piece) && !pieces.holds(u64::MAX, piece));
            let mut flipped = piece.to_vec();
            flipped[0] ^= 1;
            assert!(!pieces.holds(number as u64, &flipped) && !pieces.holds(number as u64, &piece[1..]));
        }
    }

    #[test]
    fn what_is_no_mark_at_the_very_end_is_none() {
        let mark = Pieces::of(b"hi").mark().ending();
        for body in [
            "{}".to_owned(),
            format!("{{\"extension\":[{{\"url\":\"x\"{mark}]}}"),
            format!("{{\"securityContext\":{{\"reference\":\"x\"{mark}}}"),
            "{\"a\":1,\"data\":\"#2:zz\"}".to_owned(),
            "{\"a\":1,\"data\":\"aGk=\"}".to_owned(),
        ] {
            assert_eq!(apart(&body), (body, None));
        }
    }
}
