//! What is made of the engine's reads and writes, whichever engine it is: at most one row, a page of them, a job that is
//! taken back alone or run again, and what a process that remembers keeps up with a transaction.

use crate::engine::{Db, JobRun, Rollback, Tx};
use crate::error::{Error, Result};
use crate::sql::arg::{Arg, args};
use crate::sql::row::Row;
use crate::sql::rows::{self, RowPut};
use crate::sql::statement::Statement;
use crate::sql::touched::Touched;
use futures_util::future::BoxFuture;
use rules::ids::SessionId;
use std::any::Any;
use std::future::ready;

/// Rows that travel with the statements around them; more than that have a journey of their own.
const FEW: usize = 64;

impl Db {
    /// Runs a job in one write transaction: all of it or nothing. It is on its way when this returns, awaited or not, and
    /// on disk when what is returned is ready. A job must await nothing but its transaction.
    pub(crate) fn write<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t, 'e> FnOnce(&'t mut Tx<'e>) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        self.run(Rollback::Alone, job)
    }

    /// As `write`, with a choice of how a job that fails is taken back where jobs are written together.
    pub(crate) fn run<T, F>(&self, rollback: Rollback, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t, 'e> FnOnce(&'t mut Tx<'e>) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        let mut job = Some(job);
        self.transact(JobRun::Once(rollback), move |tx| match job.take() {
            Some(job) => job(tx),
            None => Box::pin(ready(Err(Error::Impossible("a job that can be run once was run again".into())))),
        })
    }

    /// As `write`, for a job that can be run again: it changes nothing but its transaction, and its answer is that of the last
    /// time. Where jobs are written together that costs less, as long as none fails.
    pub(crate) fn repeat<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t, 'e> Fn(&'t mut Tx<'e>) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        self.transact(JobRun::Repeatable, job)
    }

    /// Reads at most one row.
    pub(crate) async fn read_one<T>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        Ok(self.read(statement, args, map).await?.into_iter().next())
    }

    /// The rows of a statement that bounds their number itself, or finds what an operator declared one by one; it may be
    /// slow to find them.
    pub(crate) async fn page<T: Send + 'static>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T> + Send + 'static,
    ) -> Result<Vec<T>> {
        let mut found = Vec::new();
        let keep = |row| {
            found.push(row);
            Ok(())
        };
        self.each(statement, &[args], map, keep).await?;
        Ok(found)
    }
}

impl Tx<'_> {
    /// At most one row.
    pub(crate) async fn query_one<T>(
        &mut self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        Ok(self.query(statement, args, map).await?.into_iter().next())
    }

    /// Loads at most one row in order to decide about it: nobody else does so until this transaction has ended.
    pub(crate) async fn lock_one<T>(
        &mut self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Option<T>> {
        Ok(self.lock(statement, args, map).await?.into_iter().next())
    }

    /// The same of several rows, which the statement has in an order that is everybody's, so that nobody waits in a circle.
    pub(crate) async fn lock<T>(
        &mut self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        // Where there is one writer, every row is its own.
        if !self.is_shared() {
            return self.query(statement, args, map).await;
        }
        let sql = statement.locking();
        self.query(Statement { sql: &sql, ..statement }, args, map).await
    }

    /// Loads rows in order to decide about them, but for those that somebody else decides about at this time.
    pub(crate) async fn lock_free<T>(
        &mut self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T> + Send,
    ) -> Result<Vec<T>> {
        if !self.is_shared() {
            return self.query(statement, args, map).await;
        }
        let sql = statement.locking_free();
        self.query(Statement { sql: &sql, ..statement }, args, map).await
    }

    /// Puts many rows into a table: one by one where a statement is a call, together where it is a journey.
    pub(crate) async fn put_rows<'a>(&mut self, put: RowPut, rows: &[impl AsRef<[Arg<'a>]> + Sync]) -> Result<()> {
        if self.is_shared() {
            if rows.len() > FEW
                && let Some(into) = put.into
            {
                return self.copy(into, rows).await;
            }
            for list in rows::lists(rows)? {
                self.post(put.many, args![&list]).await?;
            }
            return Ok(());
        }
        self.execute_each(put.one, rows)
    }

    /// Notes what changes with this transaction. Only a process that remembers needs it.
    pub(crate) fn touch(&mut self, note: impl FnOnce(&mut Touched)) {
        if let Some((touched, _)) = self.memory() {
            note(touched);
        }
    }

    /// Notes that what is known of one session changes with this transaction.
    pub(crate) fn touch_session(&mut self, id: SessionId) {
        let Some((touched, hand)) = self.memory() else { return };
        touched.sessions.push(id);
        hand.take(id.0);
    }

    /// A row as the last transaction left it, where no other process can have changed it since; to be given back as it is.
    pub(crate) fn take_from_hand<T: Any>(&mut self, id: i64) -> Option<Box<T>> {
        self.memory()?.1.take(id)?.downcast().ok()
    }

    /// Lets go of the rows at hand that are no longer what the database says.
    pub(crate) fn drop_from_hand<T: Any>(&mut self, stale: impl Fn(&T) -> bool) {
        let Some((_, hand)) = self.memory() else { return };
        hand.retain(|row| !row.downcast_ref().is_some_and(&stale));
    }

    /// Lets go of one row at hand, which is no longer what the database says.
    pub(crate) fn let_go(&mut self, id: i64) {
        if let Some((_, hand)) = self.memory() {
            hand.take(id);
        }
    }

    /// Gives a row back, as it now is.
    pub(crate) fn keep_at_hand<T: Any + Send>(&mut self, id: i64, row: Box<T>) {
        let Some((_, hand)) = self.memory() else { return };
        hand.keep(id, row);
    }
}
