//! Readers in place: connections on which the thread that asks reads by itself, for microseconds.

use super::connection::{connect, query};
use crate::error::{Error, Result};
use crate::sql::arg::Arg;
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use rusqlite::Connection;
use std::path::Path;
use std::sync::{Mutex, PoisonError, TryLockError};

/// More than a few would only spread the page cache.
const READERS: usize = 8;

#[derive(Debug)]
pub(super) struct PlainReaders(Vec<Mutex<Connection>>);

impl PlainReaders {
    pub(super) fn open(directory: &Path) -> Result<Self> {
        Ok(Self((0..READERS).map(|_| Ok(Mutex::new(connect(directory, false)?))).collect::<Result<_>>()?))
    }

    pub(super) fn read<T>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T>,
    ) -> Result<Vec<T>> {
        for reader in &self.0 {
            match reader.try_lock() {
                Ok(connection) => return query(&connection, statement, args, map),
                Err(TryLockError::Poisoned(poisoned)) => return query(&poisoned.into_inner(), statement, args, map),
                Err(TryLockError::WouldBlock) => {}
            }
        }
        let first = self.0.first().ok_or_else(|| Error::Impossible("no readers".into()))?;
        query(&first.lock().unwrap_or_else(PoisonError::into_inner), statement, args, map)
    }

    pub(super) fn close(&mut self) {
        self.0.clear();
    }
}
