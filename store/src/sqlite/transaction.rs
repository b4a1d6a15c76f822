//! A write transaction on SQLite: the writer's connection while it runs jobs.

use super::connection::{bind, prepared, query};
use super::outboxes::Outboxes;
use super::row_cache::WriterRows;
use crate::error::Result;
use crate::lines::line::Line;
use crate::sql::arg::{Arg, args};
use crate::sql::outbox::{Outbox, Taking};
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use crate::sql::touched::Touched;
use rusqlite::Connection;

/// About as many bytes of lines as are taken from an outbox at once: some twenty thousand lines, whatever the number of rows. A row
/// may have the lines of hundreds of jobs. Each time costs a sync of the ledger, and one of the outbox, which others wait for.
const MOST_BYTES: usize = 1024 * 1024;

/// Steps of the database's machine after which a look in a hurry is given up: some tens of milliseconds.
const HURRIED_STEPS: i32 = 1_000_000;

#[derive(Debug)]
pub(crate) struct SqliteTx {
    pub(super) connection: Connection,
    pub(crate) touched: Touched,
    pub(crate) hand: WriterRows,
    pub(crate) outboxes: Outboxes,
    /// A job failed that has no savepoint of its own: nothing of its transaction may be committed.
    pub(super) spoilt: bool,
}

impl SqliteTx {
    pub(super) fn new(connection: Connection, outboxes: Outboxes) -> Self {
        Self { connection, touched: Touched::default(), hand: WriterRows::default(), outboxes, spoilt: false }
    }

    pub(crate) fn execute(&mut self, statement: Statement<'_>, args: &[Arg<'_>]) -> Result<u64> {
        let mut statement = prepared(&self.connection, statement, args)?;
        Ok(statement.raw_execute()? as u64)
    }

    /// Runs a statement for each of these rows of arguments.
    pub(crate) fn execute_each<'a>(&mut self, statement: Statement<'_>, rows: &[impl AsRef<[Arg<'a>]>]) -> Result<()> {
        let Some((first, others)) = rows.split_first() else { return Ok(()) };
        let mut prepared = prepared(&self.connection, statement, first.as_ref())?;
        prepared.raw_execute()?;
        for row in others {
            bind(&mut prepared, statement, row.as_ref())?;
            prepared.raw_execute()?;
        }
        Ok(())
    }

    pub(crate) fn query<T>(
        &mut self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T>,
    ) -> Result<Vec<T>> {
        query(&self.connection, statement, args, map)
    }

    /// Says whether reads are given up after so many steps from now on: everybody else's writes wait for them.
    pub(crate) fn hurry(&mut self, is_on: bool) -> Result<()> {
        match is_on {
            true => self.connection.progress_handler(HURRIED_STEPS, Some(|| true))?,
            false => self.connection.progress_handler(0, None::<fn() -> bool>)?,
        }
        Ok(())
    }

    /// Has a line wait for the ledger, from this transaction's commit on.
    pub(crate) fn append(&mut self, outbox: Outbox, line: &Line) {
        self.outboxes.push(outbox, line);
    }

    /// The lines of at most so many rows of an outbox, and of not many more than `MOST_BYTES`, from behind `after` on. They stay
    /// in it until they are on disk elsewhere.
    pub(crate) fn take(&mut self, outbox: Outbox, after: i64, most: i64) -> Result<Taking> {
        let (mut bytes, mut mark, mut taken) = (0, None, Vec::new());
        let statement = outbox.waiting();
        let mut rows = prepared(&self.connection, statement, args![after, most])?;
        let mut rows = rows.raw_query();
        while bytes < MOST_BYTES
            && let Some(row) = rows.next()?
        {
            let lines = Row::bytes(row, 1)?;
            (bytes, mark) = (bytes + lines.len(), Some(Row::int(row, 0)?));
            taken.push(lines);
        }
        Ok(Taking { is_full: bytes >= MOST_BYTES || taken.len() as i64 >= most, lines: taken, mark })
    }

    /// Ends the transaction with its changes and its lines.
    pub(super) fn commit(&mut self) -> Result<()> {
        self.outboxes.write(&self.connection)?;
        self.run("COMMIT")
    }

    /// Ends the transaction, if SQLite has not done so itself, without what was noted of it.
    pub(super) fn roll_back(&mut self) -> Result<()> {
        self.hand.clear();
        self.outboxes.clear();
        if self.is_open() { self.run("ROLLBACK") } else { Ok(()) }
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
