//! Transactions whose outcome is not known yet, and what is owed to those who were told to try again.

use super::hosts::Hosts;
use super::outcome::{self, CommitOutcome, Undo};
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::sql::proof::Proof;
use std::sync::{Arc, Weak};
use std::time::Duration;
use tokio::sync::watch;
use tokio::time::{Instant, sleep, timeout, timeout_at};

/// Between two askings of a database that is away.
const BETWEEN: Duration = Duration::from_millis(50);

pub(super) struct UnknownOutcomes {
    hosts: Arc<Hosts>,
    ids: Arc<Ids>,
    /// How long one asking may take.
    each_within: Duration,
    count: watch::Sender<usize>,
}

impl UnknownOutcomes {
    pub(super) fn new(hosts: Arc<Hosts>, ids: Arc<Ids>, each_within: Duration) -> Arc<Self> {
        Arc::new(Self { hosts, ids, each_within, count: watch::Sender::new(0) })
    }

    /// Lets a write through once every earlier outcome is known: what it finds must not be taken back under it.
    pub(super) async fn none(&self, deadline: Instant) -> Result<()> {
        if *self.count.borrow() == 0 {
            return Ok(());
        }
        let mut count = self.count.subscribe();
        let none = timeout_at(deadline, count.wait_for(|count| *count == 0)).await;
        none.map(|_| ()).map_err(|_| Error::Unavailable("the outcome of an earlier write is not known yet".into()))
    }

    /// Finds out what became of a transaction. When that is not to be had in time, its caller hears so and will try
    /// again; then the finding out goes on by itself, and if the transaction turns out to have been committed, it is
    /// taken back, so that the caller's second try finds what its first one found.
    pub(super) async fn find_out(
        self: &Arc<Self>,
        proof: Proof,
        undo: Option<Undo>,
        deadline: Instant,
    ) -> Result<CommitOutcome> {
        let asking = async {
            loop {
                match self.ask(&proof).await {
                    Ok(outcome) => return outcome,
                    Err(error) => tracing::warn!(%error, "a commit was not answered, and asking about it failed"),
                }
                sleep(BETWEEN).await;
            }
        };
        if let Ok(outcome) = timeout_at(deadline, asking).await {
            return Ok(outcome);
        }
        if let Some(undo) = undo {
            self.count.send_modify(|count| *count += 1);
            tokio::spawn(settle(Arc::downgrade(self), proof, undo));
        }
        Err(Error::OutcomeUnknown)
    }

    async fn ask(&self, proof: &Proof) -> Result<CommitOutcome> {
        self.in_time(outcome::ask(&self.hosts, proof)).await
    }

    async fn in_time<T>(&self, work: impl Future<Output = Result<T>>) -> Result<T> {
        let late = || Err(Error::Unavailable("the database did not answer in time".into()));
        timeout(self.each_within, work).await.unwrap_or_else(|_| late())
    }

    /// Whether the transaction is settled now.
    async fn settled(&self, proof: &Proof, undo: &Undo) -> bool {
        let settled = match self.ask(proof).await {
            Ok(CommitOutcome::RolledBack) => Ok(()),
            Ok(CommitOutcome::Committed) => self.in_time(outcome::take_back(&self.hosts, proof, undo, &self.ids)).await,
            Err(error) => Err(error),
        };
        if settled.is_ok() {
            self.count.send_modify(|count| *count = count.saturating_sub(1));
        }
        settled.is_ok()
    }
}

/// Goes on until it is known, or the store is closed.
async fn settle(unknown: Weak<UnknownOutcomes>, proof: Proof, undo: Undo) {
    while let Some(unknown) = unknown.upgrade() {
        if unknown.settled(&proof, &undo).await {
            return;
        }
        drop(unknown);
        sleep(BETWEEN).await;
    }
}
