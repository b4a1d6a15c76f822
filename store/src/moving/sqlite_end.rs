//! One end of a move that is a data directory. Its lock is held throughout: no server and no command is at work in it.

use super::catalogue::{Table, Values};
use super::marks;
use super::{Batch, Target};
use crate::db::{Arg, Row};
use crate::error::{Error, Result};
use crate::migrate::{self, Marks};
use crate::sqlite::{self, RECORDS_FILE, SESSIONS_FILE};
use crate::sqlite_tx;
use rusqlite::Connection;
use std::fs::File;
use std::path::Path;

const MARK: &str = "INSERT INTO migrations (name) VALUES ($1) ON CONFLICT DO NOTHING";
const UNMARK: &str = "DELETE FROM migrations WHERE name = $1";

#[derive(Debug)]
pub(crate) struct SqliteEnd {
    connection: Connection,
    _lock: File,
}

impl SqliteEnd {
    /// Opens a directory to move from; also says where it was moved to already.
    pub(super) fn source(directory: &Path) -> Result<(Self, Option<String>)> {
        if !directory.join(RECORDS_FILE).exists() {
            return Err(Error::Setup(format!("there is no data in sqlite:{}", directory.display())));
        }
        let lock = lock(directory)?;
        let names = names(directory)?;
        if marks::is_unfinished(&names) {
            return Err(marks::unfinished());
        }
        Ok((Self::open(directory, lock)?, marks::destination(&names).map(String::from)))
    }

    /// Takes a directory to move to, and says what is in it. Nothing is written yet.
    pub(super) fn look(directory: &Path) -> Result<(File, Target)> {
        std::fs::create_dir_all(directory)
            .map_err(|error| Error::Io(format!("making the data directory {}", directory.display()), error))?;
        let lock = lock(directory)?;
        let target = if marks::is_unfinished(&names(directory)?) {
            Target::Unfinished
        } else if has_tables(&directory.join(RECORDS_FILE))? || has_tables(&directory.join(SESSIONS_FILE))? {
            Target::Used
        } else {
            Target::New
        };
        Ok((lock, target))
    }

    /// Makes the directory an empty target: marked first, so that nobody takes it for a database.
    pub(super) fn target(directory: &Path, lock: File, found: Target, tables: &[Table]) -> Result<Self> {
        sqlite::restrict(directory)?;
        if found == Target::New {
            let mut records = Connection::open(directory.join(RECORDS_FILE))?;
            // Not with a write-ahead log yet: turning that on is a write of its own, and whoever was killed right after it
            // would leave an empty database without a mark.
            records.execute_batch("PRAGMA synchronous = FULL")?;
            let transaction = records.transaction()?;
            transaction.execute_batch(migrate::TABLE)?;
            transaction.execute(MARK, [marks::UNFINISHED])?;
            transaction.commit()?;
        }
        let mut end = Self::open(directory, lock)?;
        let transaction = end.connection.transaction()?;
        for table in tables.iter().rev() {
            transaction.execute_batch(&format!("DELETE FROM {}", table.quoted()))?;
        }
        transaction.commit()?;
        Ok(end)
    }

    fn open(directory: &Path, lock: File) -> Result<Self> {
        migrate::sqlite(directory, Marks::Expected)?;
        let connection = sqlite::connect(directory, true)?;
        // There is no checkpointing thread here; without any the logs would grow as large as the data. And what is read once
        // is not worth mapping: it would count as memory of ours, in the size of the data.
        connection.execute_batch(
            "PRAGMA wal_autocheckpoint = 1000; PRAGMA mmap_size = 0; PRAGMA sessions_file.mmap_size = 0",
        )?;
        Ok(Self { connection, _lock: lock })
    }

    pub(super) fn count(&self, table: &Table) -> Result<u64> {
        let count = self.connection.query_row(&table.count(), [], |row| row.get::<_, i64>(0))?;
        Ok(count.unsigned_abs())
    }

    pub(super) async fn read(&self, table: &Table, mut each: impl AsyncFnMut(&[Values]) -> Result<()>) -> Result<()> {
        let mut statement = self.connection.prepare(&table.select())?;
        let mut rows = statement.query([])?;
        let mut batch = Batch::default();
        while let Some(row) = rows.next()? {
            batch.push(table.values(&Row::Sqlite(row))?);
            if batch.is_full() {
                each(&batch.take()).await?;
            }
        }
        each(&batch.take()).await
    }

    /// Stores a batch, on disk when this returns.
    pub(super) fn write(&mut self, table: &Table, batch: &[Values]) -> Result<()> {
        let transaction = self.connection.transaction()?;
        let insert = table.insert();
        for values in batch {
            let arguments: Vec<Arg<'_>> = values.iter().map(|value| value.arg()).collect();
            sqlite_tx::prepared(&transaction, &insert, &arguments)?.raw_execute()?;
        }
        Ok(transaction.commit()?)
    }

    /// From now on it is a database like any other.
    pub(super) fn arrive(&self) -> Result<()> {
        self.connection.execute(UNMARK, [marks::UNFINISHED])?;
        Ok(())
    }

    /// From now on it is refused.
    pub(super) fn leave(&self, to: &str) -> Result<()> {
        self.connection.execute(MARK, [marks::moved_to(to)])?;
        Ok(())
    }

    /// Undoes `leave`.
    pub(super) fn stay(&self, to: &str) -> Result<()> {
        self.connection.execute(UNMARK, [marks::moved_to(to)])?;
        Ok(())
    }
}

fn lock(directory: &Path) -> Result<File> {
    sqlite::lock(directory).map_err(|error| match error {
        Error::InUse(why) => {
            Error::InUse(format!("{why}; stop it first, because what it wrote during the move would be left behind"))
        }
        other => other,
    })
}

/// What the records file says that was done to it; nothing, where there is no such file.
fn names(directory: &Path) -> Result<Vec<String>> {
    let file = directory.join(RECORDS_FILE);
    if !has_tables(&file)? {
        return Ok(Vec::new());
    }
    let connection = Connection::open(file)?;
    connection.execute_batch(migrate::TABLE)?;
    migrate::names(&connection)
}

fn has_tables(file: &Path) -> Result<bool> {
    if !file.exists() {
        return Ok(false);
    }
    let connection = Connection::open(file)?;
    Ok(connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))? > 0)
}
