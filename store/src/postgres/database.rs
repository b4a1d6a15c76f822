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
use crate::obstacle::Obstacle;
use crate::sql::arg::Arg;
use crate::sql::budget::Budget;
use crate::sql::last_commit::LastCommit;
use crate::sql::marks;
use crate::sql::migration::{Marks, Migrations, earlier_release};
use crate::sql::row::Row;
use crate::sql::watch::Watch;
use futures_util::future::BoxFuture;
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;

/// Changes nothing, and is written all the same.
const PROBE: &str = "UPDATE settings SET value = value WHERE name = 'store-id'";

pub(super) const STATEMENTS: &[&str] = &[PROBE];

/// However long a transaction took, this much time is given to finding out about its commit.
const LEAST_FINDING_OUT: Duration = Duration::from_secs(1);

/// An open database.
pub(crate) struct Postgres {
    options: PostgresOptions,
    readers: PipelinedReaders,
    /// For reads that can be long: connections of their own, so that they hold nobody up.
    long_readers: PipelinedReaders,
    writers: Arc<Writers>,
    last: Arc<LastCommit>,
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
        migrations::name(&connection).await?;
        let ids = Arc::new(Ids::new(migrations::node_number(&connection).await?));
        drop(connection);
        Ok((Self::around(place, hosts, ids.clone(), budget)?, ids))
    }

    /// Whether any migration was applied to the database.
    pub(crate) async fn is_there(place: &PostgresPlace) -> Result<bool> {
        let connection = Hosts::of(place)?.connect().await?;
        Ok(!migrations::done(&connection, Marks::Expected).await?.is_empty())
    }

    /// Connects in order to look: nothing is brought up to date, and no number is taken.
    pub(crate) async fn look(place: &PostgresPlace, migrations: Migrations, budget: Budget) -> Result<Self> {
        let hosts = Arc::new(Hosts::of(place)?);
        let done = migrations::done(&hosts.connect().await?, Marks::Expected).await?;
        if marks::is_unfinished(&done) {
            return Err(marks::unfinished());
        }
        if let Some((missing, _)) = migrations::missing(migrations, &done).first() {
            return Err(earlier_release(&place.to_string(), missing));
        }
        Self::around(place, hosts, Arc::new(Ids::new(0)), budget)
    }

    fn around(place: &PostgresPlace, hosts: Arc<Hosts>, ids: Arc<Ids>, budget: Budget) -> Result<Self> {
        let options = place.options.clone();
        let connections = WriterPool::new(place)?;
        let unknown = UnknownOutcomes::new(hosts.clone(), ids, options.silence());
        let readers = PipelinedReaders::new(hosts, &options);
        let long_readers = PipelinedReaders::for_long_reads(place, budget)?;
        let writers = Arc::new(Writers { options: options.clone(), connections, unknown });
        Ok(Self { options, readers, long_readers, writers, last: Arc::default() })
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

    /// Runs a job in a task of its own: once begun, it ends one way or the other, even if its caller goes away.
    pub(crate) fn write<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut PostgresTx) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        let (writers, last) = (self.writers.clone(), self.last.clone());
        let work = tokio::spawn(async move {
            let outcome = writers.transaction(job).await;
            last.note(&outcome);
            outcome
        });
        async move { work.await.unwrap_or_else(|_| Err(Error::Impossible("a write job panicked".into()))) }
    }
}

impl Watch for Postgres {
    fn look(&self) -> Option<Obstacle> {
        self.last.obstacle()
    }

    fn probe(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            if self.last.takes_turn() {
                self.last.settle(self.writers.transaction(write_nothing).await);
            }
        })
    }

    /// The space is the server's to look after.
    fn keep_free(&self, _: u64) {}

    fn room(&self) -> Result<()> {
        Ok(())
    }

    fn measure<'f>(&'f self, figures: &'f mut Figures) -> BoxFuture<'f, ()> {
        figures.engine = "postgres";
        let (waiting, waits) = self.writers.connections.waits();
        figures.writes_waiting = waiting;
        figures.pool_waits.push(("writers", waits));
        Box::pin(figures::tell_size(&self.long_readers, figures))
    }

    fn back_up(&self, _: &Path, _: &mut dyn FnMut(u64, u64)) -> Result<()> {
        let theirs = "a PostgreSQL database is backed up with PostgreSQL's own tools: pg_basebackup, or pg_dump";
        Err(Error::Setup(theirs.into()))
    }
}

fn write_nothing(tx: &mut PostgresTx) -> BoxFuture<'_, Result<()>> {
    Box::pin(async { tx.execute(PROBE, &[]).await.map(|_| ()) })
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
