//! The pool of connections for write transactions.

use super::aftermath::Aftermath;
use super::hosts::{Away, Hosts};
use super::lent::Lent;
use super::place::PostgresPlace;
use crate::error::{Error, Result};
use deadpool_postgres::{
    ClientWrapper, Hook, HookError, Manager, ManagerConfig, Metrics, Pool, PoolError, RecyclingMethod, Runtime,
    TimeoutType,
};
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};
use tokio_postgres::Config;

pub(super) struct Lending {
    pool: Pool,
    queue_limit: usize,
    aftermath: Arc<Aftermath>,
}

impl Lending {
    pub(super) fn new(place: &PostgresPlace) -> Result<Self> {
        let hosts = Hosts::of(place)?;
        let all_within = hosts.all_within();
        let aftermath = Arc::new(Aftermath::default());
        let config = ManagerConfig { recycling_method: RecyclingMethod::Fast };
        // Each host has a configuration of its own, so the manager's is not used.
        let pool = Pool::builder(Manager::from_connect(Config::new(), hosts, config))
            .max_size(place.options.write_connections.max(1))
            .runtime(Runtime::Tokio1)
            .create_timeout(Some(all_within))
            .pre_recycle(only_whole(aftermath.clone()))
            .build()
            .map_err(|error| Error::Impossible(error.to_string()))?;
        Ok(Self { pool, queue_limit: place.options.queue_limit, aftermath })
    }

    /// A connection that nobody else uses, made anew if need be.
    pub(super) async fn lend(&self, deadline: Instant) -> Result<Lent> {
        if self.pool.status().waiting >= self.queue_limit {
            return Err(Error::Unavailable("too many writes are waiting".into()));
        }
        let away = match timeout_at(deadline, self.pool.get()).await {
            Ok(Ok(connection)) => {
                self.aftermath.note_connection();
                return Ok(Lent::new(connection, self.aftermath.clone()));
            }
            Ok(Err(PoolError::Backend(error))) => Away::Said(error),
            Ok(Err(PoolError::Timeout(TimeoutType::Create))) => Away::Silent,
            Ok(Err(error)) => return Err(Error::Unavailable(error.to_string())),
            Err(_) => return Err(Error::Unavailable("no connection was free in time".into())),
        };
        self.aftermath.note_trouble();
        Err(away.into())
    }
}

/// Lets the pool lend again what is not closed.
fn only_whole(aftermath: Arc<Aftermath>) -> Hook {
    Hook::sync_fn(move |connection: &mut ClientWrapper, _: &Metrics| {
        if connection.is_closed() {
            aftermath.note_trouble();
            return Err(HookError::message("the connection was closed"));
        }
        Ok(())
    })
}
