//! The ledger: every line by the hash of the one before, every closed month by its root, and that those whom a line concerns
//! find it.

use super::examination::Examination;
use super::fault::Fault;
use crate::error::Result;
use crate::ledger::{self, Evidence};
use crate::store::Store;

pub(super) async fn examine(examination: &mut Examination<'_>, store: &Store) -> Result<()> {
    let evidence = Evidence { notary: examination.notary, ..Evidence::default() };
    let progress = |done: i64, all: i64| {
        examination.all = all.unsigned_abs();
        examination.advance(done.unsigned_abs().saturating_sub(examination.done));
    };
    let verdict = ledger::verify(store, &evidence, progress).await?;
    for (at, problem) in verdict.words() {
        examination.tell(&Fault::new(at, problem));
    }
    Ok(())
}
