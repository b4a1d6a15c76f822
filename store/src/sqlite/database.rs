//! An open data directory: its readers, its writer and what looks after its files.

use super::checkpoint::Checkpointer;
use super::connection::connect;
use super::files;
use super::job::Rollback;
use super::migrations;
use super::pool::ReaderPool;
use super::readers::PlainReaders;
use super::transaction::SqliteTx;
use super::unfinished;
use super::writer::{Forgetting, Writer};
use crate::error::{Error, Result};
use crate::sql::arg::Arg;
use crate::sql::budget::Budget;
use crate::sql::migration::{Marks, Migrations};
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use rusqlite::Connection;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::thread::JoinHandle;

/// An open data directory. Whoever may write holds the directory's lock: one process at a time.
#[derive(Debug)]
pub(crate) struct Sqlite {
    directory: PathBuf,
    readers: PlainReaders,
    pool: ReaderPool,
    writer: Option<Writer>,
    writer_thread: Option<JoinHandle<()>>,
    checkpoint_thread: Option<JoinHandle<[Connection; 2]>>,
    _lock: Option<File>,
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
        unfinished::refuse(directory)?;
        files::make(directory)?;
        files::restrict(directory)?;
        let lock = files::lock(directory)?;
        migrations::apply(directory, migrations, Marks::Refused)?;
        let mut connection = connect(directory, true)?;
        let checkpointer = Checkpointer::new(directory, &mut connection)?;
        let (writer, writer_thread) = Writer::start(connection, forgetting)?;
        let checkpoint_thread = checkpointer.start(&writer)?;
        Ok(Self {
            directory: directory.to_path_buf(),
            readers: PlainReaders::open(directory)?,
            pool: ReaderPool::start(directory, budget)?,
            writer: Some(writer),
            writer_thread: Some(writer_thread),
            checkpoint_thread: Some(checkpoint_thread),
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
            readers: PlainReaders::open(directory)?,
            pool: ReaderPool::start(directory, budget)?,
            writer: None,
            writer_thread: None,
            checkpoint_thread: None,
            _lock: None,
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
        let write = self.writer().map(|writer| writer.write(rollback, job));
        async move { write?.await }
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
