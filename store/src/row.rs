//! One row of a result, of any engine.

use crate::error::{Error, Result};
use crate::postgres::Int;

/// One row of a result, read by position.
#[derive(Debug)]
pub enum Row<'a> {
    Sqlite(&'a rusqlite::Row<'a>),
    Postgres(&'a tokio_postgres::Row),
}

impl Row<'_> {
    pub fn int(&self, at: usize) -> Result<i64> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
            Self::Postgres(row) => Ok(column::<Int>(row, at)?.0),
        }
    }

    pub fn opt_int(&self, at: usize) -> Result<Option<i64>> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
            Self::Postgres(row) => Ok(column::<Option<Int>>(row, at)?.map(|int| int.0)),
        }
    }

    pub fn text(&self, at: usize) -> Result<String> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
            Self::Postgres(row) => column(row, at),
        }
    }

    pub fn opt_text(&self, at: usize) -> Result<Option<String>> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
            Self::Postgres(row) => column(row, at),
        }
    }

    pub fn bytes(&self, at: usize) -> Result<Vec<u8>> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
            Self::Postgres(row) => column(row, at),
        }
    }

    pub fn opt_bytes(&self, at: usize) -> Result<Option<Vec<u8>>> {
        match self {
            Self::Sqlite(row) => Ok(row.get(at)?),
            Self::Postgres(row) => column(row, at),
        }
    }

    pub fn flag(&self, at: usize) -> Result<bool> {
        Ok(self.int(at)? != 0)
    }

    /// A word of the database read as one of the code's own values.
    pub fn word<T>(&self, at: usize, named: impl Fn(&str) -> Option<T>) -> Result<T> {
        let word = self.text(at)?;
        named(&word).ok_or_else(|| Error::Impossible(format!("column {at} holds the word {word:?}")))
    }
}

/// A column that is not of the type that the code expects is a row that the code did not write.
fn column<'r, T: tokio_postgres::types::FromSql<'r>>(row: &'r tokio_postgres::Row, at: usize) -> Result<T> {
    row.try_get(at).map_err(|error| Error::Impossible(format!("column {at}: {error}")))
}
