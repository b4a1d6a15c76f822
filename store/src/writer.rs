//! The one writer of a SQLite store: a thread that commits in groups.
//!
//! Everything queued while the last commit was syncing goes into the next transaction, and is answered only after the
//! sync. So a hundred refreshes cost one sync, and "acknowledged" means on disk.

use crate::db::{BoxFuture, Tx};
use crate::error::{Error, Result};
use crate::remembered::Remembered;
use crate::sqlite_tx::SqliteTx;
use rusqlite::Connection;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Weak, mpsc};
use std::task::{Context, Poll, Waker};
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Most jobs of one transaction: bounds how long the first of them waits.
const MOST_JOBS: usize = 512;

/// A commit takes as much processor time as about a dozen refreshes. While several write, but fewer than that at a time,
/// it pays to wait for company: what is saved goes to the reads beside them. Whoever writes alone never waits.
const SEVERAL: Range<usize> = 4..12;
/// Then commits are at least this far apart.
const APART: Duration = Duration::from_millis(1);
/// How often a writer that waits looks whether more has come. Being woken for each would cost the callers more.
const LOOK: Duration = Duration::from_micros(100);

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
trait Job: Send {
    fn run(&mut self, tx: &mut Tx);
    fn answer(self: Box<Self>, committed: &Committed);
}

type Committed = std::result::Result<(), String>;
type Errand = Box<dyn FnOnce(&Connection) + Send>;

struct Asked<F, T> {
    job: Option<F>,
    taken_back: TakenBack,
    outcome: Option<Result<T>>,
    answer: oneshot::Sender<Result<T>>,
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

fn not_begun() -> Error {
    Error::Unavailable("the write was not begun".into())
}

enum Order {
    /// A part of the next transaction, and the runtime on which its caller waits.
    Job(Box<dyn Job>, Option<Handle>),
    /// Something to do between two transactions: the end of a checkpoint, the snapshot of a backup.
    Between(Errand),
}

/// The way to the writer thread. When the last one is dropped, the thread finishes its queue and ends.
#[derive(Clone, Debug)]
pub struct Writer {
    orders: Arc<mpsc::Sender<Order>>,
}

/// A way to the writer thread that does not keep it running.
#[derive(Debug)]
pub(crate) struct WeakWriter(Weak<mpsc::Sender<Order>>);

impl WeakWriter {
    pub(crate) fn upgrade(&self) -> Option<Writer> {
        self.0.upgrade().map(|orders| Writer { orders })
    }
}

impl std::fmt::Debug for Order {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Order")
    }
}

impl Writer {
    /// Starts the thread.
    pub(crate) fn start(
        connection: Connection,
        remembered: Arc<Remembered>,
    ) -> Result<(Self, std::thread::JoinHandle<()>)> {
        let (orders, queue) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name("writer".into())
            .spawn(move || run(connection, &queue, &remembered))
            .map_err(|error| Error::Io("starting the writer thread".into(), error))?;
        Ok((Self { orders: Arc::new(orders) }, thread))
    }

    /// Puts `job` into the next transaction at once; what is given back waits until that is on disk. It is no async
    /// function: the job would then be part of every future around it, and be copied with each.
    pub(crate) fn write<T, F>(
        &self,
        taken_back: TakenBack,
        job: F,
    ) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let job = Box::new(Asked { job: Some(job), taken_back, outcome: None, answer });
        let ordered = self.order(Order::Job(job, Handle::try_current().ok()));
        async move {
            ordered?;
            answered.await.unwrap_or_else(|_| Err(not_begun()))
        }
    }

    /// Runs `errand` between two transactions, on the writer's connection.
    pub(crate) fn between(&self, errand: impl FnOnce(&Connection) + Send + 'static) -> Result<()> {
        self.order(Order::Between(Box::new(errand)))
    }

    pub(crate) fn weak(&self) -> WeakWriter {
        WeakWriter(Arc::downgrade(&self.orders))
    }

    fn order(&self, order: Order) -> Result<()> {
        self.orders.send(order).map_err(|_| Error::Unavailable("the writer thread has ended".into()))
    }
}

fn run(connection: Connection, queue: &mpsc::Receiver<Order>, remembered: &Remembered) {
    // Before this moment the next group is not committed.
    let mut not_before = Instant::now();
    let mut tx = Tx::Sqlite(SqliteTx::new(connection));
    while let Ok(order) = queue.recv() {
        let mut next = Some(order);
        while let Some(order) = next.take() {
            match order {
                Order::Between(errand) => {
                    if let Tx::Sqlite(inner) = &tx {
                        errand(&inner.connection);
                    }
                }
                Order::Job(job, callers) => {
                    let (answers, after) = one_group(&mut tx, job, queue, remembered, not_before);
                    next = after;
                    let pause = if SEVERAL.contains(&answers.waiting.len()) { APART } else { Duration::ZERO };
                    not_before = Instant::now() + pause;
                    if let Some(callers) = callers {
                        callers.spawn(async move { drop(answers) });
                    }
                }
            }
        }
    }
}

/// The answers of a group, given when this is dropped. Waking a caller from outside its runtime costs microseconds,
/// from inside next to nothing: so the whole group is answered there, and the writer begins the next.
#[derive(Default)]
struct Answers {
    waiting: Vec<Box<dyn Job>>,
    committed: Option<Committed>,
}

impl Answers {
    fn run(&mut self, mut job: Box<dyn Job>, tx: &mut Tx) {
        job.run(tx);
        self.waiting.push(job);
    }
}

impl Drop for Answers {
    fn drop(&mut self) {
        let stopped = || Err("the writer stopped before the commit".into());
        let committed = self.committed.take().unwrap_or_else(stopped);
        for job in self.waiting.drain(..) {
            job.answer(&committed);
        }
    }
}

/// One transaction: the first job and all that are waiting. Gives an order that belongs after it, too.
fn one_group(
    tx: &mut Tx,
    first: Box<dyn Job>,
    queue: &mpsc::Receiver<Order>,
    remembered: &Remembered,
    not_before: Instant,
) -> (Answers, Option<Order>) {
    let mut answers = Answers::default();
    let mut next = None;
    // Nobody else writes these files, so they need not be locked before they are used, and seldom both are.
    if let Err(error) = batch(tx, "BEGIN") {
        // The job is dropped unrun, and its caller hears that the database is not available.
        tracing::error!(%error, "a transaction could not be begun");
        return (answers, None);
    }
    answers.run(first, tx);
    // Where SQLite took the whole transaction back (a full disk), a further job would be committed by itself, and then
    // be told no with the rest.
    while answers.waiting.len() < MOST_JOBS && in_transaction(tx) && !is_spoilt(tx) {
        match queue.try_recv() {
            Ok(Order::Job(job, _)) => answers.run(job, tx),
            Ok(other) => {
                next = Some(other);
                break;
            }
            Err(_) if Instant::now() < not_before => std::thread::sleep(LOOK),
            Err(_) => break,
        }
    }
    let committed = if is_spoilt(tx) {
        Err(Error::Unavailable("a write of the same group failed".into()))
    } else {
        batch(tx, "COMMIT")
    };
    let committed = committed.map_err(|error| {
        tracing::error!(%error, jobs = answers.waiting.len(), "a group of writes could not be committed");
        let _already_over = batch(tx, "ROLLBACK");
        error.to_string()
    });
    answers.committed = Some(committed);
    // Before anyone is answered: an acknowledged revocation is in force at once.
    if let Tx::Sqlite(inner) = tx {
        if answers.committed.as_ref().is_none_or(|committed| committed.is_err()) {
            inner.at_hand.clear();
        }
        remembered.forget(&std::mem::take(&mut inner.touched));
        inner.spoilt = false;
    }
    (answers, next)
}

fn is_spoilt(tx: &Tx) -> bool {
    matches!(tx, Tx::Sqlite(inner) if inner.spoilt)
}

/// How many rows were ever changed on this connection.
fn changes(tx: &Tx) -> u64 {
    match tx {
        Tx::Sqlite(inner) => inner.connection.total_changes(),
        Tx::Postgres(_) => 0,
    }
}

fn in_transaction(tx: &Tx) -> bool {
    matches!(tx, Tx::Sqlite(inner) if !inner.connection.is_autocommit())
}

fn batch(tx: &mut Tx, sql: &str) -> Result<()> {
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
