//! Moments as machines read them, and lengths of time in words.

use httpdate::HttpDate;
use jiff::SignedDuration;
use jiff::civil::DateTime;
use rules::calendar::Day;
use rules::moment::Moment;
use std::time::{Duration, UNIX_EPOCH};

/// The calendar in UTC; a `Timestamp` of jiff ends a day before the calendar does.
const EPOCH: DateTime = jiff::civil::datetime(1970, 1, 1, 0, 0, 0, 0);

/// FHIR's instant: `2026-11-15T09:30:00.000Z`.
#[must_use]
pub fn rfc3339(moment: Moment) -> String {
    let at = EPOCH.saturating_add(SignedDuration::from_millis(within_calendar(moment)));
    format!("{at:.3}Z")
}

/// The moment that an instant names.
#[must_use]
pub fn of_instant(text: &str) -> Option<Moment> {
    Some(Moment(text.parse::<jiff::Timestamp>().ok()?.as_millisecond()))
}

/// The moment that an instant names, or the end of a day in UTC where only a day is named; `None` where it is neither.
#[must_use]
pub fn end_of(text: &str) -> Option<Moment> {
    if let Some(instant) = of_instant(text) {
        return Some(instant);
    }
    let day = Day::read(text)?;
    Some(Moment(day.begins().0 + DAY_MILLISECONDS))
}

const DAY_MILLISECONDS: i64 = 86_400_000;

/// The dates of HTTP headers.
#[must_use]
pub fn http_date(moment: Moment) -> HttpDate {
    HttpDate::from(UNIX_EPOCH + Duration::from_millis(within_calendar(moment).unsigned_abs()))
}

/// The moment that such a header names; `None` where it is no date.
#[must_use]
pub fn of_http_date(text: &str) -> Option<Moment> {
    let since = httpdate::parse_http_date(text).ok()?.duration_since(UNIX_EPOCH).ok()?;
    since.as_millis().try_into().ok().map(Moment)
}

/// A length of time in the largest unit that fits: `90 days`, `12 hours`, `10 minutes`.
#[must_use]
pub fn length(seconds: i64) -> String {
    let (count, unit) = match seconds {
        s if s >= 86_400 && s % 86_400 == 0 => (s / 86_400, "day"),
        s if s >= 3600 && s % 3600 == 0 => (s / 3600, "hour"),
        s if s >= 60 && s % 60 == 0 => (s / 60, "minute"),
        s => (s, "second"),
    };
    format!("{count} {unit}{}", if count == 1 { "" } else { "s" })
}

/// Moments beyond the calendar (the end of time) are shown as its last day rather than not at all.
fn within_calendar(moment: Moment) -> i64 {
    moment.0.clamp(0, 253_402_300_799_999)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_day_ends_with_its_last_millisecond_in_utc_and_an_instant_is_that_moment() {
        assert_eq!(end_of("1970-01-01"), Some(Moment(86_400_000)));
        assert_eq!(end_of("1970-01-01T02:00:00+01:00"), Some(Moment(3_600_000)));
        assert_eq!(end_of("1970-13-01"), None);
        assert_eq!(end_of("1970-01-01T02:00:00"), None, "nobody can tell where");
    }

    #[test]
    fn a_moment_is_written_in_utc_with_milliseconds() {
        assert_eq!(rfc3339(Moment(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(Moment(1_709_210_096_007)), "2024-02-29T12:34:56.007Z");
        assert_eq!(rfc3339(Moment(i64::MAX)), "9999-12-31T23:59:59.999Z");
    }

    #[test]
    fn a_header_has_the_date_of_rfc_9110() {
        let http_date = |moment| http_date(moment).to_string();
        assert_eq!(http_date(Moment(784_111_777_999)), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(of_http_date("Sun, 06 Nov 1994 08:49:37 GMT"), Some(Moment(784_111_777_000)));
        assert_eq!(of_http_date("yesterday"), None);
        assert_eq!(http_date(Moment(-1)), "Thu, 01 Jan 1970 00:00:00 GMT");
        assert_eq!(http_date(Moment(i64::MAX)), "Fri, 31 Dec 9999 23:59:59 GMT");
    }

    #[test]
    fn a_length_is_told_in_the_largest_unit_that_fits() {
        assert_eq!(length(90 * 86_400), "90 days");
        assert_eq!(length(3600), "1 hour");
        assert_eq!(length(90), "90 seconds");
    }
}
