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

/// How often a job can be run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobRun {
    /// Once, and this is how it is taken back.
    Once(Rollback),
    /// As often as need be. It has no savepoint where all before it in its transaction can be run again, too: should it fail,
    /// they all are, each under a savepoint of its own. Under one SQLite copies every page before it changes it, which for the
    /// one job in thousands that fails would be done for all.
    Repeatable,
}

/// What catches a repeatable job that fails.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Net {
    /// All that ran in its transaction can be run again.
    #[default]
    Repetition,
    Savepoint,
}

/// A write on its way: run within a transaction, and answered once that is on disk or is known not to be.
pub(super) trait Job: Send {
    /// Whether its transaction is its own, and no other job's.
    fn is_by_itself(&self) -> bool;
    fn is_repeatable(&self) -> bool;
    fn run(&mut self, tx: &mut SqliteTx, net: Net);
    fn answer(self: Box<Self>, commit: &Commit);
}

/// What became of the commit; if it failed, why.
pub(super) type Commit = std::result::Result<(), String>;

pub(super) struct Work<F, T> {
    job: F,
    way: JobRun,
    /// What became of the last time that it was run.
    outcome: Option<Result<T>>,
    answer: oneshot::Sender<Result<T>>,
}

impl<F, T> Work<F, T> {
    /// A job that has not run yet, and who is to hear of it.
    pub(super) const fn new(job: F, way: JobRun, answer: oneshot::Sender<Result<T>>) -> Self {
        Self { job, way, outcome: None, answer }
    }
}

impl<F, T> Job for Work<F, T>
where
    T: Send,
    F: FnMut(&mut SqliteTx) -> Result<T> + Send,
{
    fn is_by_itself(&self) -> bool {
        self.way == JobRun::Once(Rollback::WithItsTransaction)
    }

    fn is_repeatable(&self) -> bool {
        self.way == JobRun::Repeatable
    }

    fn run(&mut self, tx: &mut SqliteTx, net: Net) {
        self.outcome = Some(match (self.way, net) {
            (JobRun::Once(Rollback::Alone), _) | (JobRun::Repeatable, Net::Savepoint) => {
                under_savepoint(tx, &mut self.job)
            }
            (JobRun::Once(Rollback::WithItsGroup | Rollback::WithItsTransaction), _)
            | (JobRun::Repeatable, Net::Repetition) => at_the_groups_risk(tx, &mut self.job),
        });
    }

    fn answer(self: Box<Self>, commit: &Commit) {
        let outcome = match (commit, self.outcome) {
            (Ok(()), Some(outcome)) => outcome,
            // A transaction that was its own failed for its own reason.
            (Err(_), Some(outcome @ Err(_))) if self.way == JobRun::Once(Rollback::WithItsTransaction) => outcome,
            (Ok(()), None) => Err(not_begun()),
            (Err(why), _) => Err(Error::Unavailable(why.clone())),
        };
        // The caller may have gone away; what it asked for is done all the same.
        let _gone = self.answer.send(outcome);
    }
}

/// A job that can be run once, as the writer takes it.
pub(super) fn once<T>(job: impl FnOnce(&mut SqliteTx) -> Result<T>) -> impl FnMut(&mut SqliteTx) -> Result<T> {
    let mut job = Some(job);
    move |tx| job.take().ok_or_else(not_begun)?(tx)
}

pub(super) fn not_begun() -> Error {
    Error::Unavailable("the write was not begun".into())
}

/// Runs one job whose failure, even a panic, spoils its transaction, if it changed anything before.
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
            // What is at hand may be as the job left it.
            tx.hand.clear();
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
    tx.outboxes.sign(None);
    let before = tx.outboxes.fill();
    let outcome = catch_unwind(AssertUnwindSafe(|| job(tx)));
    let outcome = outcome.unwrap_or_else(|_| Err(Error::Impossible("a write job panicked".into())));
    if outcome.is_err() {
        tx.outboxes.cut(before);
        // One that panicked in a look would leave its bound to the statements of others.
        let _unset = tx.end_looks();
    }
    outcome
}
