//! A connection to the server, and the statements that are prepared on it: each when it is first asked for.

use super::answers::once;
use super::dialect::in_postgres;
use crate::sql::arg::Arg;
use foldhash::fast::RandomState;
use futures_util::TryStreamExt;
use std::collections::HashMap;
use std::ops::Deref;
use std::pin::pin;
use std::sync::{Mutex, PoisonError};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Error, Row, RowStream, Statement};

/// Statements kept prepared. There are fewer than that; should it ever be full, the one that was not used for longest
/// makes room, here and in the server's memory.
const MOST_PREPARED: usize = 512;

pub(super) struct Connection {
    client: Client,
    /// What carries the conversation.
    task: JoinHandle<()>,
    prepared: Mutex<StatementCache>,
}

/// Statements by their text, each with when it was used last.
#[derive(Default)]
struct StatementCache {
    uses: u64,
    statements: HashMap<String, (Statement, u64), RandomState>,
}

impl Deref for Connection {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Connection {
    pub(super) fn new(client: Client, task: JoinHandle<()>) -> Self {
        Self { client, task, prepared: Mutex::default() }
    }

    /// Where the statement is prepared already, the first poll gives it, and nothing is sent.
    pub(super) async fn prepared(&self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.known(sql) {
            return Ok(statement);
        }
        let text = in_postgres(sql);
        let mut preparing = pin!(self.client.prepare(&text));
        let statement = match once(&mut preparing).await {
            Some(at_once) => at_once?,
            None => preparing.await?,
        };
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner).add(sql, &statement);
        Ok(statement)
    }

    fn known(&self, sql: &str) -> Option<Statement> {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner).find(sql)
    }

    pub(super) async fn query_prepared(&self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Row>, Error> {
        self.stream_prepared(sql, args).await?.try_collect().await
    }

    pub(super) async fn execute_prepared(&self, sql: &str, args: &[Arg<'_>]) -> Result<u64, Error> {
        let statement = self.prepared(sql).await?;
        self.client.execute_raw(&statement, args.iter().copied()).await
    }

    /// The rows of a statement as they come: however many there are, few are in memory.
    pub(super) async fn stream_prepared(&self, sql: &str, args: &[Arg<'_>]) -> Result<RowStream, Error> {
        let statement = self.prepared(sql).await?;
        self.client.query_raw(&statement, args.iter().copied()).await
    }
}

impl StatementCache {
    fn find(&mut self, sql: &str) -> Option<Statement> {
        self.uses += 1;
        let (statement, used) = self.statements.get_mut(sql)?;
        *used = self.uses;
        Some(statement.clone())
    }

    fn add(&mut self, sql: &str, statement: &Statement) {
        if self.statements.len() >= MOST_PREPARED {
            let coldest = self.statements.iter().min_by_key(|(_, (_, used))| *used).map(|(sql, _)| sql.clone());
            coldest.and_then(|sql| self.statements.remove(&sql));
        }
        self.statements.insert(sql.to_owned(), (statement.clone(), self.uses));
    }
}

#[cfg(test)]
mod tests {
    use super::super::hosts::Hosts;
    use super::super::place::PostgresPlace;
    use super::*;
    use std::time::Duration;

    async fn connection() -> Connection {
        let mut place = PostgresPlace::parse(&cluster::shared().new_database()).unwrap();
        // However busy the machine is: this is not about how soon we are let in.
        place.options.connect_timeout = Duration::from_secs(300);
        Hosts::of(&place).unwrap().connect().await.unwrap()
    }

    /// How many statements the server keeps for this connection, and whether the text is among them.
    async fn kept(connection: &Connection, sql: &str) -> (usize, bool) {
        let rows = connection.query_prepared("SELECT statement FROM pg_prepared_statements", &[]).await.unwrap();
        (rows.len(), rows.iter().any(|row| row.get::<_, String>(0) == sql))
    }

    #[tokio::test]
    async fn statements_that_are_made_anew_do_not_pile_up_and_the_one_in_use_stays() {
        let connection = connection().await;
        for number in 0..2 * MOST_PREPARED {
            connection.execute_prepared(&format!("SELECT {number}"), &[]).await.unwrap();
            connection.execute_prepared("SELECT 'in use'", &[]).await.unwrap();
        }
        let (count, is_kept) = kept(&connection, "SELECT 'in use'").await;
        assert!(count <= MOST_PREPARED + 1 && is_kept, "{count}, {is_kept}");
        assert!(!kept(&connection, "SELECT 1").await.1, "nobody asked for it again");
        let last = format!("SELECT {}", 2 * MOST_PREPARED - 1);
        assert!(kept(&connection, &last).await.1, "it is the newest");
    }
}
