//! Statements on a connection: each is prepared when it is first asked for, and stays so.

use super::answers::once;
use crate::db::Arg;
use deadpool_postgres::ClientWrapper;
use futures_util::TryStreamExt;
use std::pin::pin;
use tokio_postgres::{Error, Row, RowStream, Statement};

/// Statements kept prepared. There are fewer than that; texts that are made anew each time must not fill the server's
/// memory.
const MOST_PREPARED: usize = 512;

pub(super) trait Prepared {
    /// Where the statement is prepared already, the first poll gives it, and nothing is sent.
    async fn prepared(&self, sql: &str) -> Result<Statement, Error>;

    async fn query_prepared(&self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Row>, Error>;

    async fn execute_prepared(&self, sql: &str, args: &[Arg<'_>]) -> Result<u64, Error>;

    /// All rows of a statement without arguments, as they come: however many there are, few are in memory.
    async fn stream_prepared(&self, sql: &str) -> Result<RowStream, Error>;
}

impl Prepared for ClientWrapper {
    async fn prepared(&self, sql: &str) -> Result<Statement, Error> {
        let mut preparing = pin!(self.prepare_cached(sql));
        if let Some(at_once) = once(&mut preparing).await {
            return at_once;
        }
        let statement = preparing.await?;
        // Counting takes a walk through all of them, so it is done for new ones only.
        if self.statement_cache.size() > MOST_PREPARED {
            self.statement_cache.clear();
        }
        Ok(statement)
    }

    async fn query_prepared(&self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Row>, Error> {
        let statement = self.prepared(sql).await?;
        self.query_raw(&statement, args.iter().copied()).await?.try_collect().await
    }

    async fn execute_prepared(&self, sql: &str, args: &[Arg<'_>]) -> Result<u64, Error> {
        let statement = self.prepared(sql).await?;
        self.execute_raw(&statement, args.iter().copied()).await
    }

    async fn stream_prepared(&self, sql: &str) -> Result<RowStream, Error> {
        let statement = self.prepared(sql).await?;
        self.query_raw(&statement, std::iter::empty::<Arg<'_>>()).await
    }
}

#[cfg(test)]
mod tests {
    use super::super::hosts::Hosts;
    use super::super::place::PostgresPlace;
    use super::*;

    #[tokio::test]
    async fn a_statement_is_prepared_once_and_texts_made_anew_do_not_pile_up_on_the_server() {
        let place = PostgresPlace::parse(&cluster::shared().new_database()).unwrap();
        let connection = Hosts::of(&place).unwrap().connect().await.unwrap();
        let held = async || {
            let rows = connection.query_prepared("SELECT count(*) FROM pg_prepared_statements", &[]).await.unwrap();
            usize::try_from(rows[0].get::<_, i64>(0)).unwrap()
        };
        assert_eq!((held().await, held().await), (1, 1));
        for number in 0..2 * MOST_PREPARED {
            connection.execute_prepared(&format!("SELECT {number}"), &[]).await.unwrap();
            let held = held().await;
            assert!(held <= MOST_PREPARED + 1, "{held} after {number}");
        }
    }
}
