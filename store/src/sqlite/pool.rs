//! Reads that can be long: a small fixed pool of threads with a connection each, so that nobody who waits for such a
//! read holds up those who read in place. Each read has a budget of time, few may wait, and callers take turns.

use super::connection::{connect, each};
use super::ledger_file::connect_to_read;
use crate::distribution::{Distribution, Spread};
use crate::error::{Error, Result};
use crate::figures::WAITS;
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::budget::Budget;
use crate::sql::caller_key::{self, CallerKey};
use crate::sql::fair_queue::{Admission, FairQueue};
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::time::timeout_at;

/// Rows that are handed over at a time, and batches that may be on their way.
const BATCH: usize = 64;
const BATCHES: usize = 4;
/// Steps of SQLite's machine between two looks at the clock: a fraction of a millisecond.
const STEPS: i32 = 4096;

/// A read that waits for a thread. It is given none where another takes its place in the queue.
type PooledRead = Box<dyn FnOnce(Option<&mut Connection>) + Send>;

/// The threads. They end when this is closed and what was queued is done.
#[derive(Debug)]
pub(super) struct ReaderPool {
    queue: Arc<PoolQueue>,
    threads: Vec<JoinHandle<()>>,
    budget: Duration,
    /// How long reads waited for a thread, in microseconds.
    waits: Arc<Distribution>,
}

/// What waits for the threads, and what wakes them.
struct PoolQueue {
    reads: Mutex<PoolReads>,
    arrival: Condvar,
}

struct PoolReads {
    waiting: FairQueue<PooledRead>,
    is_closed: bool,
}

impl std::fmt::Debug for PoolQueue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("PoolQueue")
    }
}

impl PoolQueue {
    fn reads(&self) -> MutexGuard<'_, PoolReads> {
        self.reads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn join(&self, caller: Option<CallerKey>, read: PooledRead) -> Result<()> {
        let mut reads = self.reads();
        if reads.is_closed {
            return Err(Error::Unavailable("the store is closing".into()));
        }
        let admission = reads.waiting.join(caller, read);
        drop(reads);
        match admission {
            Admission::Refused(error) => return Err(error),
            Admission::InPlaceOf(other) => other(None),
            Admission::Waiting => {}
        }
        self.arrival.notify_one();
        Ok(())
    }

    /// What a thread reads next, and for whom; nothing when the pool is closed and nothing waits.
    fn next(&self) -> Option<(Option<CallerKey>, PooledRead)> {
        let mut reads = self.reads();
        loop {
            if let Some(next) = reads.waiting.next() {
                return Some(next);
            }
            if reads.is_closed {
                return None;
            }
            reads = self.arrival.wait(reads).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl ReaderPool {
    pub(super) fn start(directory: &Path, budget: Budget) -> Result<Self> {
        let reads = Mutex::new(PoolReads { waiting: FairQueue::new(budget), is_closed: false });
        let queue = Arc::new(PoolQueue { reads, arrival: Condvar::new() });
        let threads = (0..budget.readers.max(1)).map(|number| {
            let (connection, queue) = (connect(directory, false)?, queue.clone());
            std::thread::Builder::new()
                .name(format!("reader-{number}"))
                .spawn(move || run(connection, &queue))
                .map_err(|error| Error::Io("starting a reader thread".into(), error))
        });
        let (threads, waits) = (threads.collect::<Result<_>>()?, Arc::new(Distribution::new(WAITS)));
        Ok(Self { threads, queue, budget: budget.time, waits })
    }

    /// Gives the rows of one statement, for each list of arguments in turn, to `row` as they are found: from a file of the
    /// ledger, which is opened for it, or from the other two.
    pub(super) async fn each<T: Send + 'static>(
        &self,
        ledger: Option<PathBuf>,
        statement: Statement<'_>,
        lists: &[&[Arg<'_>]],
        mut map: impl FnMut(&dyn Row) -> Result<T> + Send + 'static,
        mut row: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        let owned = |args: &&[Arg<'_>]| args.iter().map(OwnedArg::from).collect::<Vec<_>>();
        let Statement { name, sql, in_order, is_brief } = statement;
        let (sql, lists) = (sql.to_owned(), lists.iter().map(owned).collect::<Vec<_>>());
        // One place more, for the end: it must arrive, however many batches are on their way.
        let (sender, mut batches) = mpsc::channel::<Delivery<T>>(BATCHES + 1);
        let end = sender.clone().try_reserve_owned().map_err(|_| Error::Impossible("a full new channel".into()))?;
        let (budget, runtime, asked_at) = (self.budget, Handle::current(), Instant::now());
        let waits = self.waits.clone();
        let reading = move |connection: Option<&mut Connection>| {
            let Some(connection) = connection else {
                end.send(Delivery::Last(Err(Error::CallerBusy)));
                return;
            };
            let began = Instant::now();
            let waited = began - asked_at;
            waits.note(u64::try_from(waited.as_micros()).unwrap_or(u64::MAX));
            if waited > budget {
                end.send(Delivery::Last(Err(Error::Unavailable("no reader was free in time".into()))));
                return;
            }
            let mut of_ledger = match ledger.as_deref().map(connect_to_read).transpose() {
                Ok(of_ledger) => of_ledger,
                Err(error) => {
                    end.send(Delivery::Last(Err(error)));
                    return;
                }
            };
            let connection = of_ledger.as_mut().unwrap_or(connection);
            let until = began + budget;
            let listening = sender.downgrade();
            let is_over =
                move || Instant::now() >= until || listening.upgrade().is_none_or(|sender| sender.is_closed());
            // A connection without a handler, should setting one fail, would read on without a limit.
            let read = connection.progress_handler(STEPS, Some(is_over)).map_err(Error::from).and_then(|()| {
                let way = RowSender { sender, runtime, until };
                let mut batch = Vec::with_capacity(BATCH);
                for args in &lists {
                    let args: Vec<Arg<'_>> = args.iter().map(OwnedArg::arg).collect();
                    each(connection, Statement { name, sql: &sql, in_order, is_brief }, &args, |found| {
                        batch.push(map(found)?);
                        if batch.len() < BATCH { Ok(()) } else { way.send(std::mem::take(&mut batch)) }
                    })?;
                }
                Ok(batch)
            });
            let _unset = connection.progress_handler(0, None::<fn() -> bool>);
            end.send(Delivery::Last(read));
        };
        self.queue.join(caller_key::current(), Box::new(reading))?;
        while let Some(batch) = batches.recv().await {
            match batch {
                Delivery::Rows(rows) => rows.into_iter().try_for_each(&mut row)?,
                Delivery::Last(rows) => return rows?.into_iter().try_for_each(&mut row),
            }
        }
        Err(Error::Impossible("a long read panicked".into()))
    }
}

/// Rows on their way. Most reads find few, which come with the end: whoever waits is woken once.
enum Delivery<T> {
    Rows(Vec<T>),
    Last(Result<Vec<T>>),
}

/// The way of found rows to whoever waits for them.
struct RowSender<T> {
    sender: mpsc::Sender<Delivery<T>>,
    runtime: Handle,
    until: Instant,
}

impl<T> RowSender<T> {
    /// Waits while the other side has enough to do, but no longer than the read may take in all.
    fn send(&self, rows: Vec<T>) -> Result<()> {
        let batch = Delivery::Rows(rows);
        // Made where it is awaited: a timer knows its runtime from where it is made.
        let sent = self.runtime.block_on(async { timeout_at(self.until.into(), self.sender.send(batch)).await });
        match sent {
            Ok(Ok(())) => Ok(()),
            Ok(Err(_)) | Err(_) => Err(Error::TooCostly),
        }
    }
}

fn run(mut connection: Connection, queue: &PoolQueue) {
    while let Some((caller, reading)) = queue.next() {
        // A panic ends the read whose fault it is, and its caller hears that it has no answer.
        let _panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reading(Some(&mut connection))));
        queue.reads().waiting.end(caller);
    }
}

impl ReaderPool {
    /// Whether one more read of whoever asks would be turned away, whoever else waits.
    pub(super) fn is_full_for_caller(&self) -> bool {
        caller_key::current().is_some_and(|caller| self.queue.reads().waiting.is_full_for(Some(caller)))
    }

    pub(super) fn waits(&self) -> Spread {
        self.waits.spread()
    }

    /// Lets the threads end, and waits for them.
    pub(super) fn close(&mut self) {
        self.queue.reads().is_closed = true;
        self.queue.arrival.notify_all();
        for thread in self.threads.drain(..) {
            let _panicked = thread.join();
        }
    }
}
