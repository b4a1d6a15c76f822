//! Bodies as they are stored: what FHIR resources have in common is told by where it stands in a list of phrases, what a body has
//! said before by where it said it, and a UUID by its number. The rest stays as it is written, and all of it stays text.
//!
//! JSON has no control characters, so they can tell what is packed: `\u{1}` is the first of a packed body; a copy of a phrase, a copy
//! of what is before, and a UUID begin with one of their own. Numbers are digits from `\u{e}` to `\u{7f}`, so that a body stays one line.

use std::borrow::Cow;
use std::sync::LazyLock;

/// The phrases that resources share, one to a line. What is stored refers to their places, so they never change.
const PHRASES: &str = include_str!("phrases.txt");

const PACKED: u8 = 1;
const PHRASE: u8 = 2;
const BEFORE: u8 = 3;
const UUID: u8 = 4;

/// The digits of numbers, and the first of them.
const BASE: usize = 114;
const ZERO: u8 = 14;
/// What a copy is long at least: it is told by four bytes.
const LEAST: usize = 6;
const MOST: usize = LEAST + BASE - 1;
/// As far back as a copy can be.
const FAR: usize = BASE * BASE - 1;
const UUID_TEXT: usize = 36;
const UUID_DIGITS: usize = 19;
const UUID_BASE: u128 = BASE as u128;
/// As many digits as a small number holds, and what so many digits count to.
const UUID_PART_DIGITS: usize = 9;
const UUID_PART_BASE: u64 = BASE as u64;
const UUID_PART: u128 = UUID_BASE.pow(9);
/// Phrases that begin alike and are tried, at most.
const TRIES: usize = 24;
const BUCKETS: usize = 4_096;
/// A longer body stays as it is: most of it is content of its own, and whoever writes next waits while it is packed.
const LONGEST: usize = 64 * 1024;

struct Phrases {
    text: Vec<u8>,
    /// For each bucket the places of phrases that begin so.
    places: Vec<Vec<u16>>,
}

static SHARED: LazyLock<Phrases> = LazyLock::new(|| {
    let text: Vec<u8> = PHRASES.bytes().filter(|byte| *byte != b'\n').collect();
    let mut places = vec![Vec::new(); BUCKETS];
    for (place, start) in (0_u16..).zip(text.windows(LEAST)) {
        if let Some(bucket) = places.get_mut(bucket(start)) {
            bucket.push(place);
        }
    }
    Phrases { text, places }
});

fn bucket(start: &[u8]) -> usize {
    let number = start.iter().take(LEAST).fold(0_u64, |number, byte| (number << 8) | u64::from(*byte));
    usize::try_from(number.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 52).unwrap_or_default()
}

/// A body as it is stored; as it is, where that is shorter, or it is long.
pub(crate) fn pack(body: &str) -> Cow<'_, str> {
    let is_of_length = (LEAST..=LONGEST).contains(&body.len());
    if !is_of_length || body.bytes().any(|byte| byte <= UUID) {
        return Cow::Borrowed(body);
    }
    let packed = Packing::of(body).all();
    match String::from_utf8(packed) {
        Ok(packed) if packed.len() < body.len() => Cow::Owned(packed),
        _ => Cow::Borrowed(body),
    }
}

/// The body that was packed. What was not, or is damaged, stays as it is: a damaged one has another hash than the body had.
pub(crate) fn unpack(stored: String) -> String {
    let Some(packed) = stored.as_bytes().strip_prefix(&[PACKED]) else { return stored };
    match unpacked(packed).map(String::from_utf8) {
        Some(Ok(body)) => body,
        _ => stored,
    }
}

struct Packing<'b> {
    body: &'b str,
    at: usize,
    /// From where on the body is not yet told.
    rest: usize,
    /// Where the body began so, last; the first place is 1.
    seen: Vec<u32>,
    packed: Vec<u8>,
}

impl<'b> Packing<'b> {
    fn of(body: &'b str) -> Self {
        let mut packed = Vec::with_capacity(body.len() / 2);
        packed.push(PACKED);
        Self { body, at: 0, rest: 0, seen: vec![0; BUCKETS], packed }
    }

    fn all(mut self) -> Vec<u8> {
        while let Some(left) = self.body.as_bytes().get(self.at..).filter(|left| left.len() >= LEAST) {
            if let Some(number) = uuid(left) {
                self.tell(UUID_TEXT, UUID);
                let digits = (0..UUID_DIGITS).scan(number, |number, _| {
                    let value = usize::try_from(*number % UUID_BASE).unwrap_or_default();
                    *number /= UUID_BASE;
                    Some(digit(value))
                });
                self.packed.extend(digits);
                continue;
            }
            match self.copy(left) {
                Some((kind, place, length)) => {
                    self.tell(length, kind);
                    self.packed.extend([digit(place / BASE), digit(place % BASE), digit(length - LEAST)]);
                }
                None => self.at += 1,
            }
        }
        self.literal(self.body.len());
        self.packed
    }

    /// Tells what is before here as it is, and that so much follows in another way.
    fn tell(&mut self, length: usize, kind: u8) {
        self.literal(self.at);
        self.packed.push(kind);
        self.at += length;
        self.rest = self.at;
    }

    fn literal(&mut self, until: usize) {
        self.packed.extend_from_slice(self.body.as_bytes().get(self.rest..until).unwrap_or_default());
    }

    /// The longest copy that begins here: of which kind, from where, and how long.
    fn copy(&mut self, left: &[u8]) -> Option<(u8, usize, usize)> {
        let bucket = bucket(left);
        let seen = self.seen.get_mut(bucket)?;
        let before = usize::try_from(std::mem::replace(seen, u32::try_from(self.at + 1).ok()?)).ok()?;
        if !self.body.is_char_boundary(self.at) {
            return None;
        }
        let body = self.body.as_bytes();
        let distance = before.checked_sub(1).map(|before| self.at - before).filter(|far| *far <= FAR);
        let own = distance.map(|far| (BEFORE, far, alike(body.get(self.at - far..).unwrap_or_default(), left)));
        let shared = SHARED.places.get(bucket)?.iter().take(TRIES).map(|place| {
            let place = usize::from(*place);
            (PHRASE, place, alike(SHARED.text.get(place..).unwrap_or_default(), left))
        });
        let (kind, place, mut length) = shared.chain(own).max_by_key(|(_, _, length)| *length)?;
        while length > 0 && !self.body.is_char_boundary(self.at + length) {
            length -= 1;
        }
        (length >= LEAST).then_some((kind, place, length))
    }
}

/// How far two begin alike.
fn alike(one: &[u8], other: &[u8]) -> usize {
    one.iter().zip(other).take(MOST).take_while(|(one, other)| one == other).count()
}

fn digit(value: usize) -> u8 {
    u8::try_from(value).unwrap_or_default().saturating_add(ZERO)
}

/// The number of the UUID that a text begins with, in the form in which UUIDs are mostly written.
fn uuid(text: &[u8]) -> Option<u128> {
    if text.get(8) != Some(&b'-') || text.get(13) != Some(&b'-') {
        return None;
    }
    let mut number = 0_u128;
    for (at, byte) in text.get(..UUID_TEXT)?.iter().enumerate() {
        let digit = match byte {
            b'-' if matches!(at, 8 | 13 | 18 | 23) => continue,
            _ if matches!(at, 8 | 13 | 18 | 23) => return None,
            b'0'..=b'9' => byte - b'0',
            b'a'..=b'f' => byte - b'a' + 10,
            _ => return None,
        };
        number = (number << 4) | u128::from(digit);
    }
    Some(number)
}

fn unpacked(mut packed: &[u8]) -> Option<Vec<u8>> {
    let mut body = Vec::with_capacity(packed.len() * 4);
    loop {
        let literal = packed.iter().position(|byte| *byte <= UUID).unwrap_or(packed.len());
        let (told, rest) = packed.split_at_checked(literal)?;
        body.extend_from_slice(told);
        let Some((kind, rest)) = rest.split_first() else { return Some(body) };
        packed = if *kind == UUID {
            let (digits, rest) = rest.split_at_checked(UUID_DIGITS)?;
            write_uuid(digits, &mut body)?;
            rest
        } else {
            let (digits, rest) = rest.split_at_checked(3)?;
            copy(*kind, digits, &mut body)?;
            rest
        };
    }
}

fn copy(kind: u8, digits: &[u8], body: &mut Vec<u8>) -> Option<()> {
    let [high, low, length] = digits else { return None };
    let value = |digit: &u8| digit.checked_sub(ZERO).map(usize::from);
    let (place, length) = (value(high)? * BASE + value(low)?, value(length)? + LEAST);
    match kind {
        PHRASE => body.extend_from_slice(SHARED.text.get(place..place + length)?),
        BEFORE => {
            let from = body.len().checked_sub(place).filter(|_| place > 0)?;
            if length <= place {
                body.extend_from_within(from..from + length);
            } else {
                // It goes on with what it has just written.
                for at in from..from + length {
                    body.push(*body.get(at)?);
                }
            }
        }
        _ => return None,
    }
    Some(())
}

fn write_uuid(digits: &[u8], body: &mut Vec<u8>) -> Option<()> {
    // As many digits at a time as a small number holds, because large ones are slow.
    let part = |part: &[u8]| {
        let value = |number: u64, digit: &u8| Some(number * UUID_PART_BASE + u64::from(digit.checked_sub(ZERO)?));
        part.iter().rev().try_fold(0, value).map(u128::from)
    };
    let number = digits
        .chunks(UUID_PART_DIGITS)
        .rev()
        .try_fold(0_u128, |number, digits| number.checked_mul(UUID_PART)?.checked_add(part(digits)?))?;
    for (at, byte) in number.to_be_bytes().into_iter().enumerate() {
        if matches!(at, 4 | 6 | 8 | 10) {
            body.push(b'-');
        }
        body.extend([hexadecimal(byte >> 4), hexadecimal(byte & 15)]);
    }
    Some(())
}

const fn hexadecimal(digit: u8) -> u8 {
    if digit < 10 { b'0' + digit } else { b'a' + digit - 10 }
}

#[cfg(test)]
#[path = "packing_tests.rs"]
mod tests;
