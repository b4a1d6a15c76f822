//! How a line is written down: a length, and then only what the line says, in a fixed order. About forty bytes for most.
//!
//! What is written is hashed and kept for years. So a form that was ever written is read for ever: a later one may use
//! further marks and numbers of events, and changes none.

use super::event::Event;
use super::line::{About, Line};
use crate::error::{Error, Result};
use rules::moment::Moment;
use rules::reach::Right;

/// The bytes of a line's length, before it.
pub(crate) const LENGTH: usize = 2;
/// Texts beyond this are cut: a line says what happened, it is no place to keep things.
const LONGEST_TEXT: usize = 2048;

/// Which parts a line has, as bits.
mod parts {
    pub(super) const SESSION: u16 = 1;
    pub(super) const CLIENT: u16 = 1 << 1;
    pub(super) const USER: u16 = 1 << 2;
    pub(super) const TEAM: u16 = 1 << 3;
    pub(super) const ORGANISATION: u16 = 1 << 4;
    pub(super) const PATIENT: u16 = 1 << 5;
    pub(super) const TIMES: u16 = 1 << 6;
    pub(super) const RIGHT: u16 = 1 << 7;
    pub(super) const DETAIL: u16 = 1 << 8;
    pub(super) const OPERATOR: u16 = 1 << 9;
    pub(super) const ALL: u16 = (1 << 10) - 1;
}

/// Writes a line, with its length before it.
pub(crate) fn write(line: &Line, to: &mut Vec<u8>) {
    let begin = to.len();
    to.extend([0; LENGTH]);
    to.push(line.event.number());
    let marks_at = to.len();
    to.extend([0; 2]);
    number(to, line.at.0);
    let about = &line.about;
    let numbers = [
        (parts::SESSION, line.session.map(|id| id.0)),
        (parts::CLIENT, about.client.map(|id| id.0)),
        (parts::USER, about.user.map(|id| id.0)),
        (parts::TEAM, about.team.map(|id| id.0)),
        (parts::ORGANISATION, about.organisation.map(|id| id.0)),
        (parts::PATIENT, about.patient.map(|id| id.0)),
        (parts::TIMES, Some(line.times).filter(|times| *times != 1)),
    ];
    let mut marks = 0;
    for (mark, value) in numbers {
        if let Some(value) = value {
            marks |= mark;
            number(to, value);
        }
    }
    if let Some(right) = line.right {
        marks |= parts::RIGHT;
        to.push(u8::try_from(right.number()).unwrap_or_default());
    }
    for (mark, value) in [(parts::DETAIL, line.detail.as_deref()), (parts::OPERATOR, line.operator.as_deref())] {
        if let Some(value) = value {
            marks |= mark;
            text(to, value);
        }
    }
    put(to, marks_at, marks);
    let length = to.len() - begin - LENGTH;
    put(to, begin, u16::try_from(length).unwrap_or(u16::MAX));
}

fn number(to: &mut Vec<u8>, value: i64) {
    to.extend(value.to_le_bytes());
}

fn text(to: &mut Vec<u8>, value: &str) {
    let end = (0..=value.len().min(LONGEST_TEXT)).rev().find(|end| value.is_char_boundary(*end)).unwrap_or_default();
    let value = value.get(..end).unwrap_or_default();
    to.extend(u16::try_from(value.len()).unwrap_or_default().to_le_bytes());
    to.extend(value.as_bytes());
}

fn put(to: &mut [u8], at: usize, value: u16) {
    if let Some(place) = to.get_mut(at..at + 2) {
        place.copy_from_slice(&value.to_le_bytes());
    }
}

/// The lines of a text of many, each as it is written, its length included.
pub(crate) fn each(mut written: &[u8]) -> impl Iterator<Item = Result<&[u8]>> {
    std::iter::from_fn(move || {
        let length = written.first_chunk::<LENGTH>()?;
        let whole = LENGTH + usize::from(u16::from_le_bytes(*length));
        let Some((line, rest)) = written.split_at_checked(whole) else {
            written = &[];
            return Some(Err(torn()));
        };
        written = rest;
        Some(Ok(line))
    })
}

/// Reads one line, as `each` gives it.
pub(crate) fn read(written: &[u8]) -> Result<Line> {
    let mut rest = Rest(written.get(LENGTH..).ok_or_else(torn)?);
    let event = rest.byte()?;
    let event = Event::numbered(event)
        .ok_or_else(|| Error::Impossible(format!("a line of the ledger tells of an event {event}")))?;
    let marks = rest.short()?;
    if marks & !parts::ALL != 0 {
        return Err(Error::Impossible(format!("a line of the ledger has marks that nobody knows: {marks:#x}")));
    }
    let has = |part: u16| marks & part != 0;
    let at = Moment(rest.number()?);
    let mut number = |part: u16| has(part).then(|| rest.number()).transpose();
    let session = number(parts::SESSION)?.map(Into::into);
    let about = About {
        client: number(parts::CLIENT)?.map(Into::into),
        user: number(parts::USER)?.map(Into::into),
        team: number(parts::TEAM)?.map(Into::into),
        organisation: number(parts::ORGANISATION)?.map(Into::into),
        patient: number(parts::PATIENT)?.map(Into::into),
    };
    let times = number(parts::TIMES)?.unwrap_or(1);
    let right = if has(parts::RIGHT) { Some(right(rest.byte()?)?) } else { None };
    let detail = has(parts::DETAIL).then(|| rest.text()).transpose()?.map(Into::into);
    let operator = has(parts::OPERATOR).then(|| rest.text()).transpose()?;
    if rest.0.is_empty() { Ok(Line { at, event, session, about, times, right, detail, operator }) } else { Err(torn()) }
}

fn right(number: u8) -> Result<Right> {
    let known = Right::ALL.into_iter().find(|right| right.number() == i64::from(number));
    known.ok_or_else(|| Error::Impossible(format!("a line of the ledger tells of a right {number}")))
}

fn torn() -> Error {
    Error::Impossible("a line of the ledger is not as long as it says".into())
}

/// What is left to read of a line.
struct Rest<'a>(&'a [u8]);

impl<'a> Rest<'a> {
    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or_else(torn)?;
        self.0 = rest;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N]> {
        self.take(N)?.try_into().map_err(|_| torn())
    }

    fn byte(&mut self) -> Result<u8> {
        self.array().map(u8::from_le_bytes)
    }

    fn short(&mut self) -> Result<u16> {
        self.array().map(u16::from_le_bytes)
    }

    fn number(&mut self) -> Result<i64> {
        self.array().map(i64::from_le_bytes)
    }

    fn text(&mut self) -> Result<String> {
        let length = self.short()?;
        let text = self.take(usize::from(length))?;
        String::from_utf8(text.to_vec()).map_err(|_| Error::Impossible("a line of the ledger is no text".into()))
    }
}

#[cfg(test)]
#[path = "encoding_tests.rs"]
mod tests;
