//! The lines of the ledger that concern a patient, newest first, in pages: the one place that asks the store for them. That a patient
//! reads their log is no look at the record.

use crate::app::Shared;
use crate::app::access_writer;
use crate::app::trouble::{During, Trouble};
use rules::ids::{PatientId, UserId};
use store::ledger::{self, About, LedgerPosition, NamedLine};
use store::patients;

/// Some lines, and where those after them begin.
#[derive(Debug)]
pub(crate) struct LogLines {
    pub lines: Vec<NamedLine>,
    pub next: Option<LedgerPosition>,
}

/// The newest lines before a place.
pub(crate) async fn page(
    app: &Shared,
    user: UserId,
    patient: &str,
    before: LedgerPosition,
    count: usize,
) -> Result<LogLines, Trouble> {
    if before == LedgerPosition::NEWEST {
        // What was counted in the last moments belongs there too.
        access_writer::flush(app).await;
    }
    let one_more = i64::try_from(count + 1).unwrap_or(i64::MAX);
    let lines = match patients::find(&app.store, patient).await.during("finding the patient")? {
        Some(patient) => {
            ledger::of_patient(&app.store, patient, user, before, one_more).await.during("reading the ledger")?
        }
        None => Vec::new(),
    };
    Ok(first(lines, count))
}

/// The newest lines before a place that tell of what a user did, or of their account.
pub(crate) async fn of_user(
    app: &Shared,
    user: UserId,
    before: LedgerPosition,
    count: usize,
) -> Result<LogLines, Trouble> {
    if before == LedgerPosition::NEWEST {
        access_writer::flush(app).await;
    }
    let one_more = i64::try_from(count + 1).unwrap_or(i64::MAX);
    let lines = ledger::of_user(&app.store, user, before, one_more).await.during("reading the ledger")?;
    Ok(first(lines, count))
}

/// As many of these as are asked for.
fn first(mut lines: Vec<NamedLine>, count: usize) -> LogLines {
    let more = lines.len() > count;
    lines.truncate(count);
    let next = lines.last().filter(|_| more).map(LedgerPosition::of);
    LogLines { lines, next }
}

/// The line at a place, if it is one of this patient's record; with our number of the patient, and of whom else it concerns.
pub(crate) async fn line(
    app: &Shared,
    patient: &str,
    place: LedgerPosition,
) -> Result<Option<(PatientId, NamedLine, About)>, Trouble> {
    let Some(number) = patients::find(&app.store, patient).await.during("finding the patient")? else {
        return Ok(None);
    };
    let found = ledger::line_of_patient(&app.store, number, place).await.during("reading the ledger")?;
    Ok(found.map(|(line, about)| (number, line, about)))
}
