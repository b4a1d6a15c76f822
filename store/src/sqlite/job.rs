//! A write on its way through the writer: run within a transaction, taken back if it fails, and answered.

use super::transaction::SqliteTx;
use crate::error::{Error, Result};
use crate::lines::notebook::Notebook;
use std::panic::{AssertUnwindSafe, catch_unwind};
use tokio::sync::oneshot;

/// How a job that fails is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Rollback {
    /// By itself, to a savepoint of its own: others of its group have nothing to do with it.
    Alone,
    /// With its whole group, which is then answered that the database is not available. For a job that fails only
    /// where the disk does: a savepoint would cost it as much as its statements.
    WithItsGroup,
    /// With its transaction, which it has to itself. For a job of many rows: under a savepoint SQLite keeps every page as it
    /// was, and at the end of each statement walks through all that it kept.
    WithItsTransaction,
}

/// A write on its way: run within a transaction, and answered once that is on disk or is known not to be.
pub(super) trait Job: Send {
    /// Whether its transaction is its own, and no other job's.
    fn is_by_itself(&self) -> bool;
    fn run(&mut self, tx: &mut SqliteTx);
    fn answer(self: Box<Self>, commit: &Commit);
}

/// What became of the commit; if it failed, why.
pub(super) type Commit = std::result::Result<(), String>;

pub(super) struct Work<F, T> {
    job: Option<F>,
    rollback: Rollback,
    outcome: Option<Result<T>>,
    answer: oneshot::Sender<Result<T>>,
}

impl<F, T> Work<F, T> {
    /// A job that has not run yet, and who is to hear of it.
    pub(super) const fn new(job: F, rollback: Rollback, answer: oneshot::Sender<Result<T>>) -> Self {
        Self { job: Some(job), rollback, outcome: None, answer }
    }
}

impl<F, T> Job for Work<F, T>
where
    T: Send,
    F: FnOnce(&mut SqliteTx) -> Result<T> + Send,
{
    fn is_by_itself(&self) -> bool {
        self.rollback == Rollback::WithItsTransaction
    }

    fn run(&mut self, tx: &mut SqliteTx) {
        self.outcome = self.job.take().map(|job| match self.rollback {
            Rollback::Alone => under_savepoint(tx, job),
            Rollback::WithItsGroup | Rollback::WithItsTransaction => at_the_groups_risk(tx, job),
        });
    }

    fn answer(self: Box<Self>, commit: &Commit) {
        let outcome = match (commit, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            // A transaction that was its own failed for its own reason.
            (Err(_), Some(outcome @ Err(_))) if self.rollback == Rollback::WithItsTransaction => outcome,
            (Ok(()), None) => Err(not_begun()),
            (Err(why), _) => Err(Error::Unavailable(why.clone())),
        };
        // The caller may have gone away; what it asked for is done all the same.
        let _gone = self.answer.send(outcome);
    }
}

pub(super) fn not_begun() -> Error {
    Error::Unavailable("the write was not begun".into())
}

/// Runs one job whose failure, even a panic, undoes all of its group.
fn at_the_groups_risk<T>(tx: &mut SqliteTx, job: impl FnOnce(&mut SqliteTx) -> Result<T>) -> Result<T> {
    let before = tx.changes();
    let outcome = unwinding(tx, job);
    if outcome.is_err() && tx.changes() != before {
        tx.spoilt = true;
    }
    outcome
}

/// Runs one job so that its failure, even a panic, undoes that job alone.
fn under_savepoint<T>(tx: &mut SqliteTx, job: impl FnOnce(&mut SqliteTx) -> Result<T>) -> Result<T> {
    tx.run("SAVEPOINT job")?;
    match unwinding(tx, job) {
        Ok(value) => tx.run("RELEASE job").map(|()| value),
        Err(error) => {
            let undone = tx.run("ROLLBACK TO job").and_then(|()| tx.run("RELEASE job"));
            if undone.is_err() && tx.is_open() {
                // A half of the job must not be committed, not even at the price of the whole group.
                tx.run("ROLLBACK")?;
            }
            Err(error)
        }
    }
}

/// Runs a job; a panic of it is an error of it. What failed has no lines.
fn unwinding<T>(tx: &mut SqliteTx, job: impl FnOnce(&mut SqliteTx) -> Result<T>) -> Result<T> {
    // Who did what the job before did has nothing to do with this one.
    tx.trays.sign(None);
    let before = tx.trays.fill();
    let outcome = catch_unwind(AssertUnwindSafe(|| job(tx)));
    let outcome = outcome.unwrap_or_else(|_| Err(Error::Impossible("a write job panicked".into())));
    if outcome.is_err() {
        tx.trays.cut(before);
    }
    outcome
}
