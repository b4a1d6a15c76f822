//! Trouble: what went wrong on our side. A refusal is never one of these; a refusal is a value.

/// Why the store could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("the database answered: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// PostgreSQL refused a statement; its message and code.
    #[error("the database answered: {0}")]
    Postgres(String),
    /// Nothing was changed. The same request, sent again, may well succeed.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The database went away with a commit under way, and did not come back in time to say what became of it.
    #[error("the database did not say whether a change was made")]
    OutcomeUnknown,
    /// A row that the code could never have written.
    #[error("impossible row: {0}")]
    Impossible(String),
    #[error("{0}: {1}")]
    Io(String, std::io::Error),
    /// Another process holds the data directory.
    #[error("{0}")]
    InUse(String),
    /// A move whose target does not hold what was sent to it; table by table.
    #[error("the target does not hold what was sent to it, and stays refused; {}", .0.join("; "))]
    MovedWrongly(Vec<String>),
    /// Something an operator can put right; the text says how.
    #[error("{0}")]
    Setup(String),
}

impl Error {
    /// Whether the caller does well to try again in a moment.
    #[must_use]
    pub const fn is_passing(&self) -> bool {
        matches!(self, Self::Unavailable(_) | Self::OutcomeUnknown)
    }
}

pub type Result<T> = std::result::Result<T, Error>;
