//! The records as they were at one moment, as an export gives them, step by step.

use super::noted::Noted;
use super::read;
use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use rules::ids::RowId;
use rules::limits::EXPORT_READ_ROWS;
use std::collections::BTreeSet;
use store::export::snapshot::{self, Run, Snapshot};

/// The resources of the next rows of a run, which is moved on behind them; `None` where it has no more. Those that are known to
/// be damaged are passed over. Where the ledger is written before answers, they are in it when this returns.
pub(crate) async fn step(
    app: &App,
    caller: &Caller,
    of: &Snapshot,
    run: &mut Run,
    damaged: &BTreeSet<RowId>,
) -> Result<Option<Vec<Noted>>, ApiStop> {
    let rows = snapshot::rows(&app.store, caller.reach(), of, run, EXPORT_READ_ROWS).await;
    let mut rows = rows.during("walking an export")?;
    let Some(last) = rows.last().copied() else { return Ok(None) };
    rows.retain(|row| !damaged.contains(row));
    let page = snapshot::read(&app.store, caller.reach(), of, &rows, caller.now()).await;
    let page = page.during("reading an export")?;
    run.after = page.entries.last().filter(|_| page.is_full).map_or(last, |found| found.row);
    let found = Noted::all(app, caller, page.entries);
    for one in &found {
        read::open(app, caller, one).await?;
    }
    if app.settings.ledger.is_before_answer() && !found.is_empty() {
        let written = app.accesses.are_written().await;
        written.map_err(|error| Trouble::passing("writing down who looked", error))?;
    }
    Ok(Some(found))
}
