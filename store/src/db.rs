//! The one way to the database: statements, arguments, rows and transactions, written once for every engine.
//!
//! SQL is `$1` style in the subset that SQLite and PostgreSQL share. The engine is chosen here, on single statements,
//! so that nothing above knows which one it runs on.

use crate::error::{Error, Result};
use crate::sqlite::Sqlite;
use crate::sqlite_tx::SqliteTx;
use std::pin::Pin;

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An argument of a statement. Times and booleans are integers, ids are ours.
#[derive(Clone, Copy, Debug)]
pub enum Arg<'a> {
    Null,
    Int(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

impl From<i64> for Arg<'_> {
    fn from(value: i64) -> Self {
        Self::Int(value)
    }
}

impl From<bool> for Arg<'_> {
    fn from(value: bool) -> Self {
        Self::Int(i64::from(value))
    }
}

impl<'a> From<&'a str> for Arg<'a> {
    fn from(value: &'a str) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a String> for Arg<'a> {
    fn from(value: &'a String) -> Self {
        Self::Text(value)
    }
}

impl<'a> From<&'a [u8]> for Arg<'a> {
    fn from(value: &'a [u8]) -> Self {
        Self::Bytes(value)
    }
}

impl<'a, T: Into<Arg<'a>>> From<Option<T>> for Arg<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// The arguments of a statement, in order: `args![id, name, now.0]`.
macro_rules! args {
    ($($value:expr),* $(,)?) => { &[$($crate::db::Arg::from($value)),*] };
}
pub(crate) use args;

/// One row of a result, read by position.
#[derive(Debug)]
pub enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
}

impl Row<'_> {
    pub fn int(&self, at: usize) -> Result<i64> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
        }
    }

    pub fn opt_int(&self, at: usize) -> Result<Option<i64>> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
        }
    }

    pub fn text(&self, at: usize) -> Result<String> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
        }
    }

    pub fn opt_text(&self, at: usize) -> Result<Option<String>> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
        }
    }

    pub fn bytes(&self, at: usize) -> Result<Vec<u8>> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
        }
    }

    pub fn opt_bytes(&self, at: usize) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
        }
    }

    pub fn flag(&self, at: usize) -> Result<bool> {
        Ok(self.int(at)? != 0)
    }

    /// A word of the database read as one of the code's own values.
    pub fn word<T>(&self, at: usize, named: impl Fn(&str) -> Option<T>) -> Result<T> {
        let word = self.text(at)?;
        named(&word).ok_or_else(|| Error::Impossible(format!("column {at} holds the word {word:?}")))
    }
}

/// A database of any engine.
#[derive(Debug)]
pub enum Db {
    Sqlite(Sqlite),
}

/// A write transaction of any engine.
#[derive(Debug)]
pub enum Tx {
    Sqlite(SqliteTx),
}

impl Db {
    /// Reads all rows of one statement.
    pub async fn read<T>(
        &self,
        sql: &str,
        args: &[Arg<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        match self {
            Self::Sqlite(sqlite) => sqlite.read(sql, args, map),
        }
    }

    /// Reads at most one row.
    pub async fn read_one<T>(
        &self,
        sql: &str,
        args: &[Arg<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        Ok(self.read(sql, args, map).await?.into_iter().next())
    }

    /// Runs a job in one write transaction: all of it or nothing, and on disk before this returns. A job must await
    /// nothing but its transaction.
    pub async fn write<T, F>(&self, job: F) -> Result<T>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        match self {
            Self::Sqlite(sqlite) => sqlite.write(job).await,
        }
    }
}

impl Tx {
    /// Runs a statement and tells how many rows it changed.
    pub async fn execute(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
        match self {
            Self::Sqlite(tx) => tx.execute(sql, args),
        }
    }

    pub async fn query<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        match self {
            Self::Sqlite(tx) => tx.query(sql, args, map),
        }
    }

    pub async fn query_one<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        Ok(self.query(sql, args, map).await?.into_iter().next())
    }

    /// Says that what is known of one session changes with this transaction.
    pub fn touches_session(&mut self, id: i64) {
        match self {
            Self::Sqlite(tx) => tx.touched.session(id),
        }
    }

    /// Says that what is known of any session may change with this transaction (clients, users, teams, grants).
    pub fn touches_everyone(&mut self) {
        match self {
            Self::Sqlite(tx) => tx.touched.everyone(),
        }
    }
}
