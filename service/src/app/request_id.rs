//! The id of a request: what its caller says, or one of our own. It is in the answer and in every line of the log about it.

use crate::secrets::dice::{self, NoRandomness};
use axum::http::{HeaderMap, HeaderName, HeaderValue};
use rules::limits::REQUEST_ID_BYTES;
use std::sync::atomic::{AtomicU64, Ordering};

/// Where a caller says it, and hears it.
pub const HEADER: HeaderName = HeaderName::from_static("x-request-id");

/// The id of one request: letters, digits, hyphens and dots.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RequestId(Spelling);

/// One of our own is kept as its letters, because a header value of it is needed once at most.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Spelling {
    OfCaller(HeaderValue),
    Ours([u8; 16]),
}

impl RequestId {
    /// The id that a caller gave its request, if it may go into a log as it is. Without an underscore it is none of the
    /// secrets that we hand out, whatever a caller puts into the wrong header.
    #[must_use]
    pub fn of_caller(headers: &HeaderMap) -> Option<Self> {
        let mut all = headers.get_all(HEADER).iter();
        let value = all.next()?;
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.');
        let good = (1..=REQUEST_ID_BYTES).contains(&value.len()) && value.as_bytes().iter().all(plain);
        (good && all.next().is_none()).then(|| Self(Spelling::OfCaller(value.clone())))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        match &self.0 {
            Spelling::OfCaller(value) => value.to_str().unwrap_or_default(),
            Spelling::Ours(letters) => std::str::from_utf8(letters).unwrap_or_default(),
        }
    }

    /// As a header says it.
    #[must_use]
    pub fn into_value(self) -> HeaderValue {
        match self.0 {
            Spelling::OfCaller(value) => value,
            Spelling::Ours(letters) => HeaderValue::from_bytes(&letters).unwrap_or(HeaderValue::from_static("0")),
        }
    }
}

/// Makes ids, no two of them alike. A number that counts up is mixed with what was drawn when the process began: asking the
/// operating system for each would cost more than finding the route, and a bare count would tell everybody how much we have to do.
#[derive(Debug)]
pub struct RequestIds {
    mixed_with: [u64; 2],
    next: AtomicU64,
}

impl RequestIds {
    pub fn new() -> Result<Self, NoRandomness> {
        let drawn = || dice::bytes().map(u64::from_le_bytes);
        Ok(Self { mixed_with: [drawn()?, drawn()?], next: AtomicU64::new(0) })
    }

    /// A number that was not given out before by this process, and most likely by no other.
    #[must_use]
    pub fn number(&self) -> u64 {
        let count = self.next.fetch_add(1, Ordering::Relaxed);
        let [first, second] = self.mixed_with;
        mix(mix(count ^ first) ^ second)
    }

    /// An id that no request of this process had before.
    #[must_use]
    pub fn next(&self) -> RequestId {
        let mut text = [0; 16];
        let number = self.number();
        for (place, digit) in text.iter_mut().enumerate() {
            let four_bits = (number >> (60 - 4 * place)) & 0xf;
            *digit = b"0123456789abcdef".get(four_bits as usize).copied().unwrap_or(b'0');
        }
        RequestId(Spelling::Ours(text))
    }
}

/// Spreads every bit of a number over all of them, and no two numbers to the same one: the last step of SplitMix64.
const fn mix(number: u64) -> u64 {
    let number = (number ^ (number >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ (number >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ (number >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn sent(values: &[&str]) -> Option<String> {
        let values = values.iter().map(|value| (HEADER, HeaderValue::from_bytes(value.as_bytes()).unwrap()));
        RequestId::of_caller(&values.collect()).map(|id| id.as_str().to_owned())
    }

    #[test]
    fn a_plain_id_of_the_caller_is_taken_as_it_is() {
        for good in ["7", "550e8400-e29b-41d4-a716-446655440000", "Root.1-67891233", &"a".repeat(REQUEST_ID_BYTES)] {
            assert_eq!(sent(&[good]).as_deref(), Some(good));
        }
    }

    #[test]
    fn what_is_empty_too_long_sent_twice_or_not_plain_is_not_taken() {
        assert_eq!(sent(&[]), None);
        assert_eq!(sent(&["a", "b"]), None);
        for wrong in ["", &"a".repeat(REQUEST_ID_BYTES + 1), "a b", "a\"b", "a\tb", "né", "{}", "rga_abc_def", "a=b"] {
            assert_eq!(sent(&[wrong]), None, "{wrong}");
        }
    }

    #[test]
    fn no_two_are_alike_in_one_process_and_two_processes_begin_elsewhere() {
        let (one, other) = (RequestIds::new().unwrap(), RequestIds::new().unwrap());
        let made = (0..10_000).flat_map(|_| [one.next(), other.next()]);
        let made: HashSet<String> = made.map(|id| id.as_str().to_owned()).collect();
        assert_eq!(made.len(), 20_000);
        assert!(made.iter().all(|id| id.len() == 16 && id.bytes().all(|byte| byte.is_ascii_hexdigit())));
    }
}
