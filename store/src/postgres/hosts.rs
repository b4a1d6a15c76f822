//! Connecting: the hosts of a database, of which the one that takes writes is wanted.

use super::connection::Connection;
use super::place::PostgresPlace;
use super::tls::Tls;
use super::trouble::meaning;
use crate::error::{Error, Result};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;
use tokio_postgres::Config;

/// The hosts to try, each with its own limit of time.
pub(super) struct Hosts {
    configs: Vec<Config>,
    tls: Tls,
    each_within: Duration,
    /// The host to begin with: the one that let us in last, or the one after the one that did not.
    first: AtomicUsize,
}

/// Why no host let us in.
#[derive(Debug)]
pub(super) enum Away {
    /// The last of those that said anything.
    Said(tokio_postgres::Error),
    /// None of them said anything in its time.
    Silent,
}

impl From<Away> for Error {
    fn from(away: Away) -> Self {
        match away {
            // A wrong password or a missing database passes as soon as an operator has seen to it.
            Away::Said(error) => Self::Unavailable(meaning(&error).to_string()),
            Away::Silent => Self::Unavailable("the server did not let us in in time".into()),
        }
    }
}

impl Hosts {
    pub(super) fn of(place: &PostgresPlace) -> Result<Self> {
        let (configs, tls) = (place.hosts(), Tls::new(&place.encryption)?);
        Ok(Self { configs, tls, each_within: place.options.connect_timeout, first: AtomicUsize::new(0) })
    }

    /// How long it takes at most until all were tried.
    pub(super) fn all_within(&self) -> Duration {
        self.configs.iter().map(|_| self.each_within).sum()
    }

    /// A new connection to whichever host takes writes.
    pub(super) async fn connect(&self) -> Result<Connection> {
        Ok(self.open().await?)
    }

    pub(super) async fn open(&self) -> std::result::Result<Connection, Away> {
        let first = self.first.load(Ordering::Relaxed);
        let count = self.configs.len().max(1);
        let mut why = Away::Silent;
        for at in (0..count).map(|step| (first + step) % count) {
            let Some(config) = self.configs.get(at) else { continue };
            // Said beforehand: whoever gives this attempt up must not make the next one begin with the same dead host.
            self.first.store((at + 1) % count, Ordering::Relaxed);
            match tokio::time::timeout(self.each_within, open(config, &self.tls)).await {
                Ok(Ok(connection)) => {
                    self.first.store(at, Ordering::Relaxed);
                    return Ok(connection);
                }
                Ok(Err(error)) => why = Away::Said(error),
                Err(_) => {}
            }
        }
        Err(why)
    }
}

async fn open(config: &Config, tls: &Tls) -> std::result::Result<Connection, tokio_postgres::Error> {
    let (client, connection) = config.connect(tls.clone()).await?;
    let task = tokio::spawn(async move {
        if let Err(error) = connection.await {
            tracing::warn!(error = %meaning(&error), "a connection to the database was lost");
        }
    });
    Ok(Connection::new(client, task))
}
