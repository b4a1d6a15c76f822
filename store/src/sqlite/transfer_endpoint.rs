//! One end of a move that is a data directory. Its lock is held throughout: no server and no command is at work in it.

use super::connection::{connect, prepared};
use super::lock::DirectoryLock;
use super::{files, identity, migrations, unfinished};
use crate::error::{Error, Result};
use crate::sql::arg::{Arg, OwnedArg};
use crate::sql::marks;
use crate::sql::migration::{Marks, Migrations, TABLE};
use crate::sql::statement::Statement;
use crate::sql::table::{Batch, Table, Values};
use crate::sql::transfer_endpoint::{Target, TransferCandidate, TransferEndpoint};
use futures_util::future::{LocalBoxFuture, ready};
use rusqlite::types::Value;
use rusqlite::{Connection, params_from_iter};
use std::path::{Path, PathBuf};

const MARK: &str = "INSERT INTO migrations (name) VALUES ($1) ON CONFLICT DO NOTHING";
const UNMARK: &str = "DELETE FROM migrations WHERE name = $1";
/// What is in the ledger need not wait for it; moved along, it would be added a second time.
const ADDED: &str = "DELETE FROM record_lines WHERE id <= (SELECT records_mark FROM ledger.head WHERE id = 1);
    DELETE FROM session_lines WHERE id <= (SELECT sessions_mark FROM ledger.head WHERE id = 1);
    DELETE FROM sessions_file.ledger WHERE id <= (SELECT older_mark FROM ledger.head WHERE id = 1);";

#[derive(Debug)]
pub(crate) struct SqliteEnd {
    connection: Connection,
    /// The key of the last row that was read of the table that is being read; none before the first.
    read_until: Vec<Value>,
    _lock: DirectoryLock,
}

/// A directory to move to, locked and not yet written to.
#[derive(Debug)]
pub(crate) struct SqliteTarget {
    directory: PathBuf,
    migrations: Migrations,
    lock: DirectoryLock,
    state: Target,
}

impl SqliteEnd {
    /// Opens a directory to move from; also says where it was moved to already.
    pub(crate) fn source(directory: &Path, migrations: Migrations) -> Result<(Self, Option<String>)> {
        unfinished::refuse(directory)?;
        if !files::FIRST.path(directory).exists() {
            return Err(Error::Setup(format!("there is no data in sqlite:{}", directory.display())));
        }
        let lock = lock(directory)?;
        let names = names(directory)?;
        if marks::is_unfinished(&names) {
            return Err(marks::unfinished());
        }
        identity::check(directory)?;
        let end = Self::open(directory, migrations, lock)?;
        identity::give(directory)?;
        Ok((end, marks::destination(&names).map(String::from)))
    }

    fn open(directory: &Path, migrations: Migrations, lock: DirectoryLock) -> Result<Self> {
        migrations::apply(directory, migrations, Marks::Expected)?;
        let connection = connect(directory, true)?;
        // There is no checkpointing thread here; without any the logs would grow as large as the data. And what is read once
        // is not worth mapping: it would count as memory of ours, in the size of the data.
        connection.execute_batch("PRAGMA wal_autocheckpoint = 1000")?;
        for part in &files::PARTS {
            connection.pragma_update(Some(part.schema), "mmap_size", 0)?;
        }
        connection.execute_batch(ADDED)?;
        Ok(Self { connection, read_until: Vec::new(), _lock: lock })
    }

    fn rows(&self, table: &Table) -> Result<u64> {
        let count = self.connection.query_row(&table.count(), [], |row| row.get::<_, i64>(0))?;
        Ok(count.unsigned_abs())
    }

    fn batch(&mut self, table: &Table) -> Result<Vec<Values>> {
        let key = if table.key.is_empty() { "rowid".to_owned() } else { table.key.join(", ") };
        let from = match self.read_until.len() {
            0 => String::new(),
            values => format!("WHERE ({key}) > ({})", vec!["?"; values].join(", ")),
        };
        // The row's key comes after its columns.
        let sql = format!("SELECT {}, {key} FROM {} {from} ORDER BY {key}", table.listed(), table.quoted());
        let mut statement = self.connection.prepare_cached(&sql)?;
        let mut rows = statement.query(params_from_iter(&self.read_until))?;
        let mut batch = Batch::default();
        let mut until = Vec::new();
        while !batch.is_full()
            && let Some(row) = rows.next()?
        {
            batch.push(table.values(row)?);
            let columns = table.columns.len()..table.columns.len() + table.key.len().max(1);
            until = columns.map(|at| row.get(at)).collect::<rusqlite::Result<_>>()?;
        }
        drop(rows);
        drop(statement);
        self.read_until = until;
        Ok(batch.rows)
    }

    fn store(&mut self, table: &Table, batch: &[Values]) -> Result<()> {
        let transaction = self.connection.transaction()?;
        let insert = table.insert();
        let insert = Statement::new("store::sqlite::end::INSERT", &insert);
        for values in batch {
            let arguments: Vec<Arg<'_>> = values.iter().map(OwnedArg::arg).collect();
            prepared(&transaction, insert, &arguments)?.raw_execute()?;
        }
        Ok(transaction.commit()?)
    }

    fn note(&self, sql: &str, mark: &str) -> Result<()> {
        self.connection.execute(sql, [mark])?;
        Ok(())
    }
}

impl SqliteTarget {
    /// Takes a directory to move to, and says what is in it. Nothing is written yet.
    pub(crate) fn hold(directory: &Path, migrations: Migrations) -> Result<Self> {
        unfinished::refuse(directory)?;
        files::make(directory)?;
        let lock = lock(directory)?;
        let state = if marks::is_unfinished(&names(directory)?) {
            Target::Unfinished
        } else if has_any_table(directory)? {
            Target::Used
        } else {
            Target::New
        };
        Ok(Self { directory: directory.to_path_buf(), migrations, lock, state })
    }

    /// Makes the directory an empty target: marked first, so that nobody takes it for a database.
    fn empty(self, tables: &[Table]) -> Result<SqliteEnd> {
        files::restrict(&self.directory)?;
        if self.state == Target::New {
            let mut records = files::open_or_make(&files::FIRST.path(&self.directory))?;
            // Not with a write-ahead log yet: turning that on is a write of its own, and whoever was killed right after it
            // would leave an empty database without a mark.
            records.execute_batch("PRAGMA synchronous = FULL")?;
            let transaction = records.transaction()?;
            transaction.execute_batch(TABLE)?;
            transaction.execute(MARK, [marks::UNFINISHED])?;
            transaction.commit()?;
        }
        let mut end = SqliteEnd::open(&self.directory, self.migrations, self.lock)?;
        let transaction = end.connection.transaction()?;
        for table in tables.iter().rev() {
            transaction.execute_batch(&format!("DELETE FROM {}", table.quoted()))?;
        }
        transaction.commit()?;
        Ok(end)
    }
}

impl TransferCandidate for SqliteTarget {
    fn state(&self) -> Target {
        self.state
    }

    fn prepare(self: Box<Self>, tables: &[Table]) -> LocalBoxFuture<'_, Result<Box<dyn TransferEndpoint>>> {
        at_once(self.empty(tables).map(|end| Box::new(end) as Box<dyn TransferEndpoint>))
    }
}

/// SQLite has done what is asked when it is asked.
fn at_once<'a, T: 'a>(outcome: Result<T>) -> LocalBoxFuture<'a, Result<T>> {
    Box::pin(ready(outcome))
}

impl TransferEndpoint for SqliteEnd {
    fn count<'a>(&'a self, table: &'a Table) -> LocalBoxFuture<'a, Result<u64>> {
        at_once(self.rows(table))
    }

    fn next<'a>(&'a mut self, table: &'a Table) -> LocalBoxFuture<'a, Result<Vec<Values>>> {
        at_once(self.batch(table))
    }

    fn write<'a>(&'a mut self, table: &'a Table, batch: &'a [Values]) -> LocalBoxFuture<'a, Result<()>> {
        at_once(self.store(table, batch))
    }

    fn complete<'a>(&'a self, _: &'a Table) -> LocalBoxFuture<'a, Result<()>> {
        at_once(Ok(()))
    }

    fn arrive(&self) -> LocalBoxFuture<'_, Result<()>> {
        at_once(identity::give_to_all(&self.connection).and_then(|()| self.note(UNMARK, marks::UNFINISHED)))
    }

    fn leave<'a>(&'a self, to: &'a str, _: &'a [Table]) -> LocalBoxFuture<'a, Result<()>> {
        at_once(self.note(MARK, &marks::moved_to(to)))
    }

    fn stay<'a>(&'a self, to: &'a str) -> LocalBoxFuture<'a, Result<()>> {
        at_once(self.note(UNMARK, &marks::moved_to(to)))
    }
}

fn lock(directory: &Path) -> Result<DirectoryLock> {
    DirectoryLock::take(directory).map_err(|error| match error {
        Error::InUse(why) => {
            Error::InUse(format!("{why}; stop it first, because what it wrote during the move would be left behind"))
        }
        other => other,
    })
}

/// What the records file says that was done to it; nothing, where there is no such file.
fn names(directory: &Path) -> Result<Vec<String>> {
    let file = files::FIRST.path(directory);
    if !has_tables(&file)? {
        return Ok(Vec::new());
    }
    let connection = Connection::open(file)?;
    connection.execute_batch(TABLE)?;
    Ok(migrations::names(&connection)?)
}

fn has_any_table(directory: &Path) -> Result<bool> {
    for part in &files::PARTS {
        if has_tables(&part.path(directory))? {
            return Ok(true);
        }
    }
    Ok(false)
}

fn has_tables(file: &Path) -> Result<bool> {
    if !file.exists() {
        return Ok(false);
    }
    let connection = Connection::open(file)?;
    Ok(connection.query_row("SELECT count(*) FROM sqlite_schema", [], |row| row.get::<_, i64>(0))? > 0)
}
