//! The bare loop of reads on PostgreSQL: the statements that the service sends for a read, over as many connections as it has,
//! with nothing around them and without waiting for the first before the second.

use super::places::Places;
use super::postgres_journeys::{PatientSession, ReadStatement, of_a_node, patient_sessions, read};
use super::worker::Worker;
use crate::measure::trouble::Trouble;
use crate::postgres::connection::connect;
use futures_util::future::try_join_all;
use std::sync::Arc;
use tokio_postgres::{Client, Statement};

/// A connection on which the statements of a read are prepared.
#[derive(Debug)]
struct ReadConnection {
    client: Client,
    statements: Vec<(Statement, ReadStatement)>,
}

#[derive(Debug)]
pub(crate) struct PostgresReads {
    connections: Vec<ReadConnection>,
    sessions: Vec<PatientSession>,
}

impl PostgresReads {
    /// Connects as often as a node does.
    pub(crate) async fn open(url: &str) -> Result<Arc<Self>, Trouble> {
        let mut connections = Vec::new();
        for _ in 0..of_a_node().read {
            connections.push(ReadConnection::open(url).await?);
        }
        let sessions = patient_sessions(&connect(url).await?).await?;
        Ok(Arc::new(Self { connections, sessions }))
    }

    /// So many clients, each with sessions of its own.
    pub(crate) fn clients(self: &Arc<Self>, count: u32) -> impl Iterator<Item = ReadClient> {
        (0..count).map(move |number| self.client(number, count))
    }

    /// One of so many clients.
    pub(crate) fn client(self: &Arc<Self>, number: u32, of: u32) -> ReadClient {
        let (number, of) = (number as usize, of as usize);
        ReadClient { reads: Arc::clone(self), number, places: Places::of(number, of) }
    }

    fn connection(&self, number: usize) -> Result<&ReadConnection, Trouble> {
        self.connections.get(number % self.connections.len().max(1)).ok_or_else(|| "there are no connections".into())
    }
}

impl ReadConnection {
    async fn open(url: &str) -> Result<Self, Trouble> {
        let client = connect(url).await?;
        let mut statements = Vec::new();
        for statement in read() {
            statements.push((client.prepare(&statement.sql).await?, statement));
        }
        Ok(Self { client, statements })
    }

    /// Sends all statements before it waits for any: they share one round trip, which the service, who must know its caller
    /// first, cannot have.
    async fn read(&self, session: &PatientSession) -> Result<(), Trouble> {
        let questions = self.statements.iter().map(|(handle, statement)| async move {
            let row = self.client.query_one(handle, &(statement.arguments)(session)).await?;
            let record = statement.record.map(|column| row.try_get::<_, Option<&str>>(column)).transpose()?;
            match record {
                Some(None) => Err("a record is missing".into()),
                _ => Ok::<_, Trouble>(()),
            }
        });
        try_join_all(questions).await?;
        Ok(())
    }
}

/// Whoever reads one record after another, each by its patient's own session.
#[derive(Debug)]
pub(crate) struct ReadClient {
    reads: Arc<PostgresReads>,
    number: usize,
    places: Places,
}

impl Worker for ReadClient {
    async fn work(&self) -> Result<(), Trouble> {
        let session = self.places.next(&self.reads.sessions).ok_or("there are fewer sessions than clients")?;
        self.reads.connection(self.number)?.read(session).await
    }
}
