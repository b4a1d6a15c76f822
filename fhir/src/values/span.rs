//! A stretch of time as FHIR writes it: a year, a month, a day, a second are all the time that they last.

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
        let (date, time) = match text.split_once('T') {
            Some((date, time)) => (date, Some(time)),
            None => (text, None),
        };
        let mut parts = date.split('-');
        let year = digits(parts.next()?, 4)?;
        let month = parts.next().map(|part| digits(part, 2)).map_or(Some(None), |month| month.map(Some))?;
        let day = parts.next().map(|part| digits(part, 2)).map_or(Some(None), |day| day.map(Some))?;
        if parts.next().is_some() || month.is_some_and(|month| !(1..=12).contains(&month)) {
            return None;
        }
        match (month, day, time) {
            (None, None, None) => Some(Self::days(first_day(year, 1), first_day(year + 1, 1))),
            (Some(month), None, None) => {
                let next = if month == 12 { first_day(year + 1, 1) } else { first_day(year, month + 1) };
                Some(Self::days(first_day(year, month), next))
            }
            (Some(month), Some(day), time) => {
                let start = first_day(year, month) + day - 1;
                let next = if month == 12 { first_day(year + 1, 1) } else { first_day(year, month + 1) };
                if day < 1 || start >= next {
                    return None;
                }
                let whole = Self::days(start, start + 1);
                time.map_or(Some(whole), |time| clock(whole.low, time))
            }
            _ => None,
        }
    }

    const fn days(from: i64, until: i64) -> Self {
        Self { low: from * DAY, high: until * DAY }
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

/// `hh:mm`, then perhaps seconds, a fraction, a zone.
fn clock(midnight: i64, text: &str) -> Option<Span> {
    let (time, zone) = match text.find(['Z', '+', '-']) {
        Some(at) => text.split_at_checked(at)?,
        None => (text, "Z"),
    };
    let mut parts = time.split(':');
    let (hour, minute) = (digits(parts.next()?, 2)?, digits(parts.next()?, 2)?);
    let (seconds, length) = parts.next().map_or(Some((0, 60 * SECOND)), second)?;
    if parts.next().is_some() || hour > 23 || minute > 59 {
        return None;
    }
    let low = midnight + (hour * 60 + minute) * 60 * SECOND + seconds - offset(zone)?;
    Some(Span { low, high: low + length })
}

/// Microseconds of `ss` or `ss.fraction`, and how long the last digit lasts. A leap second is `60`.
fn second(text: &str) -> Option<(i64, i64)> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let whole = digits(whole, 2).filter(|second| *second <= 60)? * SECOND;
    let Some(fraction) = fraction else { return Some((whole, SECOND)) };
    if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let kept = fraction.get(..6).unwrap_or(fraction);
    let length = 10_i64.pow(6 - u32::try_from(kept.len()).ok()?);
    Some((whole + kept.parse::<i64>().ok()? * length, length))
}

fn offset(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, zone) = match zone.split_at_checked(1)? {
        ("+", zone) => (1, zone),
        ("-", zone) => (-1, zone),
        _ => return None,
    };
    let (hours, minutes) = zone.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2)?);
    (hours <= 14 && minutes <= 59).then_some(sign * (hours * 60 + minutes) * 60 * SECOND)
}

fn digits(text: &str, count: usize) -> Option<i64> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

/// The number of a month's first day in the Gregorian calendar, from 1970 on.
const fn first_day(year: i64, month: i64) -> i64 {
    // Years that begin with March have their leap day at the end.
    let (year, month) = if month > 2 { (year, month - 3) } else { (year - 1, month + 9) };
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + (153 * month + 2) / 5 - 719_468
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
    fn what_is_no_date_is_none() {
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
