//! A write transaction on SQLite: the writer's connection while it runs jobs.

use super::connection::{bind, prepared, query};
use super::epochs::Epochs;
use super::outboxes::Outboxes;
use super::row_cache::WriterRows;
use crate::error::{Error, Result};
use crate::lines::line::Line;
use crate::sql::arg::{Arg, args};
use crate::sql::outbox::{Outbox, Taking};
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use crate::sql::touched::Touched;
use rusqlite::{Connection, StatementStatus};
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

/// About as many bytes of lines as are taken from an outbox at once: some twenty thousand lines, whatever the number of rows. A row
/// may have the lines of hundreds of jobs. Each time costs a sync of the ledger, and one of the outbox, which others wait for.
const MOST_BYTES: usize = 1024 * 1024;

/// Steps of the database's machine between two looks at how many are left.
const TICK: i32 = 1000;

/// Steps that cost about as much as a row that is written.
const STEPS_OF_A_ROW: i64 = 250;

#[derive(Debug)]
pub(crate) struct SqliteTx {
    pub(super) connection: Connection,
    pub(crate) touched: Touched,
    pub(crate) hand: WriterRows,
    pub(crate) outboxes: Outboxes,
    epochs: Epochs,
    /// A job failed that has no savepoint of its own: nothing of its transaction may be committed.
    pub(super) spoilt: bool,
    /// The steps that the looks of the job under way may still make.
    look_steps: Arc<AtomicI64>,
    /// The steps that they may make in all, and those that the looks of all jobs before have made.
    allowed_steps: i64,
    looked_steps: i64,
}

impl SqliteTx {
    pub(super) fn new(connection: Connection, outboxes: Outboxes, epochs: Epochs) -> Self {
        let (touched, hand, look_steps) = (Touched::default(), WriterRows::default(), Arc::default());
        Self {
            connection,
            touched,
            hand,
            outboxes,
            epochs,
            spoilt: false,
            look_steps,
            allowed_steps: 0,
            looked_steps: 0,
        }
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

    /// From now on looks are given up when they have made so many steps together: everybody else's writes wait for them.
    pub(crate) fn begin_looks(&mut self, steps: i64) -> Result<()> {
        self.look_steps.store(steps, Ordering::Relaxed);
        self.allowed_steps = steps;
        let left = self.look_steps.clone();
        let is_over = move || left.fetch_sub(i64::from(TICK), Ordering::Relaxed) <= i64::from(TICK);
        Ok(self.connection.progress_handler(TICK, Some(is_over))?)
    }

    /// One of them; `fee` is counted for what it costs beside its steps.
    pub(crate) fn look<T>(
        &mut self,
        fee: i64,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        mut map: impl FnMut(&dyn Row) -> Result<T>,
    ) -> Result<Vec<T>> {
        if self.look_steps.fetch_sub(fee, Ordering::Relaxed) <= fee {
            return Err(Error::TooCostly);
        }
        let mut prepared = prepared(&self.connection, statement, args)?;
        // The steps of a statement that is kept prepared are counted on from its last use, whoever made that.
        prepared.reset_status(StatementStatus::VmStep);
        let mut found = Vec::new();
        let mut rows = prepared.raw_query();
        while let Some(row) = rows.next()? {
            found.push(map(row)?);
        }
        drop(rows);
        let uncounted = prepared.reset_status(StatementStatus::VmStep) % TICK;
        self.look_steps.fetch_sub(i64::from(uncounted), Ordering::Relaxed);
        Ok(found)
    }

    pub(crate) fn end_looks(&mut self) -> Result<()> {
        let left = self.look_steps.swap(0, Ordering::Relaxed);
        self.looked_steps += (std::mem::take(&mut self.allowed_steps) - left).max(0);
        Ok(self.connection.progress_handler(0, None::<fn() -> bool>)?)
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
        self.epochs.note(&self.connection)?;
        self.run("COMMIT")?;
        self.epochs.committed();
        Ok(())
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

    /// The work of all jobs so far, in rows: those that they changed, and what their looks cost as much as.
    pub(super) fn work(&self) -> u64 {
        self.changes() + (self.looked_steps / STEPS_OF_A_ROW).unsigned_abs()
    }

    pub(super) fn is_open(&self) -> bool {
        !self.connection.is_autocommit()
    }

    /// Runs a statement without arguments or result.
    pub(super) fn run(&mut self, sql: &'static str) -> Result<()> {
        self.execute(Statement::new(sql, sql), &[]).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SHORT: Statement<'static> = Statement::new("short", "SELECT 7");
    const LONG: Statement<'static> = Statement::new(
        "long",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 10000) SELECT count(*) FROM n",
    );

    fn tx() -> SqliteTx {
        SqliteTx::new(Connection::open_in_memory().unwrap(), Outboxes::default(), Epochs::default())
    }

    fn look(tx: &mut SqliteTx, steps: i64, statement: Statement<'_>) -> Result<Vec<i64>> {
        tx.begin_looks(steps)?;
        let found = tx.look(1, statement, &[], |row| row.int(0));
        tx.end_looks()?;
        found
    }

    #[test]
    fn a_cheap_look_is_as_cheap_however_often_its_statement_was_used_before() {
        let mut tx = tx();
        for _ in 0..1000 {
            assert_eq!(look(&mut tx, 100, SHORT).unwrap(), [7]);
        }
    }

    #[test]
    fn looks_have_one_bound_together_and_leave_none_behind() {
        let mut tx = tx();
        assert!(matches!(look(&mut tx, 10_000, LONG), Err(Error::TooCostly)));
        assert_eq!(look(&mut tx, 1_000_000, LONG).unwrap(), [10_000]);
        tx.begin_looks(250_000).unwrap();
        let many = (0..10).map(|_| tx.look(1, LONG, &[], |row| row.int(0)));
        let made = many.take_while(std::result::Result::is_ok).count();
        tx.end_looks().unwrap();
        assert!((1..5).contains(&made), "{made}");
        assert_eq!(tx.query(LONG, &[], |row| row.int(0)).unwrap(), [10_000], "without a bound");
    }

    #[test]
    fn what_a_look_costs_beside_its_steps_is_counted() {
        let mut tx = tx();
        tx.begin_looks(1000).unwrap();
        assert!(tx.look(400, SHORT, &[], |row| row.int(0)).is_ok());
        assert!(tx.look(400, SHORT, &[], |row| row.int(0)).is_ok());
        assert!(matches!(tx.look(400, SHORT, &[], |row| row.int(0)), Err(Error::TooCostly)));
    }
}
