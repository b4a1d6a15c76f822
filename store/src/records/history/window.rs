//! The window of time whose versions a history tells.

use fhir::values::span::Span;

/// Since when (`_since`) a version must have been made, and within which time (`_at`) it must have been the newest; in
/// milliseconds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HistoryWindow {
    /// The first moment at which it may have been made.
    pub since: i64,
    /// The moment before which it must have been made.
    pub until: i64,
    /// The moment after which the next version must have come, if there is one.
    pub beyond: i64,
}

impl HistoryWindow {
    /// All of a history.
    pub const ALL: Self = Self { since: i64::MIN, until: i64::MAX, beyond: i64::MIN };

    /// What was made since the beginning of one span, and was the newest at some moment of the other.
    #[must_use]
    pub fn of(since: Option<Span>, at: Option<Span>) -> Self {
        let from_above = |micros: i64| micros.div_euclid(1000).saturating_add(i64::from(micros.rem_euclid(1000) > 0));
        Self {
            since: since.map_or(i64::MIN, |since| from_above(since.low)),
            until: at.map_or(i64::MAX, |at| from_above(at.high)),
            beyond: at.map_or(i64::MIN, |at| at.low.div_euclid(1000)),
        }
    }

    /// Whether a version of this moment was made in time.
    pub(crate) const fn has(&self, moment: i64) -> bool {
        self.since <= moment && moment < self.until
    }
}

/// The moment at which the next version of the past version `v` of the resource `r` came.
pub(crate) const NEXT: &str = "coalesce((SELECT n.updated_at FROM versions n
    WHERE n.resource_id = v.resource_id AND n.version = v.version + 1), r.updated_at)";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stretch_is_in_whole_milliseconds_that_hold_what_was_said() {
        let span = |text| Span::read(text);
        let whole = HistoryWindow::of(span("1970-01-01T00:00:01Z"), span("1970-01-01T00:00:02Z"));
        assert_eq!(whole, HistoryWindow { since: 1000, until: 3000, beyond: 2000 });
        let finer = HistoryWindow::of(span("1970-01-01T00:00:00.0015Z"), None);
        assert_eq!(finer, HistoryWindow { since: 2, ..HistoryWindow::ALL });
        assert!(finer.has(2) && !finer.has(1) && !whole.has(3000) && HistoryWindow::ALL.has(0));
    }
}
