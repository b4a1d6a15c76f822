//! How the pool of write connections makes a connection, and when it may lend one again.

use super::aftermath::Aftermath;
use super::connection::Connection;
use super::hosts::{Away, Hosts};
use deadpool::managed::{Manager, Metrics, RecycleError, RecycleResult};
use std::sync::Arc;

/// Makes connections for the pool, and lets it lend again those that are not closed.
pub(super) struct Maker {
    pub(super) hosts: Hosts,
    pub(super) aftermath: Arc<Aftermath>,
}

impl Manager for Maker {
    type Type = Connection;
    type Error = Away;

    async fn create(&self) -> std::result::Result<Connection, Away> {
        self.hosts.open().await
    }

    async fn recycle(&self, connection: &mut Connection, _: &Metrics) -> RecycleResult<Away> {
        if connection.is_closed() {
            self.aftermath.note_trouble();
            return Err(RecycleError::message("the connection was closed"));
        }
        Ok(())
    }
}
