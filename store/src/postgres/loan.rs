//! A connection that the pool has lent to one transaction.

use super::aftermath::Aftermath;
use super::answers::{Answer, StatementFailure};
use super::connection::Connection;
use super::maker::Maker;
use crate::error::Error;
use deadpool::managed::Object;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Goes back to the pool if its transaction has ended. If not, it is closed, and the server rolls back: the pool must
/// never hand out a connection in the middle of a transaction.
pub(super) struct Loan {
    /// There until this is dropped.
    connection: Option<Object<Maker>>,
    has_ended: AtomicBool,
    aftermath: Arc<Aftermath>,
}

impl Loan {
    pub(super) fn new(connection: Object<Maker>, aftermath: Arc<Aftermath>) -> Self {
        Self { connection: Some(connection), has_ended: AtomicBool::new(false), aftermath }
    }

    pub(super) fn connection(&self) -> Answer<&Connection> {
        let given_back = || StatementFailure::Lost(Error::Impossible("the connection was given back".into()));
        self.connection.as_deref().ok_or_else(given_back)
    }

    /// The server has said that the transaction is over.
    pub(super) fn has_ended(&self) {
        self.has_ended.store(true, Ordering::Relaxed);
    }

    pub(super) fn is_in_aftermath(&self) -> bool {
        self.aftermath.is_now()
    }
}

impl Drop for Loan {
    fn drop(&mut self) {
        let Some(connection) = self.connection.take() else { return };
        if !self.has_ended.load(Ordering::Relaxed) {
            // Before the next in line gets a connection instead of this one.
            self.aftermath.note_loss();
            drop(Object::take(connection));
        }
    }
}
