//! Trouble: what went wrong on our side. A refusal is never one of these; a refusal is a value.

/// Why the store could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the database answered: {0}")]
    Sqlite(#[from] rusqlite::Error),
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// A row that the code could never have written.
    #[error("impossible row: {0}")]
    Impossible(String),
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// Another process holds the data directory.
    #[error("{0}")]
    InUse(String),
    /// Something an operator can put right; the text says how.
    #[error("{0}")]
    Setup(String),
}

pub type Result<T> = std::result::Result<T, Error>;
