//! PooledRead that can be long: a small fixed pool of threads with a connection each, so that nobody who waits for such a
//! read holds up those who read in place. Each read has a budget of time, and few may wait.

use super::connection::{connect, each};
use super::ledger_file::connect_to_read;
use crate::distribution::{Distribution, Spread};
use crate::error::{Error, Result};
use crate::figures::WAITS;
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::budget::Budget;
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
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

type PooledRead = Box<dyn FnOnce(&mut Connection) + Send>;

/// The threads. They end when this is dropped and what was queued is done.
#[derive(Debug)]
pub(super) struct ReaderPool {
    queue: Option<SyncSender<PooledRead>>,
    threads: Vec<JoinHandle<()>>,
    budget: Duration,
    /// How long reads waited for a thread, in microseconds.
    waits: Arc<Distribution>,
}

impl ReaderPool {
    pub(super) fn start(directory: &Path, budget: Budget) -> Result<Self> {
        let (queue, waiting) = sync_channel::<PooledRead>(budget.waiting);
        let waiting = Arc::new(Mutex::new(waiting));
        let threads = (0..budget.readers.max(1)).map(|number| {
            let (connection, waiting) = (connect(directory, false)?, waiting.clone());
            std::thread::Builder::new()
                .name(format!("reader-{number}"))
                .spawn(move || run(connection, &waiting))
                .map_err(|error| Error::Io("starting a reader thread".into(), error))
        });
        let (threads, waits) = (threads.collect::<Result<_>>()?, Arc::new(Distribution::new(WAITS)));
        Ok(Self { threads, queue: Some(queue), budget: budget.time, waits })
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
        let reading = move |connection: &mut Connection| {
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
        let queue = self.queue.as_ref().ok_or_else(|| Error::Unavailable("the store is closing".into()))?;
        queue.try_send(Box::new(reading)).map_err(|refused| match refused {
            TrySendError::Full(_) => Error::Unavailable("too many long reads are waiting".into()),
            TrySendError::Disconnected(_) => Error::Unavailable("the reader threads have ended".into()),
        })?;
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

fn run(mut connection: Connection, waiting: &Mutex<Receiver<PooledRead>>) {
    loop {
        let next = waiting.lock().unwrap_or_else(PoisonError::into_inner).recv();
        let Ok(reading) = next else { return };
        // A panic ends the read whose fault it is, and its caller hears that it has no answer.
        let _panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| reading(&mut connection)));
    }
}

impl ReaderPool {
    pub(super) fn waits(&self) -> Spread {
        self.waits.spread()
    }

    /// Lets the threads end, and waits for them.
    pub(super) fn close(&mut self) {
        self.queue = None;
        for thread in self.threads.drain(..) {
            let _panicked = thread.join();
        }
    }
}
