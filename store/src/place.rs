//! Where the data is, as `--database` says it.

use crate::error::{Error, Result};
use crate::postgres::PostgresPlace;
use std::path::{Path, PathBuf};

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

impl Place {
    /// The same place by a name that means the same in every working directory.
    pub(crate) fn absolute(&self) -> Result<Self> {
        match self {
            Self::Sqlite(directory) => {
                let whole = std::path::absolute(directory);
                whole.map(Self::Sqlite).map_err(|error| Error::Io(format!("finding {}", directory.display()), error))
            }
            Self::Postgres(_) => Ok(self.clone()),
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
