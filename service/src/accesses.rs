//! Who looked at whose record: counted as requests are answered, written to the ledger every few seconds.
//!
//! A line per request would double the cost of a read. Accesses of one caller to one part of one record within a few seconds
//! are one line that says how many; none is left out. A killed process loses the last five seconds at most.

use crate::app::Shared;
use crate::caller::Caller;
use rules::moment::Moment;
use rules::reach::Reach;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use store::ledger::{self, About};
use tokio::sync::watch;

const EVERY: Duration = Duration::from_secs(5);

/// First moment and number of looks, by who looked at whose record and at which part of it.
type Counted = HashMap<(About, &'static str), (Moment, i64)>;

/// What was looked at since the ledger was last written. Only callers with a valid token get in here.
#[derive(Debug, Default)]
pub struct Accesses {
    counted: Mutex<Counted>,
}

impl Accesses {
    /// Counts one look at a part of a patient's record.
    pub fn note(&self, caller: &Caller, patient: Option<&str>, what: &'static str) {
        let patient = match (&caller.reach, patient) {
            // A patient's session sees one record, whoever else's documents carry the same content.
            (Reach::Patient(own), _) => own.clone(),
            (_, Some(patient)) => patient.to_owned(),
            (_, None) => return,
        };
        let (team, organisation) = match &caller.reach {
            Reach::Patient(_) => (None, None),
            Reach::Teams(teams) => (teams.first().copied(), None),
            Reach::Organisation(organisation) => (None, Some(*organisation)),
        };
        let about =
            About { client: Some(caller.client), user: caller.user, team, organisation, patient: Some(patient) };
        let mut counted = self.counted.lock().unwrap_or_else(PoisonError::into_inner);
        counted.entry((about, what)).or_insert((caller.now, 0)).1 += 1;
    }

    fn take(&self) -> Vec<ledger::Accesses> {
        let counted = std::mem::take(&mut *self.counted.lock().unwrap_or_else(PoisonError::into_inner));
        let lines = counted.into_iter();
        lines.map(|((about, what), (at, times))| ledger::Accesses { at, about, what, times }).collect()
    }
}

/// Writes what was counted, every few seconds and once more at the end.
pub async fn write(app: Shared, mut stop: watch::Receiver<bool>) {
    loop {
        let over = tokio::select! {
            () = tokio::time::sleep(EVERY) => false,
            _ = stop.wait_for(|stop| *stop) => true,
        };
        flush(&app).await;
        if over {
            return;
        }
    }
}

/// Writes what was counted so far.
pub async fn flush(app: &Shared) {
    let lines = app.accesses.take();
    if lines.is_empty() {
        return;
    }
    let count = lines.len();
    if let Err(error) = ledger::record(&app.store, lines).await {
        tracing::error!(%error, count, "accesses could not be written to the ledger");
    }
}
