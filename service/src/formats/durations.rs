//! Durations as files and the command line write them: `90d`, `12h`, `30m`, `45s`.

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
}
