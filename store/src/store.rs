//! The store: a database of some engine, with what every part of it needs.

use crate::db::Db;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::sqlite::Sqlite;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Where the data is: `sqlite:DIR`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    Sqlite(PathBuf),
}

impl Place {
    /// Reads `--database`.
    pub fn parse(text: &str) -> Result<Self> {
        match text.split_once(':') {
            Some(("sqlite", directory)) if !directory.is_empty() => Ok(Self::Sqlite(PathBuf::from(directory))),
            _ => Err(Error::Setup(format!(
                "{text:?} is no database; write sqlite:DIR, for example sqlite:recordgate-data"
            ))),
        }
    }

    /// The data directory.
    #[must_use]
    pub fn directory(&self) -> &Path {
        let Self::Sqlite(directory) = self;
        directory
    }
}

impl std::fmt::Display for Place {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self::Sqlite(directory) = self;
        write!(f, "sqlite:{}", directory.display())
    }
}

/// An open store.
#[derive(Debug)]
pub struct Store {
    pub(crate) db: Db,
    pub(crate) ids: Arc<Ids>,
}

impl Store {
    /// Opens the database and brings its schema up to date. `node` sets this process's ids apart from others'.
    pub fn open(place: &Place, node: u16) -> Result<Self> {
        let Place::Sqlite(directory) = place;
        Ok(Self { db: Db::Sqlite(Sqlite::open(directory)?), ids: Arc::new(Ids::new(node)) })
    }

    /// Whether the database answers.
    pub async fn is_ready(&self) -> Result<()> {
        self.db.read_one("SELECT 1", &[], |row| row.int(0)).await.map(|_| ())
    }
}
