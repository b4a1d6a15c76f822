//! A write on its way through SQLite's writer: run within a transaction, taken back if it fails, and answered.

use crate::db::{BoxFuture, Tx};
use crate::error::{Error, Result};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::task::{Context, Poll, Waker};
use tokio::sync::oneshot;

/// How a job that fails is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum TakenBack {
    /// By itself, to a savepoint of its own: others of its group have nothing to do with it.
    Alone,
    /// With its whole group, which is then answered that the database is not available. For a job that fails only
    /// where the disk does: a savepoint would cost it as much as its statements.
    WithItsGroup,
}

/// A write on its way: run within a transaction, and answered once that is on disk or is known not to be.
pub(crate) trait Job: Send {
    fn run(&mut self, tx: &mut Tx);
    fn answer(self: Box<Self>, committed: &Committed);
}

pub(crate) type Committed = std::result::Result<(), String>;

pub(crate) struct Asked<F, T> {
    job: Option<F>,
    taken_back: TakenBack,
    outcome: Option<Result<T>>,
    answer: oneshot::Sender<Result<T>>,
}

impl<F, T> Asked<F, T> {
    /// A job that has not run yet, and who is to hear of it.
    pub(crate) const fn new(job: F, taken_back: TakenBack, answer: oneshot::Sender<Result<T>>) -> Self {
        Self { job: Some(job), taken_back, outcome: None, answer }
    }
}

impl<F, T> Job for Asked<F, T>
where
    T: Send,
    F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send,
{
    fn run(&mut self, tx: &mut Tx) {
        self.outcome = self.job.take().map(|job| match self.taken_back {
            TakenBack::Alone => under_savepoint(tx, job),
            TakenBack::WithItsGroup => at_the_groups_risk(tx, job),
        });
    }

    fn answer(self: Box<Self>, committed: &Committed) {
        let outcome = match committed {
            Ok(()) => self.outcome.unwrap_or_else(|| Err(not_begun())),
            Err(why) => Err(Error::Unavailable(why.clone())),
        };
        // The caller may have gone away; what it asked for is done all the same.
        let _gone = self.answer.send(outcome);
    }
}

pub(crate) fn not_begun() -> Error {
    Error::Unavailable("the write was not begun".into())
}

/// How many rows were ever changed on this connection.
fn changes(tx: &Tx) -> u64 {
    match tx {
        Tx::Sqlite(inner) => inner.connection.total_changes(),
        Tx::Postgres(_) => 0,
    }
}

pub(crate) fn in_transaction(tx: &Tx) -> bool {
    matches!(tx, Tx::Sqlite(inner) if !inner.connection.is_autocommit())
}

pub(crate) fn batch(tx: &mut Tx, sql: &str) -> Result<()> {
    match tx {
        Tx::Sqlite(inner) => inner.execute(sql, &[]).map(|_| ()),
        Tx::Postgres(_) => Err(Error::Impossible("the writer thread is SQLite's".into())),
    }
}

/// Runs one job whose failure, even a panic, undoes all of its group.
fn at_the_groups_risk<T, F>(tx: &mut Tx, job: F) -> Result<T>
where
    F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>>,
{
    let before = changes(tx);
    let outcome = caught(tx, job);
    if outcome.is_err()
        && changes(tx) != before
        && let Tx::Sqlite(inner) = tx
    {
        inner.spoilt = true;
    }
    outcome
}

/// Runs one job so that its failure, even a panic, undoes that job alone.
fn under_savepoint<T, F>(tx: &mut Tx, job: F) -> Result<T>
where
    F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>>,
{
    batch(tx, "SAVEPOINT job")?;
    match caught(tx, job) {
        Ok(value) => batch(tx, "RELEASE job").map(|()| value),
        Err(error) => {
            let undone = batch(tx, "ROLLBACK TO job").and_then(|()| batch(tx, "RELEASE job"));
            if undone.is_err() && in_transaction(tx) {
                // A half of the job must not be committed, not even at the price of the whole group.
                batch(tx, "ROLLBACK")?;
            }
            Err(error)
        }
    }
}

fn caught<T, F>(tx: &mut Tx, job: F) -> Result<T>
where
    F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>>,
{
    catch_unwind(AssertUnwindSafe(|| poll_once(job(tx))))
        .unwrap_or_else(|_| Err(Error::Impossible("a write job panicked".into())))
}

/// On SQLite every statement is done when it is asked for, so a job is done at its first poll.
fn poll_once<T>(mut job: BoxFuture<'_, Result<T>>) -> Result<T> {
    match job.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(outcome) => outcome,
        Poll::Pending => Err(Error::Impossible("a write job awaited something other than its transaction".into())),
    }
}
