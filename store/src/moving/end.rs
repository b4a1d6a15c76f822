//! One end of a move, of any engine.

use super::Target;
use super::catalogue::{Table, Values};
use super::sqlite_end::SqliteEnd;
use crate::error::Result;
use crate::postgres::PostgresEnd;
use crate::store::Place;
use std::fs::File;
use std::path::PathBuf;

#[derive(Debug)]
pub(super) enum End {
    Sqlite(SqliteEnd),
    Postgres(PostgresEnd),
}

/// A database that may become a target, taken hold of and not yet touched.
#[derive(Debug)]
pub(super) enum Taken {
    Sqlite(PathBuf, File),
    Postgres(Box<PostgresEnd>),
}

impl Taken {
    /// Makes it an empty target.
    pub(super) async fn prepare(self, found: Target, tables: &[Table]) -> Result<End> {
        match self {
            Self::Sqlite(directory, lock) => Ok(End::Sqlite(SqliteEnd::target(&directory, lock, found, tables)?)),
            Self::Postgres(end) => {
                end.prepare(found, tables).await?;
                Ok(End::Postgres(*end))
            }
        }
    }
}

impl End {
    pub(super) async fn source(place: &Place, tables: &[Table]) -> Result<(Self, Option<String>)> {
        match place {
            Place::Sqlite(directory) => {
                let (end, moved_to) = SqliteEnd::source(directory)?;
                Ok((Self::Sqlite(end), moved_to))
            }
            Place::Postgres(place) => {
                let (end, moved_to) = PostgresEnd::source(place, tables).await?;
                Ok((Self::Postgres(end), moved_to))
            }
        }
    }

    pub(super) async fn look(place: &Place, tables: &[Table]) -> Result<(Taken, Target)> {
        match place {
            Place::Sqlite(directory) => {
                let (lock, found) = SqliteEnd::look(directory)?;
                Ok((Taken::Sqlite(directory.clone(), lock), found))
            }
            Place::Postgres(place) => {
                let (end, found) = PostgresEnd::look(place, tables).await?;
                Ok((Taken::Postgres(Box::new(end)), found))
            }
        }
    }

    pub(super) async fn count(&self, table: &Table) -> Result<u64> {
        match self {
            Self::Sqlite(end) => end.count(table),
            Self::Postgres(end) => end.count(table).await,
        }
    }

    /// Gives all rows of a table to `each`, batch by batch, the last of which may be empty.
    pub(super) async fn read(&self, table: &Table, each: impl AsyncFnMut(&[Values]) -> Result<()>) -> Result<()> {
        match self {
            Self::Sqlite(end) => end.read(table, each).await,
            Self::Postgres(end) => end.read(table, each).await,
        }
    }

    pub(super) async fn write(&mut self, table: &Table, batch: &[Values]) -> Result<()> {
        match self {
            _ if batch.is_empty() => Ok(()),
            Self::Sqlite(end) => end.write(table, batch),
            Self::Postgres(end) => end.write(table, batch).await,
        }
    }

    /// Is told when a table has all its rows.
    pub(super) async fn filled(&self, table: &Table) -> Result<()> {
        match self {
            Self::Sqlite(_) => Ok(()),
            Self::Postgres(end) => end.analyse(table).await,
        }
    }

    /// From now on it is a database like any other.
    pub(super) async fn arrive(&self) -> Result<()> {
        match self {
            Self::Sqlite(end) => end.arrive(),
            Self::Postgres(end) => end.arrive().await,
        }
    }

    /// From now on it is refused, because its data is in `to`.
    pub(super) async fn leave(&self, to: &str, tables: &[Table]) -> Result<()> {
        match self {
            Self::Sqlite(end) => end.leave(to),
            Self::Postgres(end) => end.leave(to, tables).await,
        }
    }

    /// Undoes `leave`.
    pub(super) async fn stay(&self, to: &str) -> Result<()> {
        match self {
            Self::Sqlite(end) => end.stay(to),
            Self::Postgres(end) => end.stay().await,
        }
    }
}
