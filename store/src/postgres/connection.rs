//! One connection, with the statements that it has prepared.

use super::tls::Tls;
use super::trouble::meaning;
use crate::db::Arg;
use bytes::Bytes;
use futures_util::TryStreamExt;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use tokio::task::JoinHandle;
use tokio_postgres::{Client, Config, CopyInSink, Error, Row, RowStream, Statement};

/// Statements kept prepared. There are fewer than that; texts that are made anew each time must not fill the server's
/// memory.
const MOST_PREPARED: usize = 512;

pub(super) struct Connection {
    client: Client,
    task: JoinHandle<()>,
    prepared: Mutex<HashMap<Box<str>, Statement>>,
    closed: AtomicBool,
}

impl Connection {
    pub(super) async fn open(config: &Config, tls: &Tls) -> Result<Self, Error> {
        let (client, connection) = config.connect(tls.clone()).await?;
        let task = tokio::spawn(async move {
            if let Err(error) = connection.await {
                tracing::warn!(error = %meaning(&error), "a connection to the database was lost");
            }
        });
        Ok(Self { client, task, prepared: Mutex::default(), closed: AtomicBool::new(false) })
    }

    pub(super) fn is_closed(&self) -> bool {
        self.closed.load(Ordering::Relaxed) || self.client.is_closed()
    }

    /// Ends it at once. The server rolls back what was under way on it.
    pub(super) fn close(&self) {
        self.closed.store(true, Ordering::Relaxed);
        self.task.abort();
    }

    /// A statement that is prepared already: then sending it waits for nothing.
    pub(super) fn prepared(&self, sql: &str) -> Option<Statement> {
        self.prepared.lock().unwrap_or_else(PoisonError::into_inner).get(sql).cloned()
    }

    pub(super) async fn prepare(&self, sql: &str) -> Result<Statement, Error> {
        if let Some(statement) = self.prepared(sql) {
            return Ok(statement);
        }
        let statement = self.client.prepare(sql).await?;
        let mut prepared = self.prepared.lock().unwrap_or_else(PoisonError::into_inner);
        if prepared.len() >= MOST_PREPARED {
            prepared.clear();
        }
        prepared.insert(sql.into(), statement.clone());
        Ok(statement)
    }

    pub(super) async fn query(&self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Row>, Error> {
        let statement = self.prepare(sql).await?;
        self.client.query_raw(&statement, args.iter().copied()).await?.try_collect().await
    }

    pub(super) async fn execute(&self, sql: &str, args: &[Arg<'_>]) -> Result<u64, Error> {
        let statement = self.prepare(sql).await?;
        self.run(&statement, args).await
    }

    pub(super) async fn run(&self, statement: &Statement, args: &[Arg<'_>]) -> Result<u64, Error> {
        self.client.execute_raw(statement, args.iter().copied()).await
    }

    /// All rows of a statement without arguments, as they come: however many there are, few are in memory.
    pub(super) async fn stream(&self, sql: &str) -> Result<RowStream, Error> {
        let statement = self.prepare(sql).await?;
        self.client.query_raw(&statement, std::iter::empty::<Arg<'_>>()).await
    }

    /// Begins a `COPY … FROM STDIN`.
    pub(super) async fn copy_in(&self, sql: &str) -> Result<CopyInSink<Bytes>, Error> {
        self.client.copy_in(sql).await
    }

    /// One or more statements without arguments.
    pub(super) async fn batch(&self, sql: &str) -> Result<(), Error> {
        self.client.batch_execute(sql).await
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.task.abort();
    }
}
