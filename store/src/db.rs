//! The one way to the database: statements, arguments, rows and transactions, written once for every engine.
//!
//! SQL is `$1` style in the subset that SQLite and PostgreSQL share. The engine is chosen here, on single statements,
//! so that nothing above knows which one it runs on.

use crate::error::Result;
use crate::job::TakenBack;
use crate::postgres::{Postgres, PostgresTx, Proof};
use crate::records;
use crate::remembered::Remembered;
pub use crate::row::Row;
use crate::sessions::Loaded;
use crate::sqlite::Sqlite;
use crate::sqlite_tx::SqliteTx;
use futures_util::future::Either;
use std::pin::Pin;

pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;

/// An argument of a statement. Times and booleans are integers, ids are ours.
#[derive(Clone, Copy)]
pub enum Arg<'a> {
    Null,
    Int(i64),
    Text(&'a str),
    Bytes(&'a [u8]),
}

/// Texts and bytes are people's, or secret; a driver that logs its arguments must find nothing to log.
impl std::fmt::Debug for Arg<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Null => f.write_str("Null"),
            Self::Int(value) => write!(f, "Int({value})"),
            Self::Text(_) => f.write_str("Text(…)"),
            Self::Bytes(_) => f.write_str("Bytes(…)"),
        }
    }
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

/// A database of any engine.
#[derive(Debug)]
pub enum Db {
    Sqlite(Sqlite),
    Postgres(Postgres),
}

/// A write transaction of any engine.
#[derive(Debug)]
pub enum Tx {
    Sqlite(SqliteTx),
    Postgres(PostgresTx),
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
            Self::Postgres(postgres) => far(postgres.read(sql, args, map)).await,
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

    /// Runs a job in one write transaction: all of it or nothing. It is on its way when this returns, awaited or not, and
    /// on disk when what is returned is ready. A job must await nothing but its transaction.
    pub fn write<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        match self {
            Self::Sqlite(sqlite) => Either::Left(sqlite.write(TakenBack::Alone, job)),
            Self::Postgres(postgres) => Either::Right(postgres.write(job)),
        }
    }

    /// As `write`, for a job that fails only where the database itself is in trouble; whatever else it has to say is
    /// a value. Jobs that are written together then need not be kept apart.
    pub fn write_ruling<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        match self {
            Self::Sqlite(sqlite) => Either::Left(sqlite.write(TakenBack::WithItsGroup, job)),
            Self::Postgres(postgres) => Either::Right(postgres.write(job)),
        }
    }

    /// What was read lately, where no other process can make it untrue.
    pub(crate) fn remembered(&self) -> Option<&Remembered> {
        match self {
            Self::Sqlite(sqlite) => Some(&sqlite.remembered),
            Self::Postgres(_) => None,
        }
    }
}

impl Tx {
    /// Runs a statement and tells how many rows it changed.
    pub async fn execute(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<u64> {
        match self {
            Self::Sqlite(tx) => tx.execute(sql, args),
            Self::Postgres(tx) => far(tx.execute(sql, args)).await,
        }
    }

    /// Runs a statement whose count nobody asks for. Where asking costs a round trip, the answer is read later, at the
    /// latest before the commit.
    pub async fn post(&mut self, sql: &str, args: &[Arg<'_>]) -> Result<()> {
        match self {
            Self::Sqlite(tx) => tx.execute(sql, args).map(|_| ()),
            Self::Postgres(tx) => far(tx.post(sql, args)).await,
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
            Self::Postgres(tx) => far(tx.query(sql, args, map)).await,
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

    /// Loads at most one row in order to decide about it: nobody else does so until this transaction has ended.
    pub async fn lock_one<T>(
        &mut self,
        sql: &str,
        args: &[Arg<'_>],
        map: impl FnMut(&Row<'_>) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        match self {
            // There is one writer, so every row is its own.
            Self::Sqlite(_) => self.query_one(sql, args, map).await,
            Self::Postgres(_) => self.query_one(&locking(sql), args, map).await,
        }
    }

    /// Whether this transaction, until it ends, is the only one of all nodes that does `what`.
    pub async fn is_alone(&mut self, what: i64) -> Result<bool> {
        match self {
            Self::Sqlite(_) => Ok(true),
            Self::Postgres(tx) => far(tx.is_alone(what)).await,
        }
    }

    /// Names a line of the ledger by which this transaction, once committed, can be told from one that was not.
    pub(crate) fn proves(&mut self, proof: Proof) {
        match self {
            Self::Sqlite(_) => {}
            Self::Postgres(tx) => tx.proves(proof),
        }
    }

    /// Says how this transaction is taken back, should its commit become known only after its caller was told to try
    /// again. The statement changes one row, or none if somebody has built on it.
    pub fn undo_with(&mut self, sql: &'static str, args: &[Arg<'_>]) {
        match self {
            Self::Sqlite(_) => {}
            Self::Postgres(tx) => tx.undo_with(sql, args),
        }
    }

    /// Passing trouble, if the last change to what was loaded may be one that its caller was told to try again.
    pub fn relies_on_the_last_change(&self) -> Result<()> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(tx) => tx.relies_on_the_last_change(),
        }
    }

    /// Says that what is known of one session changes with this transaction. Only a process that remembers needs it.
    pub fn touches_session(&mut self, id: i64) {
        match self {
            Self::Sqlite(tx) => {
                tx.touched.sessions.push(id);
                tx.at_hand.take(id);
            }
            Self::Postgres(_) => {}
        }
    }

    /// A session as this or an earlier transaction left it, where no other process can have changed it since. Whoever
    /// takes it either gives it back as it then is, or leaves it to be loaded again.
    pub(crate) fn take_from_hand(&mut self, id: i64) -> Option<Box<Loaded>> {
        match self {
            Self::Sqlite(tx) => tx.at_hand.take(id),
            Self::Postgres(_) => None,
        }
    }

    /// Gives a session back, as its row now is.
    pub(crate) fn keep_at_hand(&mut self, id: i64, session: Box<Loaded>) {
        match self {
            Self::Sqlite(tx) => tx.at_hand.keep(id, session),
            Self::Postgres(_) => {}
        }
    }

    /// Says that what is known of one resource changes with this transaction.
    pub fn touches_record(&mut self, type_name: &str, fhir_id: &str) {
        match self {
            Self::Sqlite(tx) => tx.touched.records.push(records::reference(type_name, fhir_id)),
            Self::Postgres(_) => {}
        }
    }

    /// Says that what is known of anything may change with this transaction (clients, users, teams, grants).
    pub fn touches_everyone(&mut self) {
        match self {
            Self::Sqlite(tx) => {
                tx.touched.everything = true;
                tx.at_hand.clear();
            }
            Self::Postgres(_) => {}
        }
    }
}

/// Keeps the kilobytes that a conversation with a server needs out of every future that only might have one: a request
/// is one such future, and it is made and moved as a whole.
fn far<'f, T>(conversation: impl Future<Output = T> + Send + 'f) -> BoxFuture<'f, T> {
    Box::pin(conversation)
}

/// The same SELECT, locking the rows that it finds against other writers.
pub fn locking(sql: &str) -> String {
    format!("{sql} FOR NO KEY UPDATE")
}
