//! Trouble: what went wrong on our side. A refusal is never one of these; a refusal is a value.

use crate::obstacle::Obstacle;

/// Why the store could not do its work.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The engine refused a statement: its message.
    #[error("the database answered: {0}")]
    Database(String),
    /// Nothing was changed. The same request, sent again, may well succeed.
    #[error("the database is not available: {0}")]
    Unavailable(String),
    /// The same, for a reason that is known and has been logged.
    #[error("the database is not available: {0}")]
    NotReady(Obstacle),
    /// This caller has as many reads waiting as one may have; others are not turned away for it.
    #[error("too many reads of one caller are waiting")]
    CallerBusy,
    /// Nothing was changed: somebody else wrote the same row first. The same write, made again, sees it.
    #[error("somebody else wrote the same first: {0}")]
    Taken(String),
    /// A read took more of the database's time than it may, and was interrupted.
    #[error("the read took longer than it may")]
    TooCostly,
    /// The database went away with a commit under way, and did not come back in time to say what became of it.
    #[error("the database did not say whether a change was made")]
    OutcomeUnknown,
    /// A row that the code could never have written.
    #[error("impossible row: {0}")]
    Impossible(String),
    /// What is stored is not what was written: a disk that forgets, or somebody else's hand.
    #[error("{0} is damaged: what is stored is not what was written; `recordgate verify` looks at everything")]
    Damaged(String),
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
    /// The same, with the statement that it happened to.
    #[error("{1}")]
    During(&'static str, Box<Error>),
}

impl Error {
    /// Whether the caller does well to try again in a moment.
    #[must_use]
    pub fn is_passing(&self) -> bool {
        matches!(self.kind(), Self::Unavailable(_) | Self::NotReady(_) | Self::OutcomeUnknown | Self::Taken(_))
    }

    /// Whether somebody else wrote the same row first.
    pub(crate) fn is_taken(&self) -> bool {
        matches!(self.kind(), Self::Taken(_))
    }

    /// What it is, whatever it happened to.
    #[must_use]
    pub fn kind(&self) -> &Self {
        match self {
            Self::During(_, error) => error.kind(),
            error => error,
        }
    }

    /// The statement that it happened to, where there was one.
    #[must_use]
    pub fn statement(&self) -> Option<&'static str> {
        match self {
            Self::During(statement, _) => Some(statement),
            _ => None,
        }
    }

    /// Notes which statement it happened to; the first to say so is the nearest.
    #[must_use]
    pub(crate) fn during(self, statement: &'static str) -> Self {
        match self {
            named @ Self::During(..) => named,
            error => Self::During(statement, Box::new(error)),
        }
    }
}

pub type Result<T> = std::result::Result<T, Error>;
