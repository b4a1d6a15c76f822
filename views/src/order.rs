//! The order of lists: the newest clinical date first, then by id.

use fhir::values::span::Span;
use std::cmp::{Ordering, Reverse};

/// Where an item stands in its list. What comes first is less.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ListKey {
    /// When it began, in microseconds since 1970; what has no date is last.
    pub date: Option<i64>,
    pub id: String,
}

impl ListKey {
    /// By a clinical date, as it is written, and an id.
    #[must_use]
    pub fn new(date: Option<&str>, id: &str) -> Self {
        Self { date: date.and_then(Span::read).map(|span| span.low), id: id.into() }
    }
}

impl Ord for ListKey {
    fn cmp(&self, other: &Self) -> Ordering {
        Reverse(self.date).cmp(&Reverse(other.date)).then_with(|| self.id.cmp(&other.id))
    }
}

impl PartialOrd for ListKey {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_newest_is_first_and_what_has_no_date_last() {
        let mut keys = [
            ListKey::new(None, "a"),
            ListKey::new(Some("2026"), "b"),
            ListKey::new(Some("2026-05-04"), "d"),
            ListKey::new(Some("2026-05-04"), "c"),
            ListKey::new(Some("2026-05-04T00:00:00+02:00"), "e"),
            ListKey::new(Some("2027-01"), "f"),
        ];
        keys.sort();
        assert_eq!(keys.map(|key| key.id).concat(), "fcdeba");
    }
}
