//! Dates and times by FHIR's patterns, and by the calendar: there is no 30th of February.

/// A day or less: year, and month and day where they are given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Day {
    pub year: i64,
    pub month: Option<i64>,
    pub day: Option<i64>,
}

/// A time of day, with its fraction of a second in nanoseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Clock {
    pub seconds: i64,
    pub nanoseconds: i64,
    /// Whether a fraction is written.
    pub is_fine: bool,
}

/// `2024`, `2024-02` or `2024-02-29`.
pub(super) fn day(text: &str) -> Option<Day> {
    let mut parts = text.split('-');
    let year = number(parts.next()?, 4).filter(|year| *year > 0)?;
    let month = parts.next().map(|part| number(part, 2).filter(|month| (1..=12).contains(month)));
    let day = parts.next().map(|part| number(part, 2));
    if parts.next().is_some() || month == Some(None) || day == Some(None) {
        return None;
    }
    let (month, day) = (month.flatten(), day.flatten());
    let fits = day.is_none_or(|day| month.is_some_and(|month| (1..=days_in(year, month)).contains(&day)));
    fits.then_some(Day { year, month, day })
}

/// `23:59:59.999`; a leap second is a second.
pub(super) fn clock(text: &str) -> Option<Clock> {
    let (whole, fraction) = text.split_once('.').map_or((text, None), |(whole, fraction)| (whole, Some(fraction)));
    let mut parts = whole.split(':');
    let mut part = |most: i64| parts.next().and_then(|part| number(part, 2)).filter(|number| *number <= most);
    let (hours, minutes, seconds) = (part(23)?, part(59)?, part(60)?);
    if parts.next().is_some() {
        return None;
    }
    let nanoseconds = match fraction {
        None => 0,
        Some(digits) if !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit()) => {
            format!("{digits:0<9}").get(..9)?.parse().ok()?
        }
        Some(_) => return None,
    };
    Some(Clock { seconds: hours * 3600 + minutes * 60 + seconds, nanoseconds, is_fine: fraction.is_some() })
}

/// A full day, time and zone: how many seconds the zone is ahead.
pub(super) fn instant(text: &str) -> Option<(Day, Clock, i64)> {
    let (date, time) = text.split_once('T')?;
    let date = day(date).filter(|date| date.day.is_some())?;
    if let Some(time) = time.strip_suffix('Z') {
        return Some((date, clock(time)?, 0));
    }
    let at = time.rfind(['+', '-'])?;
    let (time, zone) = time.split_at_checked(at)?;
    let (hours, minutes) = zone.get(1..)?.split_once(':')?;
    let (hours, minutes) = (number(hours, 2)?, number(minutes, 2).filter(|minutes| *minutes < 60)?);
    let ahead = hours * 3600 + minutes * 60;
    let ahead = if zone.starts_with('-') { -ahead } else { ahead };
    (ahead.abs() <= 14 * 3600).then_some((date, clock(time)?, ahead))
}

fn number(text: &str, digits: usize) -> Option<i64> {
    (text.len() == digits && text.bytes().all(|byte| byte.is_ascii_digit())).then(|| text.parse().ok())?
}

pub(super) const fn days_in(year: i64, month: i64) -> i64 {
    match month {
        2 if year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) => 29,
        2 => 28,
        4 | 6 | 9 | 11 => 30,
        _ => 31,
    }
}

#[cfg(test)]
mod tests {
    use super::{clock, day, instant};
    use proptest::prelude::*;

    #[test]
    fn a_date_is_a_day_of_the_calendar_or_less() {
        for good in ["2024", "2024-12", "2024-02-29", "0001-01-01", "2000-02-29"] {
            assert!(day(good).is_some(), "{good}");
        }
        for wrong in [
            "",
            "24",
            "0000",
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
        ] {
            assert!(day(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn a_time_has_hours_minutes_and_seconds() {
        for good in ["00:00:00", "23:59:60", "12:30:00.123456789012"] {
            assert!(clock(good).is_some(), "{good}");
        }
        for wrong in [
            "",
            "24:00:00",
            "12:30",
            "12:60:00",
            "12:30:61",
            "12:30:00.",
            "12:30:00.x",
            "1:30:00",
            "12:30:00:00",
            "12:30:00Z",
        ] {
            assert!(clock(wrong).is_none(), "{wrong}");
        }
    }

    #[test]
    fn an_instant_has_a_zone() {
        for good in ["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.5+01:00", "2024-02-29T12:00:00-14:00"] {
            assert!(instant(good).is_some(), "{good}");
        }
        for wrong in [
            "2024-02-29T12:00:00",
            "2024-02-29",
            "2024-02T12:00:00Z",
            "2024-02-29T12:00:00+1:00",
            "2024-02-29T12:00:00+15:00",
            "2024-02-29T12:00:00+14:01",
            "2024-02-29 12:00:00Z",
            "2024-02-29T12:00:00+01:60",
        ] {
            assert!(instant(wrong).is_none(), "{wrong}");
        }
    }

    proptest! {
        #[test]
        fn any_text_is_a_date_or_none(text in "[-0-9T:.Z+é]{0,30}") {
            let _ = (day(&text), clock(&text), instant(&text));
        }
    }
}
