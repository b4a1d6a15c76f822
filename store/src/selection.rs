//! At most one row, or a page of them: what is made of the engine's reads, whichever engine it is.

use crate::engine::{Db, Tx};
use crate::error::Result;
use crate::sql::arg::Arg;
use crate::sql::row::Row;
use crate::sql::statement::Statement;

impl Db {
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
