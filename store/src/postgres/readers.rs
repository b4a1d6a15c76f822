//! Reads: prepared statements pipelined over a few connections of their own, so that no read waits for a transaction.

use super::connection::Connection;
use super::hosts::Hosts;
use super::place::{PostgresOptions, PostgresPlace};
use super::read_turns::ReadTurns;
use super::trouble::{is_canceled, is_lost, meaning};
use crate::error::{Error, Result};
use crate::sql::arg::Arg;
use crate::sql::budget::Budget;
use crate::sql::row::Row as SqlRow;
use futures_util::TryStreamExt;
use futures_util::future::try_join_all;
use std::pin::pin;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use tokio::time::{Instant, timeout_at};
use tokio_postgres::Row;

pub(super) struct PipelinedReaders {
    hosts: Arc<Hosts>,
    options: PostgresOptions,
    slots: Vec<Slot>,
    /// Where reads are long: whose turn it is.
    turns: Option<Arc<ReadTurns>>,
}

/// The place of one connection, which is made anew when it is lost.
#[derive(Default)]
struct Slot {
    connection: Mutex<Option<Arc<Connection>>>,
    /// Held by the one who connects; holds why and when that failed last.
    connecting: tokio::sync::Mutex<Option<(Instant, String)>>,
    under_way: AtomicUsize,
}

/// One read under way; counted until it is dropped, however it ends.
struct UnderWay<'s>(&'s Slot);

impl Drop for UnderWay<'_> {
    fn drop(&mut self) {
        self.0.under_way.fetch_sub(1, Ordering::Relaxed);
    }
}

impl PipelinedReaders {
    pub(super) fn new(hosts: Arc<Hosts>, options: &PostgresOptions) -> Self {
        let slots = (0..options.read_connections.max(1)).map(|_| Slot::default()).collect();
        Self { hosts, options: options.clone(), slots, turns: None }
    }

    /// Connections of their own for reads that can be long. The server keeps their limit of time; each has a connection to
    /// itself, and callers take turns.
    pub(super) fn for_long_reads(place: &PostgresPlace, budget: Budget) -> Result<Self> {
        let mut place = place.clone();
        place.options.read_connections = budget.readers;
        place.options.statement_timeout = budget.time;
        place.options.answer_within += 2 * budget.time;
        let readers = Self::new(Arc::new(Hosts::of(&place)?), &place.options);
        Ok(Self { turns: Some(ReadTurns::new(budget)), ..readers })
    }

    /// Gives the rows of one statement, for each list of arguments, to `row` as they come; all are asked in one round
    /// trip. What takes longer than the server allows is too costly.
    pub(super) async fn each(
        &self,
        sql: &str,
        lists: &[&[Arg<'_>]],
        row: impl FnMut(&dyn SqlRow) -> Result<()> + Send,
    ) -> Result<()> {
        let _turn = match &self.turns {
            Some(turns) => Some(turns.turn().await?),
            None => None,
        };
        let deadline = Instant::now() + self.options.answer_within;
        let under_way = self.least_busy()?;
        let connection = self.connection(under_way.0, deadline).await?;
        let row = Mutex::new(row);
        // The answers come over one connection: none may wait to be read until another is.
        let readings = lists.iter().map(|args| async {
            let mut rows = pin!(connection.stream_prepared(sql, args).await?);
            while let Some(found) = rows.try_next().await? {
                let outcome = row.lock().unwrap_or_else(PoisonError::into_inner)(&found);
                if outcome.is_err() {
                    return Ok(outcome);
                }
            }
            Ok(Ok(()))
        });
        match timeout_at(deadline, try_join_all(readings)).await {
            Ok(Ok(outcomes)) => outcomes.into_iter().collect(),
            Ok(Err(error)) if is_canceled(&error) => Err(Error::TooCostly),
            Ok(Err(error)) => {
                if is_lost(&error) {
                    under_way.0.forget(&connection);
                }
                Err(meaning(&error))
            }
            Err(_) => {
                under_way.0.forget(&connection);
                Err(Error::Unavailable("the database did not answer in time".into()))
            }
        }
    }

    /// All rows of one statement. A read changes nothing, so one that was cut off is asked again, once, on a new
    /// connection.
    pub(super) async fn read(&self, sql: &str, args: &[Arg<'_>]) -> Result<Vec<Row>> {
        let deadline = Instant::now() + self.options.answer_within;
        let under_way = self.least_busy()?;
        let slot = under_way.0;
        let connection = self.connection(slot, deadline).await?;
        match self.ask(slot, &connection, sql, args, deadline).await {
            Err(Cut::Off(_)) => {
                let connection = self.connection(slot, deadline).await?;
                self.ask(slot, &connection, sql, args, deadline).await.map_err(Cut::into_error)
            }
            other => other.map_err(Cut::into_error),
        }
    }

    fn least_busy(&self) -> Result<UnderWay<'_>> {
        let slot = self.slots.iter().min_by_key(|slot| slot.under_way.load(Ordering::Relaxed));
        let slot = slot.ok_or_else(|| Error::Impossible("no read connections".into()))?;
        let before = slot.under_way.fetch_add(1, Ordering::Relaxed);
        let under_way = UnderWay(slot);
        if before >= self.options.queue_limit {
            return Err(Error::Unavailable("too many reads are under way".into()));
        }
        Ok(under_way)
    }

    /// The slot's connection, made anew if it was lost. Those who waited for one attempt share its failure: a database
    /// that is away is asked once at a time, not once per request.
    async fn connection(&self, slot: &Slot, deadline: Instant) -> Result<Arc<Connection>> {
        if let Some(connection) = slot.current() {
            return Ok(connection);
        }
        let asked_at = Instant::now();
        let connect = async {
            let mut failed = slot.connecting.lock().await;
            if let Some(connection) = slot.current() {
                return Ok(connection);
            }
            if let Some((at, why)) = failed.as_ref()
                && *at >= asked_at
            {
                return Err(Error::Unavailable(why.clone()));
            }
            match self.hosts.connect().await {
                Ok(connection) => Ok(slot.put(connection)),
                Err(error) => {
                    *failed = Some((Instant::now(), error.to_string()));
                    Err(error)
                }
            }
        };
        let limit = deadline.min(asked_at + self.options.wait_timeout);
        timeout_at(limit, connect).await.unwrap_or_else(|_| Err(Error::Unavailable("no connection in time".into())))
    }

    async fn ask(
        &self,
        slot: &Slot,
        connection: &Arc<Connection>,
        sql: &str,
        args: &[Arg<'_>],
        deadline: Instant,
    ) -> std::result::Result<Vec<Row>, Cut> {
        let limit = deadline.min(Instant::now() + self.options.silence());
        match timeout_at(limit, connection.query_prepared(sql, args)).await {
            Ok(Ok(rows)) => Ok(rows),
            Ok(Err(error)) if is_lost(&error) => {
                slot.forget(connection);
                Err(Cut::Off(meaning(&error)))
            }
            Ok(Err(error)) => Err(Cut::Short(meaning(&error))),
            Err(_) => {
                slot.forget(connection);
                Err(Cut::Short(Error::Unavailable("the database did not answer in time".into())))
            }
        }
    }
}

/// Why a read has no answer.
enum Cut {
    /// The connection was lost: worth asking again.
    Off(Error),
    Short(Error),
}

impl Cut {
    fn into_error(self) -> Error {
        match self {
            Self::Off(error) | Self::Short(error) => error,
        }
    }
}

impl Slot {
    fn current(&self) -> Option<Arc<Connection>> {
        let connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        connection.as_ref().filter(|connection| !connection.is_closed()).cloned()
    }

    fn put(&self, connection: Connection) -> Arc<Connection> {
        let connection = Arc::new(connection);
        *self.connection.lock().unwrap_or_else(PoisonError::into_inner) = Some(connection.clone());
        connection
    }

    /// Gives a lost connection up, unless someone has replaced it already.
    fn forget(&self, lost: &Arc<Connection>) {
        let mut connection = self.connection.lock().unwrap_or_else(PoisonError::into_inner);
        if connection.as_ref().is_some_and(|connection| Arc::ptr_eq(connection, lost)) {
            *connection = None;
        }
    }
}
