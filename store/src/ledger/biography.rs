//! All that the ledger tells of one patient or of one user, in the order of the moments at which it happened.

use super::names::{NamedLine, name};
use super::reading::{LedgerPosition, LedgerSpan, at, places};
use crate::error::Result;
use crate::lines::event::Event;
use crate::lines::line::{Concern, Line};
use crate::sql::arg::args;
use crate::sql::statement::statements;
use crate::store::Store;
use rules::ids::UserId;
use rules::moment::Moment;

/// Lines that are read at a time.
const PLACES: i64 = 500;

statements! {
    ABOUT_SINCE = "SELECT at, id FROM ledger.subjects WHERE subject = $1 AND (at, id) > ($2, $3)
    ORDER BY at, id LIMIT $4";
    OWN_PATIENT = "SELECT patient_id FROM users WHERE id = $1 AND patient_id IS NOT NULL";
}

/// Gives every line of a span that concerns somebody, in the order of their moments, as long as `line` says yes to more.
pub async fn each_about(
    store: &Store,
    whom: Concern,
    span: LedgerSpan,
    wanted: impl Fn(&Line) -> bool,
    line: impl FnMut(NamedLine) -> bool,
) -> Result<()> {
    let subjects = match whom {
        Concern::Patient(patient) => vec![patient.0],
        Concern::User(user) => {
            let mut subjects = vec![user.0];
            subjects.extend(own_patients(store, user).await?);
            subjects
        }
    };
    walk(store, &subjects, span, |line| line.concerns(whom) && wanted(line), line).await
}

/// The patients under whose numbers a user's looks at their own record are found: the one of today, and those whom the
/// account had before, which the lines of its changes tell.
async fn own_patients(store: &Store, user: UserId) -> Result<Vec<i64>> {
    let mut own = store.db.page(OWN_PATIENT, args![user], |row| row.int(0)).await?;
    let mut after = beginning(LedgerSpan::ALL);
    loop {
        let places = places(store, ABOUT_SINCE, user.0, after, PLACES).await?;
        let Some(last) = places.last() else { break };
        after = *last;
        let lines = at(store, &places).await?;
        let changes = lines.iter().filter(|placed| placed.line.event == Event::UserChanged);
        own.extend(changes.filter_map(|placed| placed.line.about.patient).map(|patient| patient.0));
    }
    own.sort_unstable();
    own.dedup();
    Ok(own)
}

/// Gives the lines that are found by any of the numbers.
async fn walk(
    store: &Store,
    subjects: &[i64],
    span: LedgerSpan,
    wanted: impl Fn(&Line) -> bool,
    mut line: impl FnMut(NamedLine) -> bool,
) -> Result<()> {
    let mut after = beginning(span);
    loop {
        let mut next = Vec::new();
        for subject in subjects {
            next.extend(places(store, ABOUT_SINCE, *subject, after, PLACES).await?);
        }
        // Each number gave its own next: among all of them, so many are the next of all.
        next.sort_unstable();
        next.dedup();
        next.truncate(usize::try_from(PLACES).unwrap_or(usize::MAX));
        let Some(last) = next.last() else { return Ok(()) };
        after = *last;
        next.retain(|place| span.holds(place.at));
        let is_over = next.is_empty();
        let mut lines = at(store, &next).await?;
        lines.retain(|placed| wanted(&placed.line));
        for named in name(store, lines).await? {
            if !line(named) {
                return Ok(());
            }
        }
        if is_over {
            return Ok(());
        }
    }
}

/// Before the first line of a span.
const fn beginning(span: LedgerSpan) -> LedgerPosition {
    LedgerPosition { at: Moment(span.since.0.saturating_sub(1)), id: i64::MAX }
}
