//! Connecting: the hosts of a database, of which the one that takes writes is wanted.

use super::connection::Connection;
use super::place::PostgresPlace;
use super::tls::Tls;
use super::trouble::meaning;
use crate::error::{Error, Result};
use deadpool::managed::{Manager, Metrics, RecycleError, RecycleResult};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use tokio_postgres::Config;

/// The hosts to try, each with its own limit of time.
pub(super) struct Hosts {
    configs: Vec<Config>,
    tls: Tls,
    each_within: Duration,
    /// The host to begin with: the one that let us in last, or the one after the one that did not.
    first: AtomicUsize,
    /// When a connection was last found broken, or not to be had.
    troubled_at: Mutex<Option<Instant>>,
}

/// After trouble, other nodes need this long to find out about their commits and to take back what they must. Half a
/// second is usual on a busy machine.
const AFTERMATH: Duration = Duration::from_secs(3);

impl Hosts {
    pub(super) fn of(place: &PostgresPlace) -> Result<Self> {
        let (configs, tls) = (place.hosts(), Tls::new(&place.encryption)?);
        let (first, troubled_at) = (AtomicUsize::new(0), Mutex::new(None));
        Ok(Self { configs, tls, each_within: place.options.connect_timeout, first, troubled_at })
    }

    fn note_trouble(&self) {
        *self.troubled_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// Whether the database was away a moment ago, as far as this node has noticed.
    pub(super) fn in_aftermath(&self) -> bool {
        let troubled_at = self.troubled_at.lock().unwrap_or_else(PoisonError::into_inner);
        troubled_at.is_some_and(|at| at.elapsed() < AFTERMATH)
    }

    /// A new connection to whichever host takes writes.
    pub(super) async fn connect(&self) -> Result<Connection> {
        let first = self.first.load(Ordering::Relaxed);
        let count = self.configs.len().max(1);
        let mut why = Error::Unavailable("no host is named".into());
        for at in (0..count).map(|step| (first + step) % count) {
            let Some(config) = self.configs.get(at) else { continue };
            // Said beforehand: whoever gives this attempt up must not make the next one begin with the same dead host.
            self.first.store((at + 1) % count, Ordering::Relaxed);
            match tokio::time::timeout(self.each_within, Connection::open(config, &self.tls)).await {
                Ok(Ok(connection)) => {
                    self.first.store(at, Ordering::Relaxed);
                    return Ok(connection);
                }
                // A wrong password or a missing database passes as soon as an operator has seen to it.
                Ok(Err(error)) => why = Error::Unavailable(meaning(&error).to_string()),
                Err(_) => why = Error::Unavailable("the server did not let us in in time".into()),
            }
        }
        self.note_trouble();
        Err(why)
    }
}

/// What the pool of write connections asks of us.
impl Manager for Hosts {
    type Type = Connection;
    type Error = Error;

    async fn create(&self) -> Result<Connection> {
        self.connect().await
    }

    async fn recycle(&self, connection: &mut Connection, _: &Metrics) -> RecycleResult<Error> {
        if connection.is_closed() {
            self.note_trouble();
            return Err(RecycleError::message("the connection was closed"));
        }
        Ok(())
    }
}
