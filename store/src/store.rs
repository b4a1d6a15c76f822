//! The store: a database of some engine, with what every part of it needs.

use crate::db::Db;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::postgres::{Postgres, PostgresPlace};
use crate::sqlite::Sqlite;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the data is: `sqlite:DIR` or `postgres://…`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Sqlite(PathBuf),
    Postgres(Box<PostgresPlace>),
}

impl Place {
    /// Reads `--database`.
    pub fn parse(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some(("sqlite", directory)) if !directory.is_empty() => Ok(Self::Sqlite(PathBuf::from(directory))),
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres(Box::new(PostgresPlace::parse(text)?))),
            // The text is not repeated: it may be a mistyped URL with a password in it.
            _ => Err(Error::Setup(
                "this is no database; write sqlite:DIR, for example sqlite:recordgate-data, or \
                 postgres://USER:PASSWORD@HOST:5432/DATABASE"
                    .into(),
            )),
        }
    }

    /// The data directory, where there is one.
    #[must_use]
    pub fn directory(&self) -> Option<&Path> {
        match self {
            Self::Sqlite(directory) => Some(directory),
            Self::Postgres(_) => None,
        }
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Sqlite(directory) => write!(f, "sqlite:{}", directory.display()),
            Self::Postgres(place) => place.fmt(f),
        }
    }
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    pub(crate) db: Db,
    pub(crate) ids: Arc<Ids>,
}

impl Store {
    /// Opens the database and brings its schema up to date. `node` sets this process's ids apart from earlier ones'; a
    /// database that many nodes share gives each its own.
    pub async fn open(place: &Place, node: u16) -> Result<Self> {
        match place {
            Place::Sqlite(directory) => {
                Ok(Self { db: Db::Sqlite(Sqlite::open(directory)?), ids: Arc::new(Ids::new(node)) })
            }
            Place::Postgres(place) => {
                let (postgres, ids) = Postgres::open(place).await?;
                Ok(Self { db: Db::Postgres(postgres), ids })
            }
        }
    }

    /// Whether each question is a round trip to another process: then what can be asked together should be.
    #[must_use]
    pub const fn is_far(&self) -> bool {
        matches!(self.db, Db::Postgres(_))
    }

    /// Whether the database answers.
    pub async fn is_ready(&self) -> Result<()> {
        self.db.read_one("SELECT 1", &[], |row| row.int(0)).await.map(|_| ())
    }
}
