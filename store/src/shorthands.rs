//! What is made of the engine's reads and writes, whichever engine it is: at most one row, a page of them, a job that is
//! taken back alone.

use crate::engine::{Db, Rollback, Tx};
use crate::error::Result;
use crate::sql::arg::Arg;
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use futures_util::future::BoxFuture;

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
}
