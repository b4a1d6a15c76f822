//! The shared engine: one PostgreSQL database under any number of nodes.

mod aftermath;
mod alone;
mod answers;
mod hosts;
mod lending;
mod lent;
mod migrations;
mod moving;
mod outcome;
mod place;
mod prepared;
mod readers;
mod tls;
mod trouble;
mod tx;
mod unsettled;
mod values;

pub(crate) use moving::PostgresEnd;
pub(crate) use outcome::Proof;
pub use place::{PostgresOptions, PostgresPlace};
pub use tx::PostgresTx;
pub(crate) use values::{Int, NUL_STAND_IN, OwnArg};

use crate::db::{Arg, BoxFuture, Row, Tx};
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::migrate::Marks;
use answers::Failed;
use hosts::Hosts;
use lending::Lending;
use outcome::{Outcome, Undo};
use readers::Readers;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::Instant;
use unsettled::Unsettled;

/// However long a transaction took, this much time is given to finding out about its commit.
const LEAST_FINDING_OUT: Duration = Duration::from_secs(1);

/// Statements that only this engine is given.
#[must_use]
pub fn statements() -> Vec<&'static str> {
    [alone::STATEMENTS, outcome::STATEMENTS, migrations::STATEMENTS, moving::STATEMENTS].concat()
}

/// An open database.
pub struct Postgres {
    options: PostgresOptions,
    readers: Readers,
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
    connections: Lending,
    unsettled: Arc<Unsettled>,
}

impl Postgres {
    /// Connects, brings the schema up to date and takes a number for this node's ids.
    pub(crate) async fn open(place: &PostgresPlace) -> Result<(Self, Arc<Ids>)> {
        let hosts = Arc::new(Hosts::of(place)?);
        let connection = hosts.connect().await?;
        migrations::apply(&connection, Marks::Refused).await?;
        let ids = Arc::new(Ids::new(migrations::node_number(&connection).await?));
        drop(connection);
        let options = place.options.clone();
        let connections = Lending::new(place)?;
        let unsettled = Unsettled::new(hosts.clone(), ids.clone(), options.silence());
        let readers = Readers::new(hosts, &options);
        let writers = Arc::new(Writers { options: options.clone(), connections, unsettled });
        Ok((Self { options, readers, writers }, ids))
    }

    pub(crate) async fn read<T>(
        &self,
        sql: &str,
        args: &[Arg<'_>],
        mut map: impl FnMut(&Row<'_>) -> Result<T>,
    ) -> Result<Vec<T>> {
        let rows = self.readers.read(sql, args).await?;
        rows.iter().map(|row| map(&Row::Postgres(row))).collect()
    }

    /// Runs a job in a task of its own: once begun, it ends one way or the other, even if its caller goes away.
    pub(crate) fn write<T, F>(&self, job: F) -> impl Future<Output = Result<T>> + Send + use<T, F>
    where
        T: Send + 'static,
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send + 'static,
    {
        let writers = self.writers.clone();
        let work = tokio::spawn(async move { writers.transaction(job).await });
        async move { work.await.unwrap_or_else(|_| Err(Error::Impossible("a write job panicked".into()))) }
    }
}

impl Writers {
    async fn transaction<T, F>(&self, job: F) -> Result<T>
    where
        F: for<'t> FnOnce(&'t mut Tx) -> BoxFuture<'t, Result<T>> + Send,
    {
        let begun_at = Instant::now();
        let wait_until = begun_at + self.options.wait_timeout;
        self.unsettled.none(wait_until).await?;
        let lent = self.connections.lend(wait_until).await?;
        let mut tx = Tx::Postgres(PostgresTx::begin(lent, self.options.silence()).await);
        let outcome = job(&mut tx).await;
        let Tx::Postgres(mut tx) = tx else { return Err(Error::Impossible("another engine's transaction".into())) };
        let value = match outcome {
            Ok(value) => value,
            Err(error) => {
                tx.roll_back().await;
                return Err(error);
            }
        };
        match tx.commit().await {
            Ok(()) => Ok(value),
            Err(Failed::Refused(error)) => Err(error),
            // Nothing was written, so there is nothing to know.
            Err(Failed::Lost(_)) if !tx.wrote() => Ok(value),
            Err(Failed::Lost(error)) => {
                tracing::warn!(%error, "a commit was not answered");
                let (proof, undo) = (tx.proof.take(), tx.undo.take());
                drop(tx);
                let until = (begun_at + self.options.answer_within).max(Instant::now() + LEAST_FINDING_OUT);
                let proof = proof.ok_or(Error::OutcomeUnknown)?;
                match self.unsettled.find_out(proof, undo, until).await? {
                    Outcome::Committed => Ok(value),
                    Outcome::RolledBack => Err(error),
                }
            }
        }
    }
}

impl PostgresTx {
    pub(crate) fn proves(&mut self, proof: Proof) {
        self.proof = Some(proof);
    }

    pub(crate) fn relies_on_the_last_change(&self) -> Result<()> {
        let why = "the database was away a moment ago, and another node may still be taking back a change";
        if self.is_settled() { Ok(()) } else { Err(Error::Unavailable(why.into())) }
    }

    pub(crate) fn undo_with(&mut self, sql: &'static str, args: &[Arg<'_>]) {
        self.undo = Some(Undo::new(sql, args));
    }
}
