//! The span of time that a date or dateTime stands for, so that two of them can be compared.

use crate::validation::date::{Clock, Day, day, days_in, instant};
use std::cmp::Ordering;

const DAY: i64 = 86_400;
/// No zone is further from UTC.
const WIDEST_ZONE: i64 = 14 * 3600;

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
        if let Some((date, time, ahead)) = instant(text) {
            let Clock { seconds, nanoseconds, is_fine } = time;
            let at = midnight(date.year, date.month?, date.day?) + seconds - ahead;
            let last = if is_fine { nanoseconds } else { 999_999_999 };
            return Some(Self { first: (at, nanoseconds), last: (at, last), has_zone: true });
        }
        let Day { year, month, day } = day(text)?;
        let first = midnight(year, month.unwrap_or(1), day.unwrap_or(1));
        let last_month = month.unwrap_or(12);
        let last = midnight(year, last_month, day.unwrap_or_else(|| days_in(year, last_month))) + DAY - 1;
        Some(Self { first: (first, 0), last: (last, 999_999_999), has_zone: false })
    }

    /// Whether every moment of it is later than every moment of the other. A date without a zone can be that day anywhere.
    pub fn is_after(&self, other: &Self) -> bool {
        let slack = if self.has_zone == other.has_zone { 0 } else { WIDEST_ZONE };
        (self.first.0 - slack, self.first.1).cmp(&other.last) == Ordering::Greater
    }
}

/// Seconds since 1970 at the start of a day in UTC, by the Gregorian calendar.
fn midnight(year: i64, month: i64, day: i64) -> i64 {
    let before = year - 1;
    let leap_days = before / 4 - before / 100 + before / 400;
    let months: i64 = (1..month).map(|month| days_in(year, month)).sum();
    (before * 365 + leap_days + months + day - 1 - 719_162) * DAY
}

#[cfg(test)]
mod tests {
    use super::{Moment, midnight};

    fn is_after(first: &str, second: &str) -> bool {
        Moment::read(first).unwrap().is_after(&Moment::read(second).unwrap())
    }

    #[test]
    fn days_are_counted_from_1970() {
        assert_eq!((midnight(1970, 1, 1), midnight(1970, 1, 2)), (0, 86_400));
        assert_eq!((midnight(2000, 3, 1), midnight(1969, 12, 31)), (951_868_800, -86_400));
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
