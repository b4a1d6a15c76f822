//! A write transaction on SQLite: the writer's connection while it runs jobs.

use super::connection::{prepared, query};
use super::hand::Hand;
use crate::error::Result;
use crate::sql::arg::Arg;
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use crate::sql::touched::Touched;
use rusqlite::Connection;

#[derive(Debug)]
pub(crate) struct SqliteTx {
    pub(super) connection: Connection,
    pub(crate) touched: Touched,
    pub(crate) hand: Hand,
    /// A job failed that has no savepoint of its own: nothing of its transaction may be committed.
    pub(super) spoilt: bool,
}

impl SqliteTx {
    pub(super) fn new(connection: Connection) -> Self {
        Self { connection, touched: Touched::default(), hand: Hand::default(), spoilt: false }
    }

    pub(crate) fn execute(&mut self, statement: Statement<'_>, args: &[Arg<'_>]) -> Result<u64> {
        let mut statement = prepared(&self.connection, statement, args)?;
        Ok(statement.raw_execute()? as u64)
    }

    pub(crate) fn query<T>(
        &mut self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T>,
    ) -> Result<Vec<T>> {
        query(&self.connection, statement, args, map)
    }

    /// How many rows were ever changed on this connection.
    pub(super) fn changes(&self) -> u64 {
        self.connection.total_changes()
    }

    pub(super) fn is_open(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// Runs a statement without arguments or result.
    pub(super) fn run(&mut self, sql: &'static str) -> Result<()> {
        self.execute(Statement::new(sql, sql), &[]).map(|_| ())
    }
}
