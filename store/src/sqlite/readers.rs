//! Readers in place: connections on which the thread that asks reads by itself, for microseconds.

use super::brief_tries::BriefTries;
use super::connection::{connect, query};
use crate::error::{Error, Result};
use crate::sql::arg::Arg;
use crate::sql::caller_key;
use crate::sql::row::Row;
use crate::sql::statement::Statement;
use rusqlite::Connection;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::{Duration, Instant};

/// More than a few would only spread the page cache.
const READERS: usize = 8;

/// Steps of SQLite's machine between two looks at how long a brief read takes, and how many looks it has: with the files in
/// memory, a fraction of a millisecond.
const STEPS: i32 = 256;
const LOOKS: u32 = 64;
/// However few steps it has made: a file that is not in memory makes some of them long.
const BRIEF: Duration = Duration::from_millis(2);
/// Rows between two looks at the clock: what is made of a row takes time, too.
const ROWS: u32 = 8;

#[derive(Debug)]
pub(super) struct PlainReaders {
    /// The first is there from the beginning; each other is opened when all before it are in use. To open one takes a
    /// millisecond, in which SQLite reads the schema.
    connections: Vec<Mutex<Option<Connection>>>,
    directory: PathBuf,
    tries: BriefTries,
}

impl PlainReaders {
    pub(super) fn open(directory: &Path) -> Result<Self> {
        let first = Mutex::new(Some(connect(directory, false)?));
        let others = (1..READERS).map(|_| Mutex::new(None));
        let connections = std::iter::once(first).chain(others).collect();
        Ok(Self { connections, directory: directory.to_path_buf(), tries: BriefTries::new() })
    }

    pub(super) fn read<T>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T>,
    ) -> Result<Vec<T>> {
        let mut reader = self.free()?;
        query(self.opened(&mut reader)?, statement, args, map)
    }

    /// Reads what most likely is found at once, and gives up where it is not: whoever reads in place holds up others. Where that
    /// was in vain lately for this caller, it is not tried.
    pub(super) fn read_briefly<T>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        map: impl FnMut(&dyn Row) -> Result<T>,
    ) -> Result<Option<Vec<T>>> {
        let Some(tried) = self.tries.begin(caller_key::current(), statement.sql) else { return Ok(None) };
        let found = self.try_briefly(statement, args, map);
        match &found {
            Ok(None) => self.tries.in_vain(tried),
            _ => self.tries.found(tried),
        }
        found
    }

    fn try_briefly<T>(
        &self,
        statement: Statement<'_>,
        args: &[Arg<'_>],
        mut map: impl FnMut(&dyn Row) -> Result<T>,
    ) -> Result<Option<Vec<T>>> {
        let mut reader = self.free()?;
        let connection = self.opened(&mut reader)?;
        let until = Instant::now() + BRIEF;
        let limited = Limited::of(connection, until)?;
        let mut rows = 0;
        let read = query(limited.0, statement, args, |row| {
            rows += 1;
            if rows % ROWS == 0 && Instant::now() >= until {
                return Err(Error::TooCostly);
            }
            map(row)
        });
        match read {
            Ok(found) => Ok(Some(found)),
            Err(Error::TooCostly) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// A reader that nobody uses; if there is none, the first when it is free.
    fn free(&self) -> Result<MutexGuard<'_, Option<Connection>>> {
        for reader in &self.connections {
            let mut reader = match reader.try_lock() {
                Ok(reader) => reader,
                Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
                Err(TryLockError::WouldBlock) => continue,
            };
            match self.opened(&mut reader) {
                Ok(_) => return Ok(reader),
                // Those that are open go on, as they did when all were opened at once.
                Err(error) => tracing::warn!(%error, "a further reader could not be opened"),
            }
        }
        let first = self.connections.first().ok_or_else(|| Error::Impossible("no readers".into()))?;
        Ok(first.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn opened<'r>(&self, reader: &'r mut Option<Connection>) -> Result<&'r mut Connection> {
        match reader {
            Some(connection) => Ok(connection),
            None => Ok(reader.insert(connect(&self.directory, false)?)),
        }
    }

    pub(super) fn close(&mut self) {
        self.connections.clear();
    }
}

/// A connection that gives up what takes long, until this is dropped, be it by a panic.
struct Limited<'c>(&'c mut Connection);

impl<'c> Limited<'c> {
    fn of(connection: &'c mut Connection, until: Instant) -> Result<Self> {
        let mut looks = 0;
        let is_over = move || {
            looks += 1;
            looks >= LOOKS || Instant::now() >= until
        };
        connection.progress_handler(STEPS, Some(is_over))?;
        Ok(Self(connection))
    }
}

impl Drop for Limited<'_> {
    fn drop(&mut self) {
        let _unset = self.0.progress_handler(0, None::<fn() -> bool>);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    /// Finds one row after many more steps than a brief read may make.
    const LONG: Statement<'static> = Statement::new(
        "long",
        "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100000) SELECT count(*) FROM n",
    );
    const SHORT: Statement<'static> = Statement::new("short", "SELECT 7");

    fn readers() -> PlainReaders {
        let connections = vec![Mutex::new(Some(Connection::open_in_memory().unwrap()))];
        PlainReaders { connections, directory: PathBuf::new(), tries: BriefTries::new() }
    }

    fn number(row: &dyn Row) -> Result<i64> {
        row.int(0)
    }

    #[test]
    fn what_is_found_at_once_is_read_and_what_is_not_is_given_up() {
        let readers = readers();
        assert_eq!(readers.read_briefly(SHORT, &[], number).unwrap(), Some(vec![7]));
        assert_eq!(readers.read_briefly(LONG, &[], number).unwrap(), None);
        assert_eq!(readers.read_briefly(SHORT, &[], number).unwrap(), Some(vec![7]));
    }

    #[test]
    fn a_brief_read_leaves_no_limit_behind_though_it_fails_or_panics() {
        let readers = readers();
        assert_eq!(readers.read_briefly(LONG, &[], number).unwrap(), None);
        assert_eq!(readers.read(LONG, &[], number).unwrap(), [100_000]);
        readers.read_briefly(SHORT, &[], |_| Err::<i64, _>(Error::Impossible("a test".into()))).unwrap_err();
        assert_eq!(readers.read(LONG, &[], number).unwrap(), [100_000]);
        let panicking = || readers.read_briefly(SHORT, &[], |_| -> Result<i64> { panic!("a test") });
        catch_unwind(AssertUnwindSafe(panicking)).unwrap_err();
        assert_eq!(readers.read(LONG, &[], number).unwrap(), [100_000]);
    }
}
