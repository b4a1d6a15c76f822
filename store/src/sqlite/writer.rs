//! The one writer of a SQLite store: a thread that commits in groups.
//!
//! Everything queued while the last commit was syncing goes into the next transaction, and is answered only after the
//! sync. So a hundred refreshes cost one sync, and "acknowledged" means on disk. Where it would be too much for one transaction,
//! callers take turns.

use super::answers::JobOrder;
use super::epochs::Epochs;
use super::group::CommitGroup;
use super::job::{JobRun, Work, not_begun};
use super::outboxes::Outboxes;
use super::transaction::SqliteTx;
use super::work_lines::WorkLines;
use crate::error::{Error, Result};
use crate::sql::caller_key::{self, CallerKey};
use crate::sql::touched::Witness;
use rusqlite::Connection;
use std::sync::{Arc, Weak, mpsc};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Most jobs of one transaction, and about the most work of all of them, in rows: bounds how long the first of them waits.
const MOST_JOBS: usize = 512;
const MOST_WORK: u64 = 2500;

/// What is counted for a job beside the rows that it changes.
const WORK_OF_A_JOB: u64 = 4;

type Errand = Box<dyn FnOnce(&Connection) + Send>;

enum WriterOrder {
    /// A part of the next transaction.
    Job(Option<CallerKey>, JobOrder),
    /// Something to do between two transactions: the end of a checkpoint, the snapshot of a backup.
    Between(Errand),
}

/// The way to the writer thread. When the last one is dropped, the thread finishes its queue and ends.
#[derive(Clone, Debug)]
pub struct Writer {
    orders: Arc<mpsc::Sender<WriterOrder>>,
}

/// A way to the writer thread that does not keep it running.
#[derive(Debug)]
pub(crate) struct WeakWriter(Weak<mpsc::Sender<WriterOrder>>);

impl WeakWriter {
    pub(crate) fn upgrade(&self) -> Option<Writer> {
        self.0.upgrade().map(|orders| Writer { orders })
    }
}

impl std::fmt::Debug for WriterOrder {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("WriterOrder")
    }
}

impl Writer {
    /// Starts the thread.
    pub(super) fn start(
        name: &str,
        connection: Connection,
        (outboxes, epochs): (Outboxes, Epochs),
        witness: Box<dyn Witness>,
    ) -> Result<(Self, std::thread::JoinHandle<()>)> {
        let (orders, queue) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name(name.into())
            .spawn(move || run(SqliteTx::new(connection, outboxes, epochs), &queue, &*witness))
            .map_err(|error| Error::Io("starting the writer thread".into(), error))?;
        Ok((Self { orders: Arc::new(orders) }, thread))
    }

    /// Puts `job` into the next transaction at once; what is given back waits until that is on disk. It is no async
    /// function: the job would then be part of every future around it, and be copied with each.
    pub(crate) fn write<T, F>(&self, way: JobRun, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: FnMut(&mut SqliteTx) -> Result<T> + Send + 'static,
    {
        let (answer, answered) = oneshot::channel();
        let job = Box::new(Work::new(job, way, answer));
        let order = JobOrder { job, runtime: Handle::try_current().ok() };
        let ordered = self.order(WriterOrder::Job(caller_key::current(), order));
        async move {
            ordered?;
            answered.await.unwrap_or_else(|_| Err(not_begun()))
        }
    }

    /// Runs `errand` between two transactions, on the writer's connection.
    pub(crate) fn between(&self, errand: impl FnOnce(&Connection) + Send + 'static) -> Result<()> {
        self.order(WriterOrder::Between(Box::new(errand)))
    }

    pub(crate) fn weak(&self) -> WeakWriter {
        WeakWriter(Arc::downgrade(&self.orders))
    }

    fn order(&self, order: WriterOrder) -> Result<()> {
        self.orders.send(order).map_err(|_| Error::Unavailable("the writer thread has ended".into()))
    }
}

fn run(mut tx: SqliteTx, arrivals: &mpsc::Receiver<WriterOrder>, witness: &dyn Witness) {
    let mut queue = WriteQueue { arrivals, jobs: WorkLines::default(), errands: Vec::new() };
    while queue.wait() {
        for errand in queue.errands.drain(..) {
            errand(&tx.connection);
        }
        if let Some((caller, first)) = queue.jobs.pop() {
            // A commit takes as much processor time as about a dozen refreshes. Whoever was about to run on this
            // core, and may be about to write too, goes first; where nobody was, this takes no time.
            std::thread::yield_now();
            one_group(&mut tx, (caller, first), &mut queue, witness);
        }
    }
}

/// What is to be done, as it comes and as it has its turn.
struct WriteQueue<'a> {
    arrivals: &'a mpsc::Receiver<WriterOrder>,
    jobs: WorkLines<JobOrder>,
    errands: Vec<Errand>,
}

impl WriteQueue<'_> {
    /// Waits until there is something to do; nothing will be when everybody who could say so is gone.
    fn wait(&mut self) -> bool {
        self.take_arrivals();
        if self.errands.is_empty() && self.jobs.peek().is_none() {
            let Ok(order) = self.arrivals.recv() else { return false };
            self.take(order);
            self.take_arrivals();
        }
        true
    }

    fn take_arrivals(&mut self) {
        while let Ok(order) = self.arrivals.try_recv() {
            self.take(order);
        }
    }

    fn take(&mut self, order: WriterOrder) {
        match order {
            WriterOrder::Job(caller, job) => self.jobs.push(caller, job),
            WriterOrder::Between(errand) => self.errands.push(errand),
        }
    }

    /// A job that may be in a transaction with others, if it is the next.
    fn next_of_group(&mut self) -> Option<(Option<CallerKey>, JobOrder)> {
        self.take_arrivals();
        if !self.errands.is_empty() || self.jobs.peek()?.job.is_by_itself() {
            return None;
        }
        self.jobs.pop()
    }
}

/// One transaction: the first job and those that are waiting, as far as it does not become too much; all of them are answered.
fn one_group(
    tx: &mut SqliteTx,
    (caller, first): (Option<CallerKey>, JobOrder),
    queue: &mut WriteQueue<'_>,
    witness: &dyn Witness,
) {
    let mut group = CommitGroup::default();
    // Nobody else writes these files, so they need not be locked before they are used, and seldom both are.
    if let Err(error) = tx.run("BEGIN") {
        // The job is dropped unrun, and its caller hears that the database is not available.
        tracing::error!(%error, "a transaction could not be begun");
        return;
    }
    let (is_by_itself, began) = (first.job.is_by_itself(), tx.work());
    run_job(&mut group, tx, (caller, first), queue);
    // Where SQLite took the whole transaction back (a full disk), a further job would be committed by itself, and then
    // be told no with the rest.
    while !is_by_itself && group.size() < MOST_JOBS && tx.work() - began < MOST_WORK && tx.is_open() && !tx.spoilt {
        let Some(next) = queue.next_of_group() else { break };
        run_job(&mut group, tx, next, queue);
    }
    let touched = std::mem::take(&mut tx.touched);
    witness.before(&touched);
    group.commit(tx);
    witness.after(&touched);
}

/// Runs one more job of a group, and notes what it was as work.
fn run_job(
    group: &mut CommitGroup,
    tx: &mut SqliteTx,
    (caller, order): (Option<CallerKey>, JobOrder),
    queue: &mut WriteQueue<'_>,
) {
    let before = tx.work();
    group.run(order, tx);
    queue.jobs.charge(caller, tx.work() - before + WORK_OF_A_JOB);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sqlite::job::Rollback;
    use std::sync::Mutex;

    #[expect(clippy::async_yields_async, reason = "every write is queued before the first is waited for")]
    #[tokio::test]
    async fn callers_take_turns_while_the_writer_is_busy() {
        let connection = Connection::open_in_memory().unwrap();
        let (writer, thread) = Writer::start("turns", connection, Default::default(), Box::new(())).unwrap();
        let (let_go, wait) = mpsc::channel::<()>();
        writer.between(move |_| wait.recv().unwrap()).unwrap();
        let ran = Arc::new(Mutex::new(Vec::new()));
        let mut writes = Vec::new();
        for (caller, name) in [(1, "one 1"), (1, "one 2"), (1, "one 3"), (2, "other 1"), (3, "third 1")] {
            let (writer, ran) = (writer.clone(), ran.clone());
            let write = caller_key::scope(async move {
                caller_key::note(CallerKey(caller));
                writer.write(JobRun::Once(Rollback::Alone), move |_| {
                    ran.lock().unwrap().push(name);
                    Ok(())
                })
            });
            writes.push(write.await);
        }
        let_go.send(()).unwrap();
        for write in writes {
            write.await.unwrap();
        }
        assert_eq!(*ran.lock().unwrap(), ["one 1", "other 1", "third 1", "one 2", "one 3"]);
        drop(writer);
        thread.join().unwrap();
    }
}
