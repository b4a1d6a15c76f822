//! Moments as people and protocols write them.

use rules::moment::Moment;
use time::{OffsetDateTime, Weekday};

/// As FHIR and JSON write a moment: RFC 3339 in UTC with milliseconds.
#[must_use]
pub fn rfc3339(moment: Moment) -> String {
    let at = utc(moment);
    format!(
        "{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:03}Z",
        at.year(),
        u8::from(at.month()),
        at.day(),
        at.hour(),
        at.minute(),
        at.second(),
        at.millisecond()
    )
}

/// As HTTP headers write a moment (RFC 9110 5.6.7), to the second.
#[must_use]
pub fn http_date(moment: Moment) -> String {
    const MONTHS: [&str; 12] = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];
    let at = utc(moment);
    let weekday = match at.weekday() {
        Weekday::Monday => "Mon",
        Weekday::Tuesday => "Tue",
        Weekday::Wednesday => "Wed",
        Weekday::Thursday => "Thu",
        Weekday::Friday => "Fri",
        Weekday::Saturday => "Sat",
        Weekday::Sunday => "Sun",
    };
    let month = MONTHS.get(usize::from(u8::from(at.month())) - 1).copied().unwrap_or_default();
    let (day, year) = (at.day(), at.year());
    format!("{weekday}, {day:02} {month} {year:04} {:02}:{:02}:{:02} GMT", at.hour(), at.minute(), at.second())
}

/// A moment beyond the years that can be written is the beginning of time.
fn utc(moment: Moment) -> OffsetDateTime {
    let nanoseconds = i128::from(moment.0).saturating_mul(1_000_000);
    OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_moment_is_written_in_utc_with_milliseconds() {
        assert_eq!(rfc3339(Moment(0)), "1970-01-01T00:00:00.000Z");
        assert_eq!(rfc3339(Moment(1_709_210_096_007)), "2024-02-29T12:34:56.007Z");
        assert_eq!(rfc3339(Moment(i64::MAX)), "1970-01-01T00:00:00.000Z");
    }

    #[test]
    fn a_header_has_the_date_of_rfc_9110() {
        assert_eq!(http_date(Moment(784_111_777_999)), "Sun, 06 Nov 1994 08:49:37 GMT");
        assert_eq!(http_date(Moment(1_709_210_096_007)), "Thu, 29 Feb 2024 12:34:56 GMT");
    }
}
