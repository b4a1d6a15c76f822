//! The span of time that a date or dateTime stands for, so that two of them can be compared.

use crate::values::date::{DateTime, Precision, WIDEST_ZONE};
use std::cmp::Ordering;

const DAY: i64 = 86_400;

/// From its first to its last nanosecond, both as seconds since 1970 and nanoseconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    first: (i64, i64),
    last: (i64, i64),
    has_zone: bool,
}

impl Moment {
    /// The span of a date, a dateTime or an instant.
    pub fn read(text: &str) -> Option<Self> {
        let DateTime { date, time, ahead } = DateTime::read(text).filter(DateTime::is_date_time)?;
        let (from, until) = date.days();
        let Some(time) = time else {
            return Some(Self { first: (from * DAY, 0), last: (until * DAY - 1, 999_999_999), has_zone: false });
        };
        let at = from * DAY + time.seconds - ahead?;
        let last = if time.precision == Precision::Second { 999_999_999 } else { time.nanoseconds };
        Some(Self { first: (at, time.nanoseconds), last: (at, last), has_zone: true })
    }

    /// Whether every moment of it is later than every moment of the other. A date without a zone can be that day anywhere.
    pub fn is_after(&self, other: &Self) -> bool {
        let slack = if self.has_zone == other.has_zone { 0 } else { WIDEST_ZONE };
        (self.first.0 - slack, self.first.1).cmp(&other.last) == Ordering::Greater
    }
}

#[cfg(test)]
mod tests {
    use super::Moment;

    fn is_after(first: &str, second: &str) -> bool {
        Moment::read(first).unwrap().is_after(&Moment::read(second).unwrap())
    }

    #[test]
    fn a_moment_is_after_another_only_if_no_part_of_both_can_be_one() {
        for (first, second) in [
            ("2021", "2020"),
            ("2020-02", "2020-01-31"),
            ("2020-01-01T00:00:01Z", "2020-01-01T00:00:00Z"),
            ("2020-01-01T00:00:00.2Z", "2020-01-01T00:00:00.1Z"),
            ("2020-01-01T00:00:00-01:00", "2020-01-01T00:00:00Z"),
            ("2020-01-03T00:00:00Z", "2020-01-01"),
        ] {
            assert!(is_after(first, second) && !is_after(second, first), "{first} {second}");
        }
        for (first, second) in [
            ("2020", "2020-01"),
            ("2020-06", "2020"),
            ("2020-01-01", "2020-01-01T23:00:00Z"),
            ("2020-01-02T03:00:00Z", "2020-01-01"),
            ("2020-01-01T01:00:00+01:00", "2020-01-01T00:00:00Z"),
        ] {
            assert!(!is_after(first, second), "{first} {second}");
        }
    }
}
