//! The lines of the ledger that concern a patient, newest first, in pages: the one place that asks the store for them.

use crate::app::Shared;
use crate::app::access_writer;
use crate::app::trouble::During;
use crate::voices::page::PageStop;
use rules::ids::UserId;
use rules::moment::Moment;
use std::fmt;
use store::ledger::{self, Line};

/// Behind which line a page begins: a moment, and the line's number among those of one moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct LogPosition {
    at: Moment,
    id: i64,
}

impl LogPosition {
    /// As an address says it: `1763199000000.42`.
    pub(super) fn named(text: &str) -> Option<Self> {
        let (at, id) = text.split_once('.')?;
        Some(Self { at: Moment(at.parse().ok()?), id: id.parse().ok()? })
    }
}

impl fmt::Display for LogPosition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.at.0, self.id)
    }
}

/// Some lines, and where those after them begin.
pub(super) struct LogLines {
    pub(super) lines: Vec<Line>,
    pub(super) next: Option<LogPosition>,
}

/// The newest lines behind a position.
pub(super) async fn page(
    app: &Shared,
    user: UserId,
    patient: &str,
    behind: Option<LogPosition>,
    count: usize,
) -> Result<LogLines, PageStop> {
    if behind.is_none() {
        // What was counted in the last moments belongs there too.
        access_writer::flush(app).await;
    }
    let before = behind.map_or(i64::MAX, |position| position.id);
    let one_more = i64::try_from(count + 1).unwrap_or(i64::MAX);
    let mut lines =
        ledger::of_patient(&app.store, patient, user, before, one_more).await.during("reading the ledger")?;
    let more = lines.len() > count;
    lines.truncate(count);
    let next = lines.last().filter(|_| more).map(|last| LogPosition { at: last.at, id: last.id });
    lines.sort_by_key(|line| std::cmp::Reverse((line.at, line.id)));
    Ok(LogLines { lines, next })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_read_as_it_was_written_and_nothing_else_is() {
        let position = LogPosition { at: Moment(1_763_199_000_000), id: 42 };
        assert_eq!(LogPosition::named(&position.to_string()), Some(position));
        for wrong in ["", "42", "x.1", "1.", ".1", "1.2.3"] {
            assert_eq!(LogPosition::named(wrong), None, "{wrong}");
        }
    }
}
