//! Statements on one SQLite connection, and what a write transaction on it touched.

use crate::db::{Arg, Row};
use crate::error::{Error, Result};
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{CachedStatement, Connection, ToSql};

/// The writer's connection while it runs jobs.
#[derive(Debug)]
pub struct SqliteTx {
    pub(crate) connection: Connection,
    pub(crate) touched: Touched,
}

/// Which sessions the cache must forget once the transaction is committed.
#[derive(Debug, Default)]
pub struct Touched {
    pub(crate) sessions: Vec<i64>,
    pub(crate) all: bool,
}

impl Touched {
    pub(crate) fn session(&mut self, id: i64) {
        self.sessions.push(id);
    }

    pub(crate) fn everyone(&mut self) {
        self.all = true;
    }
}

impl SqliteTx {
    pub(crate) fn execute(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
        let mut statement = prepared(&self.connection, sql, args)?;
        Ok(statement.raw_execute()? as u64)
    }

    pub(crate) fn query<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        query(&self.connection, sql, args, map)
    }
}

/// Runs a query on a connection and maps every row.
pub(crate) fn query<T>(
    connection: &Connection,
    sql: &str,
    args: &[Arg<'_>],
    mut map: impl FnMut(&Row<'_>) -> Result<T>,
) -> Result<Vec<T>> {
    let mut statement = prepared(connection, sql, args)?;
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        found.push(map(&Row::Sqlite(row))?);
    }
    Ok(found)
}

/// A cached statement with its arguments bound by the number in `$n`: to SQLite `$1` is a name, numbered by first
/// appearance, so position alone would bind the wrong argument.
pub(crate) fn prepared<'c>(connection: &'c Connection, sql: &str, args: &[Arg<'_>]) -> Result<CachedStatement<'c>> {
    let mut statement = connection.prepare_cached(sql)?;
    for index in 1..=statement.parameter_count() {
        let number = statement.parameter_name(index).and_then(|name| name.get(1..)?.parse::<usize>().ok());
        let arg = number.and_then(|n| args.get(n.checked_sub(1)?));
        let arg = arg.ok_or_else(|| Error::Impossible(format!("no argument for parameter {index} of {sql}")))?;
        statement.raw_bind_parameter(index, arg)?;
    }
    Ok(statement)
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
