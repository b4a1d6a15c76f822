//! A stretch of time as FHIR writes it: a year, a month, a day, a second are all the time that they last.

use crate::values::date::{DateTime, Precision};

const SECOND: i64 = 1_000_000;
const DAY: i64 = 86_400 * SECOND;

/// From `low` until before `high`, in microseconds since the beginning of 1970. The ends of the numbers are no end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    pub low: i64,
    pub high: i64,
}

impl Span {
    /// All that is before `i64::MAX` and after `i64::MIN`.
    pub const ALWAYS: Self = Self { low: i64::MIN, high: i64::MAX };

    /// Reads a `date`, `dateTime` or `instant`, to the minute too. A date without a zone is that day in UTC.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let DateTime { date, time, ahead } = DateTime::read(text)?;
        let (from, until) = date.days();
        let Some(time) = time else { return Some(Self { low: from * DAY, high: until * DAY }) };
        let low = from * DAY + (time.seconds - ahead.unwrap_or(0)) * SECOND + time.nanoseconds / 1000;
        Some(Self { low, high: low + length(time.precision) })
    }

    /// All time from the beginning of one to the end of the other; what is missing has no end on its side.
    #[must_use]
    pub fn between(start: Option<Self>, end: Option<Self>) -> Self {
        Self { low: start.map_or(i64::MIN, |start| start.low), high: end.map_or(i64::MAX, |end| end.high) }
    }

    /// The shortest span that holds both.
    #[must_use]
    pub fn joined(self, other: Self) -> Self {
        Self { low: self.low.min(other.low), high: self.high.max(other.high) }
    }

    /// Whether the other lies wholly inside.
    #[must_use]
    pub const fn contains(self, other: Self) -> bool {
        self.low <= other.low && other.high <= self.high
    }

    /// Whether any time is in both.
    #[must_use]
    pub const fn overlaps(self, other: Self) -> bool {
        self.low < other.high && other.low < self.high
    }
}

/// How long the last digit lasts; finer than a microsecond is a microsecond.
const fn length(precision: Precision) -> i64 {
    match precision {
        Precision::Minute => 60 * SECOND,
        Precision::Second => SECOND,
        Precision::Fraction(1) => 100_000,
        Precision::Fraction(2) => 10_000,
        Precision::Fraction(3) => 1000,
        Precision::Fraction(4) => 100,
        Precision::Fraction(5) => 10,
        Precision::Fraction(_) => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seconds(text: &str) -> (f64, f64) {
        let span = Span::read(text).unwrap_or_else(|| panic!("{text}"));
        (span.low as f64 / 1e6, span.high as f64 / 1e6)
    }

    #[test]
    fn a_date_lasts_as_long_as_it_is_written() {
        for (text, low, high) in [
            ("1970", 0.0, 31_536_000.0),
            ("1970-02", 2_678_400.0, 5_097_600.0),
            ("2000-02-29", 951_782_400.0, 951_868_800.0),
            ("2013-12", 1_385_856_000.0, 1_388_534_400.0),
            ("1969-12-31", -86_400.0, 0.0),
            ("1970-01-01T00:01", 60.0, 120.0),
            ("1970-01-01T00:00:10Z", 10.0, 11.0),
            ("1970-01-01T01:00:00+01:00", 0.0, 1.0),
            ("1969-12-31T23:30:00-00:30", 0.0, 1.0),
            ("1970-01-01T00:00:00.25Z", 0.25, 0.26),
            ("1970-01-01T00:00:00.1234567Z", 0.123_456, 0.123_457),
            ("2016-12-31T23:59:60Z", 1_483_228_800.0, 1_483_228_801.0),
        ] {
            assert_eq!(seconds(text), (low, high), "{text}");
        }
    }

    #[test]
    fn what_is_no_date_of_r4_is_none() {
        for text in [
            "",
            "70",
            "1970-1",
            "1970-13",
            "1970-00",
            "1970-02-30",
            "1900-02-29",
            "1970-01-00",
            "1970-01-01-01",
            "1970T00:00",
            "1970-01-01T",
            "1970-01-01T24:00",
            "1970-01-01T00",
            "1970-01-01T00:60",
            "1970-01-01T00:00:61",
            "1970-01-01T00:00:00.",
            "1970-01-01T00:00:00+1:00",
            "1970-01-01T00:00:00+15:00",
            "1970-01-01T00:00:00+14:01",
            "0000",
            "0000-12-31",
            "1970-01-01T00:00:00ZZ",
            "1970-01-01T00:00:00.x",
            "+197",
            "١٩٧٠",
        ] {
            assert_eq!(Span::read(text), None, "{text}");
        }
    }

    #[test]
    fn a_span_without_a_side_has_no_end_there() {
        let day = Span::read("2020-01-01");
        assert_eq!(Span::between(None, None), Span::ALWAYS);
        assert!(Span::between(day, None).contains(day.unwrap()));
        assert!(!Span::between(None, day).contains(Span::read("2020").unwrap()));
        assert!(Span::between(None, day).overlaps(Span::read("2020").unwrap()));
        assert!(!day.unwrap().overlaps(Span::read("2020-01-02").unwrap()));
    }
}
