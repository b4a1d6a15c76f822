//! Dates and times as R4 writes them, read in one place for validation and for search: its patterns, and the calendar, which
//! has no 30th of February. The patterns have no year 0000 and no zone beyond 14:00.

/// No zone is further from UTC, in seconds.
pub const WIDEST_ZONE: i64 = 14 * 3600;

/// A day or less: year, and month and day where they are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CalendarDate {
    pub year: i64,
    pub month: Option<i64>,
    pub day: Option<i64>,
}

/// A time of day in seconds from midnight and nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TimeOfDay {
    pub seconds: i64,
    pub nanoseconds: i64,
    pub precision: Precision,
}

/// To what a time of day is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Precision {
    /// Searches may end with the minute; resources may not.
    Minute,
    Second,
    /// A fraction of so many digits.
    Fraction(usize),
}

/// A date, and the time of a whole day with the seconds that its zone is ahead of UTC, where they are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DateTime {
    pub date: CalendarDate,
    pub time: Option<TimeOfDay>,
    pub ahead: Option<i64>,
}

impl CalendarDate {
    /// `2024`, `2024-02` or `2024-02-29`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split('-');
        let year = digits(parts.next()?, 4).filter(|year| *year > 0)?;
        let month = match parts.next() {
            Some(part) => Some(digits(part, 2).filter(|month| (1..=12).contains(month))?),
            None => None,
        };
        let day = match (month, parts.next()) {
            (Some(month), Some(part)) => Some(digits(part, 2).filter(|day| (1..=days_in(year, month)).contains(day))?),
            _ => None,
        };
        parts.next().is_none().then_some(Self { year, month, day })
    }

    /// Its first day, and the first after it, in days since the beginning of 1970.
    #[must_use]
    pub const fn days(self) -> (i64, i64) {
        let Self { year, month, day } = self;
        match (month, day) {
            (Some(month), Some(day)) => {
                let first = first_day(year, month) + day - 1;
                (first, first + 1)
            }
            (Some(month), None) => {
                let first = first_day(year, month);
                (first, first + days_in(year, month))
            }
            (None, _) => (first_day(year, 1), first_day(year + 1, 1)),
        }
    }
}

impl TimeOfDay {
    /// `23:59`, `23:59:59` or `23:59:59.999`; a leap second is `60`.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let mut part = |most: i64| parts.next().and_then(|part| digits(part, 2)).filter(|number| *number <= most);
        let minutes = part(23)? * 60 + part(59)?;
        let Some(rest) = parts.next() else {
            return Some(Self { seconds: minutes * 60, nanoseconds: 0, precision: Precision::Minute });
        };
        if parts.next().is_some() {
            return None;
        }
        let (second, fraction) = rest.split_once('.').map_or((rest, None), |(second, after)| (second, Some(after)));
        let seconds = minutes * 60 + digits(second, 2).filter(|second| *second <= 60)?;
        let Some(fraction) = fraction else {
            return Some(Self { seconds, nanoseconds: 0, precision: Precision::Second });
        };
        let kept = fraction.get(..9).unwrap_or(fraction);
        if fraction.is_empty() || !fraction.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let scale = 10_i64.pow(9 - u32::try_from(kept.len()).ok()?);
        let nanoseconds = kept.parse::<i64>().ok()? * scale;
        Some(Self { seconds, nanoseconds, precision: Precision::Fraction(fraction.len()) })
    }
}

impl DateTime {
    /// A `date`, `dateTime` or `instant`, and what searches may leave out of one: the seconds and the zone.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let Some((date, time)) = text.split_once('T') else {
            return Some(Self { date: CalendarDate::read(text)?, time: None, ahead: None });
        };
        let date = CalendarDate::read(date).filter(|date| date.day.is_some())?;
        let (time, ahead) = match time.find(['Z', '+', '-']) {
            Some(at) => {
                let (time, zone) = time.split_at_checked(at)?;
                (time, Some(seconds_ahead(zone)?))
            }
            None => (time, None),
        };
        Some(Self { date, time: Some(TimeOfDay::read(time)?), ahead })
    }

    /// Whether it is written as R4 has a `dateTime`: a date, or an instant.
    #[must_use]
    pub fn is_date_time(&self) -> bool {
        self.time.is_none() || self.is_instant()
    }

    /// Whether it is written as R4 has an `instant`: to the second or finer, with its zone.
    #[must_use]
    pub fn is_instant(&self) -> bool {
        self.ahead.is_some() && self.time.is_some_and(|time| time.precision != Precision::Minute)
    }
}

/// `Z`, `+01:00` or `-14:00`.
fn seconds_ahead(zone: &str) -> Option<i64> {
    if zone == "Z" {
        return Some(0);
    }
    let (sign, zone) = match zone.split_at_checked(1)? {
        ("+", zone) => (1, zone),
        ("-", zone) => (-1, zone),
        _ => return None,
    };
    let (hours, minutes) = zone.split_once(':')?;
    let (hours, minutes) = (digits(hours, 2)?, digits(minutes, 2).filter(|minutes| *minutes < 60)?);
    let ahead = (hours * 60 + minutes) * 60;
    (ahead <= WIDEST_ZONE).then_some(sign * ahead)
}

fn digits(text: &str, count: usize) -> Option<i64> {
    (text.len() == count && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
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
    use proptest::prelude::*;

    #[test]
    fn a_date_is_a_day_of_the_calendar_or_less() {
        for good in ["2024", "2024-12", "2024-02-29", "0001-01-01", "9999-12-31", "2000-02-29"] {
            assert!(CalendarDate::read(good).is_some(), "{good}");
        }
        for wrong in [
            "",
            "24",
            "0000",
            "0000-01-01",
            "10000",
            "2024-13",
            "2024-00",
            "2024-1",
            "2023-02-29",
            "1900-02-29",
            "2024-04-31",
            "2024-01-00",
            "2024-01-01-",
            "2024-01-01T",
            "+024",
            "２024",
            "١٩٧٠",
        ] {
            assert!(CalendarDate::read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_time_has_hours_and_minutes_and_perhaps_seconds() {
        for (good, precision) in [
            ("00:00:00", Precision::Second),
            ("23:59:60", Precision::Second),
            ("12:30", Precision::Minute),
            ("12:30:00.5", Precision::Fraction(1)),
            ("12:30:00.123456789012", Precision::Fraction(12)),
        ] {
            assert_eq!(TimeOfDay::read(good).map(|time| time.precision), Some(precision), "{good}");
        }
        for wrong in [
            "",
            "24:00:00",
            "24:00",
            "12",
            "12:60:00",
            "12:30:61",
            "12:30:00.",
            "12:30:00.x",
            "12:30:00.123456789x",
            "12:30:00.12345678é",
            "1:30:00",
            "12:30:00:00",
            "12:30:00Z",
        ] {
            assert!(TimeOfDay::read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn an_instant_has_seconds_and_a_zone() {
        for good in ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.5+01:00", "2024-02-29T12:00:00-14:00"] {
            assert!(DateTime::read(good).unwrap().is_instant(), "{good}");
        }
        for less in ["2024-02-29T12:00:00", "2024-02-29T12:00Z", "2024-02-29T12:00", "2024-02-29", "2024"] {
            assert!(!DateTime::read(less).unwrap().is_instant(), "{less}");
        }
        for wrong in [
            "2024-02T12:00:00Z",
            "2024T12:00",
            "2024-02-29T",
            "2024-02-29T12:00:00+1:00",
            "2024-02-29T12:00:00+15:00",
            "2024-02-29T12:00:00+14:01",
            "2024-02-29T12:00:00-14:01",
            "2024-02-29T12:00:00ZZ",
            "2024-02-29T12:00:00Z+01:00",
            "2024-02-29T12:00:00Z01:00",
            "2024-02-29T12:00:00+é1:00",
            "2024-02-29 12:00:00Z",
            "2024-02-29T12:00:00+01:60",
            "0000-02-29T12:00:00Z",
        ] {
            assert!(DateTime::read(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn days_are_counted_from_1970() {
        let days = |text| CalendarDate::read(text).unwrap().days();
        assert_eq!((days("1970-01-01"), days("1969-12-31")), ((0, 1), (-1, 0)));
        assert_eq!((days("2000-02"), days("1970")), ((10_988, 11_017), (0, 365)));
        assert_eq!(days("0001-01-01").0, -719_162);
    }

    proptest! {
        #[test]
        fn any_text_is_a_date_or_none(text in "[-0-9T:.Z+é]{0,30}") {
            let _ = (CalendarDate::read(&text), TimeOfDay::read(&text), DateTime::read(&text));
        }
    }
}
