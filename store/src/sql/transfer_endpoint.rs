//! One end of a move, of whatever engine: what can be read from a source and written to a target.

use super::table::{Table, Values};
use crate::error::Result;
use futures_util::future::LocalBoxFuture;

/// What is in a database before something is moved to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Target {
    New,
    /// A part of what an earlier move was to bring.
    Unfinished,
    Used,
}

/// A database that is being moved from or to.
pub(crate) trait TransferEndpoint: std::fmt::Debug {
    fn count<'a>(&'a self, table: &'a Table) -> LocalBoxFuture<'a, Result<u64>>;

    /// The next rows of the table that is being read; none at its end, after which it is read from its start again.
    fn next<'a>(&'a mut self, table: &'a Table) -> LocalBoxFuture<'a, Result<Vec<Values>>>;

    /// Stores a batch, on disk when this is done.
    fn write<'a>(&'a mut self, table: &'a Table, batch: &'a [Values]) -> LocalBoxFuture<'a, Result<()>>;

    /// Is told when a table has all its rows.
    fn complete<'a>(&'a self, table: &'a Table) -> LocalBoxFuture<'a, Result<()>>;

    /// From now on it is a database like any other.
    fn arrive(&self) -> LocalBoxFuture<'_, Result<()>>;

    /// From now on it is refused, because its data is in `to`.
    fn leave<'a>(&'a self, to: &'a str, tables: &'a [Table]) -> LocalBoxFuture<'a, Result<()>>;

    /// Undoes `leave`.
    fn stay<'a>(&'a self, to: &'a str) -> LocalBoxFuture<'a, Result<()>>;
}

/// A database that may become a target, held and not yet touched.
pub(crate) trait TransferCandidate: std::fmt::Debug {
    /// What is in it.
    fn state(&self) -> Target;

    /// Makes it an empty target.
    fn prepare(self: Box<Self>, tables: &[Table]) -> LocalBoxFuture<'_, Result<Box<dyn TransferEndpoint>>>;
}
