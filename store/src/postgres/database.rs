//! An open PostgreSQL database under any number of nodes.

use super::answers::StatementFailure;
use super::figures;
use super::hosts::Hosts;
use super::migrations;
use super::outcome::CommitOutcome;
use super::place::{PostgresOptions, PostgresPlace};
use super::pool::WriterPool;
use super::readers::PipelinedReaders;
use super::tx::PostgresTx;
use super::unknown_outcomes::UnknownOutcomes;
use crate::error::{Error, Result};
use crate::figures::Figures;
use crate::ids::Ids;
use crate::sql::arg::Arg;
use crate::sql::budget::Budget;
use crate::sql::migration::{Marks, Migrations};
use crate::sql::row::Row;
use futures_util::future::BoxFuture;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// However long a transaction took, this much time is given to finding out about its commit.
const LEAST_FINDING_OUT: Duration = Duration::from_secs(1);

/// An open database.
pub(crate) struct Postgres {
    options: PostgresOptions,
    readers: PipelinedReaders,
    /// For reads that can be long: connections of their own, so that they hold nobody up.
    long_readers: PipelinedReaders,
    writers: Arc<Writers>,
}

impl std::fmt::Debug for Postgres {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Postgres").field("options", &self.options).finish_non_exhaustive()
    }
}

/// What write transactions run on.
struct Writers {
    options: PostgresOptions,
    connections: WriterPool,
    unknown: Arc<UnknownOutcomes>,
}

impl Postgres {
    /// Connects, brings the schema up to date and takes a number for this node's ids.
    pub(crate) async fn open(
        place: &PostgresPlace,
        migrations: Migrations,
        budget: Budget,
    ) -> Result<(Self, Arc<Ids>)> {
        let hosts = Arc::new(Hosts::of(place)?);
        let connection = hosts.connect().await?;
        migrations::apply(&connection, migrations, Marks::Refused).await?;
        let ids = Arc::new(Ids::new(migrations::node_number(&connection).await?));
        drop(connection);
        let options = place.options.clone();
        let connections = WriterPool::new(place)?;
        let unknown = UnknownOutcomes::new(hosts.clone(), ids.clone(), options.silence());
        let readers = PipelinedReaders::new(hosts, &options);
        let long_readers = PipelinedReaders::for_long_reads(place, budget)?;
        let writers = Arc::new(Writers { options: options.clone(), connections, unknown });
        Ok((Self { options, readers, long_readers, writers }, ids))
    }

    pub(crate) async fn read<T>(
        &self,
        sql: &str,
        args: &[Arg<'_>],
        mut map: impl FnMut(&dyn Row) -> Result<T>,
    ) -> Result<Vec<T>> {
        let rows = self.readers.read(sql, args).await?;
        rows.iter().map(|row| map(row)).collect()
    }

    /// Reads on a connection for long reads, for as long as the budget allows, and gives the rows as they come.
    pub(crate) async fn each<T>(
        &self,
        sql: &str,
        lists: &[&[Arg<'_>]],
        mut map: impl FnMut(&dyn Row) -> Result<T> + Send,
        mut row: impl FnMut(T) -> Result<()> + Send,
    ) -> Result<()> {
        self.long_readers.each(sql, lists, |found| row(map(found)?)).await
    }

    /// What there is to measure.
    pub(crate) async fn measure(&self, figures: &mut Figures) {
        figures.engine = "postgres";
        let (waiting, waits) = self.writers.connections.waits();
        figures.writes_waiting = waiting;
        figures.pool_waits.push(("writers", waits));
        figures::tell_size(&self.long_readers, figures).await;
    }

    /// Runs a job in a task of its own: once begun, it ends one way or the other, even if its caller goes away.
    pub(crate) fn write<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut PostgresTx) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        let writers = self.writers.clone();
        let work = tokio::spawn(async move { writers.transaction(job).await });
        async move { work.await.unwrap_or_else(|_| Err(Error::Impossible("a write job panicked".into()))) }
    }
}

impl Writers {
    async fn transaction<T, F>(&self, job: F) -> Result<T>
    where
        F: for<'t> FnOnce(&'t mut PostgresTx) -> BoxFuture<'t, Result<T>> + Send,
    {
        let begun_at = Instant::now();
        let wait_until = begun_at + self.options.wait_timeout;
        self.unknown.none(wait_until).await?;
        let loan = self.connections.lend(wait_until).await?;
        let mut tx = PostgresTx::begin(loan, self.options.silence()).await;
        let value = match job(&mut tx).await {
            Ok(value) => value,
            Err(error) => {
                tx.roll_back().await;
                return Err(error);
            }
        };
        match tx.commit().await {
            Ok(()) => Ok(value),
            Err(StatementFailure::Refused(error)) => Err(error),
            // Nothing was written, so there is nothing to know.
            Err(StatementFailure::Lost(_)) if !tx.wrote() => Ok(value),
            Err(StatementFailure::Lost(error)) => {
                tracing::warn!(%error, "a commit was not answered");
                let (proof, undo) = (tx.proof.take(), tx.undo.take());
                drop(tx);
                let until = (begun_at + self.options.answer_within).max(Instant::now() + LEAST_FINDING_OUT);
                let proof = proof.ok_or(Error::OutcomeUnknown)?;
                match self.unknown.find_out(proof, undo, until).await? {
                    CommitOutcome::Committed => Ok(value),
                    CommitOutcome::RolledBack => Err(error),
                }
            }
        }
    }
}
