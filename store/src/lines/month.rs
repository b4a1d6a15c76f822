//! A month of the ledger: which one an id is in. Ids grow with time, so a month is a range of them.

use crate::ids;
use jiff::SignedDuration;
use jiff::civil::{Date, DateTime, Time, datetime};
use rules::moment::Moment;
use std::collections::BTreeSet;

const EPOCH: DateTime = datetime(1970, 1, 1, 0, 0, 0, 0);

/// A month of the calendar, in UTC.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Month {
    /// Months since the beginning of the year 0.
    count: i32,
}

impl Month {
    /// The month that a moment is in.
    #[must_use]
    pub fn of(at: Moment) -> Self {
        let at = EPOCH.saturating_add(SignedDuration::from_millis(at.0));
        Self { count: i32::from(at.year()) * 12 + i32::from(at.month()) - 1 }
    }

    /// The month that an id was made in.
    pub(crate) fn of_id(id: i64) -> Self {
        Self::of(ids::made_at(id))
    }

    /// The months of some ids, each once.
    pub(crate) fn of_ids(ids: impl IntoIterator<Item = i64>) -> BTreeSet<Self> {
        ids.into_iter().map(Self::of_id).collect()
    }

    #[must_use]
    pub const fn next(self) -> Self {
        Self { count: self.count.saturating_add(1) }
    }

    /// The month so many before.
    #[must_use]
    pub fn minus(self, months: u32) -> Self {
        Self { count: self.count.saturating_sub_unsigned(months) }
    }

    /// The ids of its lines: from the first on, and below the second.
    pub(crate) fn ids(self) -> (i64, i64) {
        (ids::least(self.start()), ids::least(self.next().start()))
    }

    /// As it is written in names: `2027_01`.
    pub(crate) fn name(self) -> String {
        let (year, month) = self.parts();
        format!("{year:04}_{month:02}")
    }

    /// As it is stored: 202701.
    pub(crate) fn number(self) -> i64 {
        let (year, month) = self.parts();
        i64::from(year) * 100 + i64::from(month)
    }

    pub(crate) fn numbered(number: i64) -> Option<Self> {
        let (year, month) = (i32::try_from(number.div_euclid(100)).ok()?, u8::try_from(number.rem_euclid(100)).ok()?);
        Self::dated(year, month)
    }

    /// The month that a text names: `2027-01`.
    #[must_use]
    pub fn named(text: &str) -> Option<Self> {
        let (year, month) = text.split_once('-')?;
        let is_plain =
            year.len() == 4 && month.len() == 2 && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
        if is_plain { Self::dated(year.parse().ok()?, month.parse().ok()?) } else { None }
    }

    fn dated(year: i32, month: u8) -> Option<Self> {
        let is_one = (0..=9999).contains(&year) && (1..=12).contains(&month);
        is_one.then(|| Self { count: year * 12 + i32::from(month) - 1 })
    }

    /// Year, and month from one.
    fn parts(self) -> (i32, i8) {
        (self.count.div_euclid(12), i8::try_from(self.count.rem_euclid(12) + 1).unwrap_or(1))
    }

    /// Its first moment.
    #[must_use]
    pub fn start(self) -> Moment {
        let (year, month) = self.parts();
        let first = i16::try_from(year).ok().and_then(|year| Date::new(year, month, 1).ok());
        let first = first.unwrap_or(Date::MAX).to_datetime(Time::midnight());
        Moment(first.duration_since(EPOCH).as_secs().saturating_mul(1000))
    }
}

impl std::fmt::Display for Month {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (year, month) = self.parts();
        write!(f, "{year:04}-{month:02}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn month(at: i64) -> Month {
        Month::of_id(ids::least(Moment(at)))
    }

    #[test]
    fn a_month_begins_and_ends_when_the_calendar_says() {
        for (at, name) in [
            (1_800_000_000_000, "2027_01"),
            (1_709_164_800_000, "2024_02"),
            (1_709_251_199_999, "2024_02"),
            (1_709_251_200_000, "2024_03"),
        ] {
            assert_eq!(month(at).name(), name, "at {at}");
        }
    }

    #[test]
    fn months_follow_each_other_without_a_gap() {
        let mut month = Month::of_id(1);
        for _ in 0..800 {
            let (first, end) = month.ids();
            assert_eq!(Month::of_id(first), month);
            assert_eq!(Month::of_id(end - 1), month);
            assert_eq!(month.next().ids().0, end);
            assert_eq!(month.next().minus(1), month);
            month = month.next();
        }
    }

    #[test]
    fn a_month_is_known_by_its_text_and_its_number_and_by_nothing_else() {
        let december = Month::named("2026-12").unwrap();
        assert_eq!((december.to_string().as_str(), december.number()), ("2026-12", 202_612));
        assert_eq!(Month::numbered(202_612), Some(december));
        assert_eq!(december.next().to_string(), "2027-01");
        assert_eq!(december.minus(12).to_string(), "2025-12");
        for wrong in ["2026-13", "2026-00", "2026-1", "26-01", "2026-01-01", "+026-01", "", "2026"] {
            assert_eq!(Month::named(wrong), None, "{wrong}");
        }
        assert_eq!((Month::numbered(202_613), Month::numbered(202_600), Month::numbered(-5)), (None, None, None));
    }

    #[test]
    fn a_moment_beyond_the_calendar_is_in_a_month_all_the_same() {
        assert!(Month::of(Moment(i64::MIN)) < Month::of(Moment(0)));
        assert!(Month::of(Moment(i64::MAX)) > Month::of(Moment(1_800_000_000_000)));
    }
}
