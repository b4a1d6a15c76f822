//! The pool of connections for write transactions.

use super::aftermath::Aftermath;
use super::hosts::{Away, Hosts};
use super::loan::Loan;
use super::maker::Maker;
use super::place::PostgresPlace;
use crate::distribution::{Distribution, Spread};
use crate::error::{Error, Result};
use crate::figures::WAITS;
use deadpool::Runtime;
use deadpool::managed::{Pool, PoolError, TimeoutType};
use std::sync::Arc;
use tokio::time::{Instant, timeout_at};

pub(super) struct WriterPool {
    pool: Pool<Maker>,
    queue_limit: usize,
    aftermath: Arc<Aftermath>,
    /// How long transactions waited for a connection, in microseconds.
    waits: Distribution,
}

impl WriterPool {
    pub(super) fn new(place: &PostgresPlace) -> Result<Self> {
        let hosts = Hosts::of(place)?;
        let all_within = hosts.all_within();
        let aftermath = Arc::new(Aftermath::default());
        let pool = Pool::builder(Maker { hosts, aftermath: aftermath.clone() })
            .max_size(place.options.write_connections.max(1))
            .runtime(Runtime::Tokio1)
            .create_timeout(Some(all_within))
            .build()
            .map_err(|error| Error::Impossible(error.to_string()))?;
        Ok(Self { pool, queue_limit: place.options.queue_limit, aftermath, waits: Distribution::new(WAITS) })
    }

    /// How many wait for a connection, and how long was waited so far.
    pub(super) fn waits(&self) -> (u64, Spread) {
        (u64::try_from(self.pool.status().waiting).unwrap_or(u64::MAX), self.waits.spread())
    }

    /// A connection that nobody else uses, made anew if need be.
    pub(super) async fn lend(&self, deadline: Instant) -> Result<Loan> {
        if self.pool.status().waiting >= self.queue_limit {
            return Err(Error::Unavailable("too many writes are waiting".into()));
        }
        let asked_at = Instant::now();
        let got = timeout_at(deadline, self.pool.get()).await;
        self.waits.note(u64::try_from(asked_at.elapsed().as_micros()).unwrap_or(u64::MAX));
        let away = match got {
            Ok(Ok(connection)) => {
                self.aftermath.note_connection();
                return Ok(Loan::new(connection, self.aftermath.clone()));
            }
            Ok(Err(PoolError::Backend(away))) => away,
            Ok(Err(PoolError::Timeout(TimeoutType::Create))) => Away::Silent,
            Ok(Err(_)) => return Err(Error::Unavailable("the pool of connections is closed".into())),
            Err(_) => return Err(Error::Unavailable("no connection was free in time".into())),
        };
        self.aftermath.note_trouble();
        Err(away.into())
    }
}
