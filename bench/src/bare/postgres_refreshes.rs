//! The bare loop of refreshes on PostgreSQL: the statements of a refresh in the service's transactions, over as many connections
//! as it has, with nothing around them.

use super::places::Places;
use super::postgres_journeys::{
    PatientSession, generation_and_moment, next_line, note, of_a_node, patient_sessions, refresh, rotate,
};
use super::worker::Worker;
use crate::measure::trouble::Trouble;
use crate::postgres::connection::connect;
use futures_util::future::{try_join, try_join3};
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Semaphore;
use tokio_postgres::{Client, Statement};

/// A connection on which the client is looked up.
#[derive(Debug)]
struct FindConnection {
    client: Client,
    find: Statement,
}

/// A connection on which the statements of the transaction are prepared.
#[derive(Debug)]
struct WriteConnection {
    client: Client,
    load: Statement,
    rotate: Statement,
    note: Statement,
}

#[derive(Debug)]
pub(crate) struct PostgresRefreshes {
    finders: Vec<FindConnection>,
    /// Those that are free, and as many permits.
    writers: Mutex<Vec<WriteConnection>>,
    free: Semaphore,
    sessions: Vec<PatientSession>,
    /// The Client ID of whoever refreshes.
    app: &'static str,
    next_line: AtomicI64,
}

impl PostgresRefreshes {
    /// Connects as often as a node does. The Client ID is that of the app whose sessions are refreshed.
    pub(crate) async fn open(url: &str, app: &'static str) -> Result<Arc<Self>, Trouble> {
        let client = connect(url).await?;
        let (sessions, line) = (patient_sessions(&client).await?, next_line(&client).await?);
        let node = of_a_node();
        let mut finders = Vec::new();
        for _ in 0..node.read {
            finders.push(FindConnection::open(url).await?);
        }
        let mut writers = Vec::new();
        for _ in 0..node.write {
            writers.push(WriteConnection::open(url).await?);
        }
        let (free, writers, next_line) = (Semaphore::new(writers.len()), Mutex::new(writers), AtomicI64::new(line));
        Ok(Arc::new(Self { finders, writers, free, sessions, app, next_line }))
    }

    /// So many clients for one round, each with sessions of its own.
    pub(crate) fn clients(self: &Arc<Self>, count: usize) -> Vec<RefreshClient> {
        let client = |number| RefreshClient { refreshes: Arc::clone(self), number, places: Places::of(number, count) };
        (0..count).map(client).collect()
    }

    async fn refresh(&self, number: usize, session: &PatientSession) -> Result<(), Trouble> {
        let FindConnection { client, find } = self.finder(number)?;
        client.query_one(find, &[&self.app]).await?;
        let _permit = self.free.acquire().await?;
        let writer = self.writers().pop().ok_or("there are fewer connections than permits")?;
        writer.rotate(session, self.next_line.fetch_add(1, Ordering::Relaxed)).await?;
        self.writers().push(writer);
        Ok(())
    }

    fn writers(&self) -> MutexGuard<'_, Vec<WriteConnection>> {
        self.writers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn finder(&self, number: usize) -> Result<&FindConnection, Trouble> {
        self.finders.get(number % self.finders.len().max(1)).ok_or_else(|| "there are no connections".into())
    }
}

impl FindConnection {
    async fn open(url: &str) -> Result<Self, Trouble> {
        let client = connect(url).await?;
        let find = client.prepare(refresh().client).await?;
        Ok(Self { client, find })
    }
}

impl WriteConnection {
    async fn open(url: &str) -> Result<Self, Trouble> {
        let (client, sql) = (connect(url).await?, refresh());
        let load = client.prepare(&sql.load).await?;
        let (rotate, note) = (client.prepare(sql.rotate).await?, client.prepare(&sql.note).await?);
        Ok(Self { client, load, rotate, note })
    }

    /// Two round trips: BEGIN with the load, and all the rest with COMMIT.
    async fn rotate(&self, session: &PatientSession, line: i64) -> Result<(), Trouble> {
        let ((), row) = try_join(
            self.client.batch_execute("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE"),
            self.client.query_one(&self.load, &[&session.session]),
        )
        .await?;
        let (generation, now) = generation_and_moment(&row)?;
        try_join3(
            rotate(&self.client, &self.rotate, session, (generation + 1, now)),
            note(&self.client, &self.note, session, (line, now)),
            self.client.batch_execute("COMMIT"),
        )
        .await?;
        Ok(())
    }
}

/// Whoever refreshes one session after another.
#[derive(Debug)]
pub(crate) struct RefreshClient {
    refreshes: Arc<PostgresRefreshes>,
    number: usize,
    places: Places,
}

impl Worker for RefreshClient {
    async fn work(&self) -> Result<(), Trouble> {
        let session = self.places.next(&self.refreshes.sessions).ok_or("there are fewer sessions than clients")?;
        self.refreshes.refresh(self.number, session).await
    }
}
