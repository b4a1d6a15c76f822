//! The one writer of a SQLite store: a thread that commits in groups.
//!
//! Everything queued while the last commit was syncing goes into the next transaction, and is answered only after the
//! sync. So a hundred refreshes cost one sync, and "acknowledged" means on disk.

use super::answers::JobOrder;
use super::group::CommitGroup;
use super::job::{JobRun, Work, not_begun};
use super::outboxes::Outboxes;
use super::transaction::SqliteTx;
use crate::error::{Error, Result};
use crate::sql::touched::Witness;
use rusqlite::Connection;
use std::sync::{Arc, Weak, mpsc};
use tokio::runtime::Handle;
use tokio::sync::oneshot;

/// Most jobs of one transaction: bounds how long the first of them waits.
const MOST_JOBS: usize = 512;

type Errand = Box<dyn FnOnce(&Connection) + Send>;

enum WriterOrder {
    /// A part of the next transaction.
    Job(JobOrder),
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
        outboxes: Outboxes,
        witness: Box<dyn Witness>,
    ) -> Result<(Self, std::thread::JoinHandle<()>)> {
        let (orders, queue) = mpsc::channel();
        let thread = std::thread::Builder::new()
            .name(name.into())
            .spawn(move || run(SqliteTx::new(connection, outboxes), &queue, &*witness))
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
        let ordered = self.order(WriterOrder::Job(JobOrder { job, runtime: Handle::try_current().ok() }));
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

fn run(mut tx: SqliteTx, queue: &mpsc::Receiver<WriterOrder>, witness: &dyn Witness) {
    while let Ok(order) = queue.recv() {
        let mut next = Some(order);
        while let Some(order) = next.take() {
            match order {
                WriterOrder::Between(errand) => errand(&tx.connection),
                WriterOrder::Job(first) => {
                    // A commit takes as much processor time as about a dozen refreshes. Whoever was about to run on this
                    // core, and may be about to write too, goes first; where nobody was, this takes no time.
                    std::thread::yield_now();
                    next = one_group(&mut tx, first, queue, witness);
                }
            }
        }
    }
}

/// One transaction: the first job and all that are waiting, which are answered. Gives an order that belongs after it.
fn one_group(
    tx: &mut SqliteTx,
    first: JobOrder,
    queue: &mpsc::Receiver<WriterOrder>,
    witness: &dyn Witness,
) -> Option<WriterOrder> {
    let mut group = CommitGroup::default();
    let mut next = None;
    // Nobody else writes these files, so they need not be locked before they are used, and seldom both are.
    if let Err(error) = tx.run("BEGIN") {
        // The job is dropped unrun, and its caller hears that the database is not available.
        tracing::error!(%error, "a transaction could not be begun");
        return None;
    }
    let is_by_itself = first.job.is_by_itself();
    group.run(first, tx);
    // Where SQLite took the whole transaction back (a full disk), a further job would be committed by itself, and then
    // be told no with the rest.
    while !is_by_itself && group.size() < MOST_JOBS && tx.is_open() && !tx.spoilt {
        match queue.try_recv() {
            Ok(WriterOrder::Job(order)) if !order.job.is_by_itself() => group.run(order, tx),
            Ok(other) => {
                next = Some(other);
                break;
            }
            Err(_) => break,
        }
    }
    let touched = std::mem::take(&mut tx.touched);
    witness.before(&touched);
    group.commit(tx);
    witness.after(&touched);
    next
}
