//! An open data directory: its readers, its writer and what looks after its files.

use super::checkpoint::Checkpointer;
use super::connection::connect;
use super::figures::{self, WriterFigures};
use super::files;
use super::job::Rollback;
use super::migrations;
use super::pool::ReaderPool;
use super::readers::PlainReaders;
use super::transaction::SqliteTx;
use super::writer::{Forgetting, Writer};
use crate::error::{Error, Result};
use crate::figures::Figures;
use crate::sql::arg::Arg;
use crate::sql::budget::Budget;
use crate::sql::migration::{Marks, Migrations};
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use crate::sql::touched::Touched;
use rusqlite::Connection;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread::JoinHandle;

/// An open data directory. Holds the directory's lock: one process at a time.
#[derive(Debug)]
pub(crate) struct Sqlite {
    directory: PathBuf,
    readers: PlainReaders,
    pool: ReaderPool,
    writer: Option<Writer>,
    writer_thread: Option<JoinHandle<()>>,
    checkpoint_thread: Option<JoinHandle<[Connection; 2]>>,
    figures: Arc<WriterFigures>,
    _lock: File,
}

impl Sqlite {
    /// Opens (or makes) the directory and brings its schema up to date. `forgetting` is told of everything that a commit
    /// touched, before the commit is acknowledged.
    pub(crate) fn open(
        directory: &Path,
        migrations: Migrations,
        budget: Budget,
        forgetting: Forgetting,
    ) -> Result<Self> {
        files::make(directory)?;
        files::restrict(directory)?;
        let lock = files::lock(directory)?;
        migrations::apply(directory, migrations, Marks::Refused)?;
        let mut connection = connect(directory, true)?;
        let checkpointer = Checkpointer::new(directory, &mut connection)?;
        let figures = WriterFigures::new();
        let counted = figures.clone();
        // It is told of every group once, so it is also where groups are counted.
        let forgetting = Box::new(move |touched: &Touched| {
            forgetting(touched);
            counted.end_group();
        });
        let (writer, writer_thread) = Writer::start(connection, forgetting)?;
        let checkpoint_thread = checkpointer.start(&writer)?;
        Ok(Self {
            directory: directory.to_path_buf(),
            readers: PlainReaders::open(directory)?,
            pool: ReaderPool::start(directory, budget)?,
            writer: Some(writer),
            writer_thread: Some(writer_thread),
            checkpoint_thread: Some(checkpoint_thread),
            figures,
            _lock: lock,
        })
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

    /// Reads on a thread of the pool, for as long as the budget allows.
    pub(crate) async fn each<T: Send + 'static>(
        &self,
        statement: Statement<'_>,
        lists: &[&[Arg<'_>]],
        map: impl FnMut(&dyn Row) -> Result<T> + Send + 'static,
        row: impl FnMut(T) -> Result<()>,
    ) -> Result<()> {
        self.pool.each(statement, lists, map, row).await
    }

    pub(crate) fn write<T, F>(&self, rollback: Rollback, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: FnOnce(&mut SqliteTx) -> Result<T> + Send + 'static,
    {
        let place = self.figures.queue();
        let job = move |tx: &mut SqliteTx| {
            place.begin();
            job(tx)
        };
        let write = self.writer().map(|writer| writer.write(rollback, job));
        async move { write?.await }
    }

    /// What there is to measure.
    pub(crate) fn measure(&self, figures: &mut Figures) {
        figures.engine = "sqlite";
        self.figures.tell(figures);
        figures.pool_waits.push(("long-reads", self.pool.waits()));
        figures::tell_files(&self.directory, figures);
    }

    pub(super) fn writer(&self) -> Result<&Writer> {
        self.writer.as_ref().ok_or_else(|| Error::Unavailable("the store is closing".into()))
    }
}

impl Drop for Sqlite {
    /// Lets the writer finish its queue, so that what was accepted is on disk when the lock is given up. The readers
    /// go first: the last connection to close moves the logs into the files, and one that only reads could not.
    fn drop(&mut self) {
        self.pool.close();
        self.readers.close();
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
