//! The lines of the ledger that concern a patient, newest first, in pages: the one place that asks the store for them.

use crate::app::Shared;
use crate::app::access_writer;
use crate::app::trouble::During;
use crate::voices::page::PageStop;
use rules::ids::{PatientId, UserId};
use rules::moment::Moment;
use store::ledger::{self, About, LedgerPosition, NamedLine};
use store::patients;

/// Some lines, and where those after them begin.
pub(super) struct LogLines {
    pub(super) lines: Vec<NamedLine>,
    pub(super) next: Option<LedgerPosition>,
}

/// The newest lines before a place.
pub(super) async fn page(
    app: &Shared,
    user: UserId,
    patient: &str,
    before: LedgerPosition,
    count: usize,
) -> Result<LogLines, PageStop> {
    if before == LedgerPosition::NEWEST {
        // What was counted in the last moments belongs there too.
        access_writer::flush(app).await;
    }
    let one_more = i64::try_from(count + 1).unwrap_or(i64::MAX);
    let mut lines = match patients::find(&app.store, patient).await.during("finding the patient")? {
        Some(patient) => {
            ledger::of_patient(&app.store, patient, user, before, one_more).await.during("reading the ledger")?
        }
        None => Vec::new(),
    };
    let more = lines.len() > count;
    lines.truncate(count);
    let next = lines.last().filter(|_| more).map(LedgerPosition::of);
    Ok(LogLines { lines, next })
}

/// The line at a place, if it is one of this patient's record; with our number of the patient, and of whom else it concerns.
pub(super) async fn line(
    app: &Shared,
    patient: &str,
    place: LedgerPosition,
) -> Result<Option<(PatientId, NamedLine, About)>, PageStop> {
    let Some(number) = patients::find(&app.store, patient).await.during("finding the patient")? else {
        return Ok(None);
    };
    let found = ledger::line_of_patient(&app.store, number, place).await.during("reading the ledger")?;
    Ok(found.map(|(line, about)| (number, line, about)))
}

/// A place as an address says it: `1763199000000.42`.
pub(super) fn text(place: LedgerPosition) -> String {
    format!("{}.{}", place.at.0, place.id)
}

/// The place that an address says.
pub(super) fn place(text: &str) -> Option<LedgerPosition> {
    let (at, id) = text.split_once('.')?;
    Some(LedgerPosition { at: Moment(at.parse().ok()?), id: id.parse().ok()? })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written_and_nothing_else_is() {
        let written = LedgerPosition { at: Moment(1_763_199_000_000), id: 42 };
        assert_eq!(place(&text(written)), Some(written));
        for wrong in ["", "42", "x.1", "1.", ".1", "1.2.3"] {
            assert_eq!(place(wrong), None, "{wrong}");
        }
    }
}
