//! An open data directory: its readers, its writer and what looks after its files.

use super::checkpoint::Checkpointer;
use super::condition::FileCondition;
use super::connection::connect;
use super::epochs::Epochs;
use super::figures::{self, WriterFigures};
use super::job::{JobRun, Rollback, once};
use super::ledger_file;
use super::lock::DirectoryLock;
use super::migrations;
use super::outboxes::Outboxes;
use super::pool::ReaderPool;
use super::readers::PlainReaders;
use super::transaction::SqliteTx;
use super::unfinished;
use super::writer::Writer;
use super::{epochs, files, identity};
use crate::error::{Error, Result};
use crate::figures::Figures;
use crate::obstacle::Obstacle;
use crate::sql::arg::Arg;
use crate::sql::budget::Budget;
use crate::sql::migration::{Marks, Migrations};
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use crate::sql::touched::{Touched, Witness};
use crate::sql::watch::Watch;
use futures_util::future::{BoxFuture, ready};
use rusqlite::Connection;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Instant;

/// An open data directory. Whoever may write holds the directory's lock: one process at a time.
#[derive(Debug)]
pub(crate) struct Sqlite {
    directory: PathBuf,
    condition: Arc<FileCondition>,
    readers: PlainReaders,
    pool: ReaderPool,
    writer: Option<Writer>,
    writer_thread: Option<JoinHandle<()>>,
    /// Of the ledger's file, beside the other two: what is added to it holds nobody up.
    ledger: Option<Writer>,
    ledger_thread: Option<JoinHandle<()>>,
    checkpoint_thread: Option<JoinHandle<Vec<Connection>>>,
    figures: Arc<WriterFigures>,
    _lock: Option<DirectoryLock>,
}

/// Counts the groups of which the other hears.
struct Counted {
    witness: Box<dyn Witness>,
    figures: Arc<WriterFigures>,
}

impl Witness for Counted {
    fn before(&self, touched: &Touched) {
        self.witness.before(touched);
    }

    fn after(&self, touched: &Touched) {
        self.witness.after(touched);
        self.figures.end_group();
    }
}

impl Sqlite {
    /// Opens (or makes) the directory and brings its schema up to date. `witness` hears of every commit
    /// and of what it touched.
    pub(crate) fn open(
        directory: &Path,
        migrations: Migrations,
        budget: Budget,
        witness: Box<dyn Witness>,
    ) -> Result<Self> {
        Self::open_here(directory, migrations, budget, witness).map_err(|error| starting(directory, error))
    }

    fn open_here(directory: &Path, migrations: Migrations, budget: Budget, witness: Box<dyn Witness>) -> Result<Self> {
        unfinished::refuse(directory)?;
        files::make(directory)?;
        files::restrict(directory)?;
        let lock = DirectoryLock::take(directory)?;
        identity::check(directory)?;
        epochs::check(directory)?;
        migrations::apply(directory, migrations, Marks::Refused)?;
        identity::give(directory)?;
        epochs::make(directory)?;
        let mut connection = connect(directory, true)?;
        let condition = FileCondition::of(directory, &mut connection)?;
        let checkpointer = Checkpointer::new(directory, &mut connection)?;
        let adding = ledger_file::connect_to_add(directory)?;
        let outboxes = Outboxes::open(&connection, ledger_file::marks(&adding)?)?;
        let (of_all, of_ledger) = Epochs::of(directory)?;
        let figures = WriterFigures::new();
        // It hears of every group once, so it is also where groups are counted.
        let witness = Box::new(Counted { witness, figures: figures.clone() });
        let (writer, writer_thread) = Writer::start("writer", connection, (outboxes, of_all), witness)?;
        let (ledger, ledger_thread) = Writer::start("ledger", adding, (Outboxes::default(), of_ledger), Box::new(()))?;
        condition.tell(writer.weak());
        let checkpoint_thread = checkpointer.start(&writer)?;
        Ok(Self {
            directory: directory.to_path_buf(),
            condition,
            readers: PlainReaders::open(directory)?,
            pool: ReaderPool::start(directory, budget)?,
            writer: Some(writer),
            writer_thread: Some(writer_thread),
            ledger: Some(ledger),
            ledger_thread: Some(ledger_thread),
            checkpoint_thread: Some(checkpoint_thread),
            figures,
            _lock: Some(lock),
        })
    }

    /// Opens a directory in order to look at it, beside whoever may be at work in it: nothing is made, locked or brought
    /// up to date, and nothing can be written.
    pub(crate) fn look(directory: &Path, migrations: Migrations, budget: Budget) -> Result<Self> {
        unfinished::refuse(directory)?;
        migrations::expect(directory, migrations)?;
        Ok(Self {
            directory: directory.to_path_buf(),
            condition: FileCondition::of_no_writer(directory),
            readers: PlainReaders::open(directory)?,
            pool: ReaderPool::start(directory, budget)?,
            writer: None,
            writer_thread: None,
            ledger: None,
            ledger_thread: None,
            checkpoint_thread: None,
            figures: WriterFigures::new(),
            _lock: None,
        })
    }

    /// Reads in place what most likely is found at once. Nothing is read where it is not, or where `map` makes nothing of a row.
    pub(crate) fn glance<T>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        mut map: impl FnMut(&dyn Row) -> Result<Option<T>>,
    ) -> Result<Option<Vec<T>>> {
        self.readers.read_briefly(statement, args, |row| map(row)?.ok_or(Error::TooCostly))
    }

    pub(super) fn directory(&self) -> &Path {
        &self.directory
    }

    /// Reads in place: for what an index finds at once.
    pub(crate) fn read<T>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T>,
    ) -> Result<Vec<T>> {
        self.readers.read(statement, args, map)
    }

    /// Reads on a thread of the pool, for as long as the budget allows; what most likely is found at once, first in place.
    pub(crate) async fn each<T: Send + 'static>(
        &self,
        statement: Statement<'_>,
        lists: &[&[Arg<'_>]],
        mut map: impl FnMut(&dyn Row) -> Result<T> + Send + 'static,
        row: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        if let [args] = lists
            && statement.is_brief
            && !self.pool.is_full_for_caller()
            && let Some(found) = self.readers.read_briefly(statement, args, &mut map)?
        {
            return found.into_iter().try_for_each(row);
        }
        self.pool.each(None, statement, lists, map, row).await
    }

    pub(crate) fn write<T, F>(&self, way: JobRun, mut job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: FnMut(&mut SqliteTx) -> Result<T> + Send + 'static,
    {
        let (mut place, figures) = (Some(self.figures.queue()), self.figures.clone());
        let job = move |tx: &mut SqliteTx| {
            if let Some(place) = place.take() {
                place.begin();
            }
            let began = Instant::now();
            let outcome = job(tx);
            figures.note_job(began.elapsed());
            outcome
        };
        let write = self.condition.door().and_then(|()| self.writer()).map(|writer| writer.write(way, job));
        let condition = self.condition.clone();
        async move {
            let outcome = write?.await;
            condition.hear(&outcome);
            outcome
        }
    }

    /// Runs a job in one transaction on the ledger's file.
    pub(crate) fn add_to_ledger<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: FnOnce(&mut SqliteTx) -> Result<T> + Send + 'static,
    {
        let way = JobRun::Once(Rollback::WithItsTransaction);
        let write = self.ledger.as_ref().map(|ledger| ledger.write(way, once(job)));
        async move { write.ok_or_else(closing)?.await }
    }

    /// Reads the ledger on a thread of the pool, for as long as the budget allows.
    pub(crate) async fn each_of_ledger<T: Send + 'static>(
        &self,
        statement: Statement<'_>,
        lists: &[&[Arg<'_>]],
        map: impl FnMut(&dyn Row) -> Result<T> + Send + 'static,
        row: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        self.pool.each(Some(files::LEDGER.path(&self.directory)), statement, lists, map, row).await
    }

    pub(super) fn writer(&self) -> Result<&Writer> {
        self.writer.as_ref().ok_or_else(closing)
    }
}

fn closing() -> Error {
    Error::Unavailable("the store is closing".into())
}

impl Watch for Sqlite {
    fn look(&self) -> Option<Obstacle> {
        self.condition.look()
    }

    fn probe(&self) -> BoxFuture<'_, ()> {
        self.condition.probe();
        Box::pin(ready(()))
    }

    fn keep_free(&self, bytes: u64) {
        self.condition.keep_free(bytes);
    }

    fn room(&self) -> Result<()> {
        self.condition.room()
    }

    fn measure<'f>(&'f self, figures: &'f mut Figures) -> BoxFuture<'f, ()> {
        figures.engine = "sqlite";
        self.figures.tell(figures);
        figures.pool_waits.push(("long-reads", self.pool.waits()));
        figures::tell_files(&self.directory, figures);
        Box::pin(ready(()))
    }

    fn back_up(&self, target: &Path, progress: &mut dyn FnMut(u64, u64)) -> Result<()> {
        self.copy_to(target, progress)
    }
}

impl Drop for Sqlite {
    /// Lets the writer finish its queue, so that what was accepted is on disk when the lock is given up. The readers
    /// go first: the last connection to close moves the logs into the files, and one that only reads could not.
    fn drop(&mut self) {
        self.pool.close();
        self.readers.close();
        self.ledger = None;
        if let Some(ledger) = self.ledger_thread.take() {
            let _panicked = ledger.join();
        }
        self.writer = None;
        if let Some(writer) = self.writer_thread.take() {
            let _panicked = writer.join();
        }
        // The writer's connection is closed; these are the last.
        if let Some(checkpoints) = self.checkpoint_thread.take() {
            drop(checkpoints.join());
        }
    }
}

/// What is said at a start that a full disk does not allow.
fn starting(directory: &Path, error: Error) -> Error {
    let is_full = match &error {
        Error::Unavailable(_) => true,
        Error::Io(_, error) => {
            matches!(error.kind(), ErrorKind::StorageFull | ErrorKind::QuotaExceeded | ErrorKind::FileTooLarge)
        }
        _ => false,
    };
    if !is_full {
        return error;
    }
    let words = "the disk that holds the data is full, or takes no more from this process";
    Error::Setup(format!("{words}: {}; make room there and start again ({error})", directory.display()))
}
