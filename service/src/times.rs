//! Times and durations as people and files write them: `2026-02-01T09:30:00.000Z`, `90d`.

use rules::moment::Moment;
use time::OffsetDateTime;

/// A moment as RFC 3339 writes it, in UTC, to the millisecond.
#[must_use]
pub fn rfc3339(moment: Moment) -> String {
    let nanoseconds = i128::from(moment.0).saturating_mul(1_000_000);
    let at = OffsetDateTime::from_unix_timestamp_nanos(nanoseconds).unwrap_or(OffsetDateTime::UNIX_EPOCH);
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

const UNITS: [(&str, i64); 4] = [("d", 86_400), ("h", 3600), ("m", 60), ("s", 1)];

/// Reads `90d`, `12h`, `30m` or `45s` as seconds. Nothing lasts for no time at all.
#[must_use]
pub fn seconds(text: &str) -> Option<i64> {
    let (digits, each) = UNITS.iter().find_map(|(unit, each)| Some((text.strip_suffix(unit)?, *each)))?;
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    digits.parse::<i64>().ok()?.checked_mul(each).filter(|seconds| *seconds > 0)
}

/// Seconds in the largest unit that fits evenly.
#[must_use]
pub fn duration(seconds: i64) -> String {
    let fitting = UNITS.iter().find(|(_, each)| seconds % each == 0);
    fitting.map_or_else(|| format!("{seconds}s"), |(unit, each)| format!("{}{unit}", seconds / each))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_duration_is_read_and_written_the_same_way() {
        for (text, worth) in [("90d", 7_776_000), ("12h", 43_200), ("30m", 1800), ("45s", 45)] {
            assert_eq!(seconds(text), Some(worth), "{text}");
            assert_eq!(duration(worth), text);
        }
    }

    #[test]
    fn what_is_no_duration_is_not_read_as_one() {
        for text in ["", "d", "0d", "-1d", "+1d", "1.5h", "90", "90 d", "1w", "99999999999999999d"] {
            assert_eq!(seconds(text), None, "{text}");
        }
    }

    #[test]
    fn a_moment_is_written_in_utc_to_the_millisecond() {
        assert_eq!(rfc3339(Moment(1_767_225_600_007)), "2026-01-01T00:00:00.007Z");
    }
}
