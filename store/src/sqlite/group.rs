//! A group of writes in one transaction: run in their order, run again where one fails that has no savepoint, committed, and
//! answered together.

use super::answers::{self, JobOrder};
use super::job::{Commit, Net};
use super::transaction::SqliteTx;
use crate::error::{Error, Result};

/// The jobs of a group, answered when this is dropped.
#[derive(Default)]
pub(super) struct CommitGroup {
    orders: Vec<JobOrder>,
    /// What catches the next of them, if it can be run again.
    net: Net,
    commit: Option<Commit>,
}

impl CommitGroup {
    pub(super) const fn size(&self) -> usize {
        self.orders.len()
    }

    /// Runs one more job. One that cannot be run again is never undone because of one that can be: from it on, those have
    /// savepoints.
    pub(super) fn run(&mut self, mut order: JobOrder, tx: &mut SqliteTx) {
        if !order.job.is_repeatable() {
            self.net = Net::Savepoint;
        }
        order.job.run(tx, self.net);
        self.orders.push(order);
        if self.net == Net::Repetition && tx.spoilt && tx.is_open() {
            self.run_again(tx);
        }
    }

    /// Takes all back, and runs all again, so that each can be taken back alone.
    fn run_again(&mut self, tx: &mut SqliteTx) {
        self.net = Net::Savepoint;
        if let Err(error) = tx.roll_back().and_then(|()| tx.run("BEGIN")) {
            // The transaction stays spoilt, and nobody is told yes.
            tracing::error!(%error, "a transaction could not be begun again");
            return;
        }
        tx.spoilt = false;
        for order in &mut self.orders {
            // Where SQLite took the transaction back itself, a further job would be committed by itself.
            if !tx.is_open() {
                return;
            }
            order.job.run(tx, self.net);
        }
    }

    /// Ends the transaction, with all of it or with nothing.
    pub(super) fn commit(&mut self, tx: &mut SqliteTx) {
        let commit = self.committed(tx).map_err(|error| {
            tracing::error!(%error, jobs = self.orders.len(), "a group of writes could not be committed");
            let _already_over = tx.roll_back();
            error.to_string()
        });
        self.commit = Some(commit);
        tx.spoilt = false;
    }

    fn committed(&self, tx: &mut SqliteTx) -> Result<()> {
        match (tx.spoilt, tx.is_open()) {
            (true, _) => Err(Error::Unavailable("a write of the same group failed".into())),
            // The lines of the group would be written by themselves.
            (false, false) => Err(Error::Unavailable("the transaction was taken back".into())),
            (false, true) => tx.commit(),
        }
    }
}

impl Drop for CommitGroup {
    fn drop(&mut self) {
        let stopped = || Err("the writer stopped before the commit".into());
        let commit = self.commit.take().unwrap_or_else(stopped);
        answers::give(std::mem::take(&mut self.orders), &commit);
    }
}

#[cfg(test)]
#[path = "group_tests.rs"]
mod tests;
