//! The ledger: every line by the hash of the one before, and that those whom it concerns find it.

use super::examination::Examination;
use super::fault::Fault;
use crate::error::Result;
use crate::ledger;
use crate::store::Store;

pub(super) async fn examine(examination: &mut Examination<'_>, store: &Store) -> Result<()> {
    let progress = |done: i64, all: i64| {
        examination.all = all.unsigned_abs();
        examination.advance(done.unsigned_abs().saturating_sub(examination.done));
    };
    let verdict = ledger::verify(store, &[], progress).await?;
    for breach in &verdict.breaches {
        examination.tell(&Fault::new(format!("line {}", breach.line), breach.to_string()));
    }
    for line in &verdict.hidden {
        examination.tell(&Fault::new(format!("line {line}"), "whom it concerns does not find it"));
    }
    Ok(())
}
