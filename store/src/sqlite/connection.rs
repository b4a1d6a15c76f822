//! Connections to all files of a data directory, and statements on them.

use super::files::{self, StoreFile};
use crate::error::{Error, Result};
use crate::sql::arg::Arg;
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use rusqlite::config::DbConfig;
use rusqlite::types::{FromSql, ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ErrorCode, OpenFlags, ToSql, ffi};
use std::path::Path;

/// Statements kept prepared by each connection; the one that was not used for longest makes room.
const PREPARED: usize = 256;

/// A connection to all files. Durability is SQLite's fullest: WAL with a sync at every commit.
pub(super) fn connect(directory: &Path, writes: bool) -> Result<Connection> {
    let access = if writes { OpenFlags::SQLITE_OPEN_READ_WRITE } else { OpenFlags::SQLITE_OPEN_READ_ONLY };
    let connection =
        Connection::open_with_flags(files::FIRST.path(directory), access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?;
    for part in files::others() {
        let attach = format!("ATTACH DATABASE $1 AS {}", part.schema);
        connection.execute(&attach, [part.path(directory).to_string_lossy()])?;
    }
    connection.set_prepared_statement_cache_capacity(PREPARED);
    // A plan must not depend on the arguments: otherwise SQLite prepares a join anew for each set of them, which costs
    // several times the read itself.
    connection.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
    connection.busy_timeout(std::time::Duration::from_secs(5))?;
    connection.execute_batch("PRAGMA foreign_keys = ON; PRAGMA wal_autocheckpoint = 0; PRAGMA temp_store = MEMORY")?;
    for StoreFile { schema, .. } in &files::PARTS {
        // Whoever writes comes back to the same pages of the index, with transactions between; whoever reads has the
        // operating system's memory of the files.
        let kibibytes = if writes { 16_000 } else { 2_000 };
        connection.execute_batch(&format!(
            "PRAGMA {schema}.mmap_size = 268435456; PRAGMA {schema}.synchronous = FULL;
             PRAGMA {schema}.cache_size = -{kibibytes}"
        ))?;
    }
    Ok(connection)
}

/// Runs a query on a connection and maps every row.
pub(super) fn query<T>(
    connection: &Connection,
    statement: Statement<'_>,
    args: &[Arg<'_>],
    mut map: impl FnMut(&dyn Row) -> Result<T>,
) -> Result<Vec<T>> {
    let mut found = Vec::new();
    each(connection, statement, args, |row| {
        found.push(map(row)?);
        Ok(())
    })?;
    Ok(found)
}

/// Runs a query on a connection and gives its rows as they are found.
pub(super) fn each(
    connection: &Connection,
    statement: Statement<'_>,
    args: &[Arg<'_>],
    mut row: impl FnMut(&dyn Row) -> Result<()>,
) -> Result<()> {
    let mut prepared = prepared(connection, statement, args)?;
    let mut rows = prepared.raw_query();
    while let Some(found) = rows.next()? {
        row(found)?;
    }
    Ok(())
}

/// A cached statement with its arguments bound.
pub(super) fn prepared<'c>(
    connection: &'c Connection,
    statement: Statement<'_>,
    args: &[Arg<'_>],
) -> Result<CachedStatement<'c>> {
    let mut prepared = connection.prepare_cached(statement.sql)?;
    bind(&mut prepared, statement, args)?;
    Ok(prepared)
}

/// Binds arguments by the number in `$n`: to SQLite `$1` is a name, numbered by first appearance, so position alone may bind the
/// wrong argument.
pub(super) fn bind(prepared: &mut CachedStatement<'_>, statement: Statement<'_>, args: &[Arg<'_>]) -> Result<()> {
    let Statement { sql, in_order, .. } = statement;
    for index in 1..=prepared.parameter_count() {
        let number = if in_order { Some(index) } else { number(prepared, index) };
        let arg = number.and_then(|n| args.get(n.checked_sub(1)?));
        let arg = arg.ok_or_else(|| Error::Impossible(format!("no argument for parameter {index} of {sql}")))?;
        prepared.raw_bind_parameter(index, arg)?;
    }
    Ok(())
}

fn number(statement: &CachedStatement<'_>, index: usize) -> Option<usize> {
    statement.parameter_name(index)?.get(1..)?.parse().ok()
}

impl Row for rusqlite::Row<'_> {
    fn opt_int(&self, at: usize) -> Result<Option<i64>> {
        column(self, at)
    }

    fn opt_text(&self, at: usize) -> Result<Option<String>> {
        column(self, at)
    }

    fn opt_bytes(&self, at: usize) -> Result<Option<Vec<u8>>> {
        column(self, at)
    }
}

fn column<T: FromSql>(row: &rusqlite::Row<'_>, at: usize) -> Result<T> {
    Ok(row.get(at)?)
}

impl From<rusqlite::Error> for Error {
    fn from(error: rusqlite::Error) -> Self {
        match error.sqlite_error_code() {
            // Only reads in place and in the pool, and looks of a write, interrupt a statement when its time is over.
            Some(ErrorCode::OperationInterrupted) => Self::TooCostly,
            Some(ErrorCode::DiskFull) => Self::Unavailable("the disk is full".into()),
            _ if is_taken(&error) => Self::Taken(error.to_string()),
            _ if is_unwritten(&error) => Self::Unavailable(format!("the disk did not take a write: {error}")),
            _ => Self::Database(error.to_string()),
        }
    }
}

/// Whether another row has what only one may have.
fn is_taken(error: &rusqlite::Error) -> bool {
    error.sqlite_error().is_some_and(|error| error.extended_code == ffi::SQLITE_CONSTRAINT_UNIQUE)
}

/// Whether the disk failed in writing, or the writer was told that its files are gone.
fn is_unwritten(error: &rusqlite::Error) -> bool {
    let code = error.sqlite_error().map(|error| error.extended_code);
    let codes = [
        ffi::SQLITE_IOERR_WRITE,
        ffi::SQLITE_IOERR_FSYNC,
        ffi::SQLITE_IOERR_TRUNCATE,
        ffi::SQLITE_IOERR_SHMOPEN,
        ffi::SQLITE_IOERR_SHMSIZE,
        ffi::SQLITE_CONSTRAINT_COMMITHOOK,
    ];
    code.is_some_and(|code| codes.contains(&code))
}

impl ToSql for Arg<'_> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(ToSqlOutput::Borrowed(match self {
            Self::Null => ValueRef::Null,
            Self::Int(value) => ValueRef::Integer(*value),
            Self::Text(value) => ValueRef::Text(value.as_bytes()),
            Self::Bytes(value) => ValueRef::Blob(value),
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_are_bound_by_number_in_whatever_order_they_appear() {
        let connection = Connection::open_in_memory().unwrap();
        for (sql, found) in [
            ("SELECT $1, $2, $3", [1, 2, 3]),
            ("SELECT $3, $1, $2", [3, 1, 2]),
            ("SELECT $2, $2, $1", [2, 2, 1]),
            ("SELECT $1, $2, $1 + $3 - $3", [1, 2, 1]),
        ] {
            let args = [Arg::Int(1), Arg::Int(2), Arg::Int(3)];
            let row = |row: &dyn Row| Ok([row.int(0)?, row.int(1)?, row.int(2)?]);
            assert_eq!(query(&connection, Statement::new("test", sql), &args, row).unwrap(), [found], "{sql}");
        }
        assert!(
            query(&connection, Statement::new("test", "SELECT $1, $2"), &[Arg::Int(1)], |row| row.int(0)).is_err(),
            "one is missing"
        );
    }
}
