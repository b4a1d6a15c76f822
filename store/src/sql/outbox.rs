//! Outboxes: the tables in which lines wait to be added to the ledger. An embedded store has one in each of its files, so that
//! a line is on disk with what it tells of, or neither is.

use super::statement::{Statement, statements};

/// Where a line waits: with the records, or with the sessions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Outbox {
    Records,
    Sessions,
}

/// Lines that were taken from an outbox to be added to the ledger.
#[derive(Debug)]
pub(crate) struct Taking {
    pub lines: Vec<Vec<u8>>,
    /// The last row that was read, where it is still there.
    pub mark: Option<i64>,
    /// It is as much as is taken at once: more may be waiting.
    pub is_full: bool,
}

statements! {
    /// `$1`: an id, `$2`: lines as they are written.
    INTO_RECORDS = "INSERT INTO record_lines (id, lines) VALUES ($1, $2)";
    INTO_SESSIONS = "INSERT INTO session_lines (id, lines) VALUES ($1, $2)";
    /// What waits behind the id `$1`, at most `$2` rows of it.
    OF_RECORDS = "SELECT id, lines FROM record_lines WHERE id > $1 ORDER BY id LIMIT $2";
    OF_SESSIONS = "SELECT id, lines FROM session_lines WHERE id > $1 ORDER BY id LIMIT $2";
    /// What was added to the ledger, up to the id `$1`.
    EMPTY_RECORDS = "DELETE FROM record_lines WHERE id <= $1";
    EMPTY_SESSIONS = "DELETE FROM session_lines WHERE id <= $1";
}

impl Outbox {
    /// Rows that are taken at once. A row is a transaction's lines, or a group's of transactions: among the records it may be a
    /// bundle of hundreds of resources, among the sessions it is mostly one refresh.
    pub(crate) const fn most_rows(self) -> i64 {
        match self {
            Self::Records => 256,
            Self::Sessions => 1024,
        }
    }

    pub(crate) const fn insert(self) -> Statement<'static> {
        match self {
            Self::Records => INTO_RECORDS,
            Self::Sessions => INTO_SESSIONS,
        }
    }

    pub(crate) const fn waiting(self) -> Statement<'static> {
        match self {
            Self::Records => OF_RECORDS,
            Self::Sessions => OF_SESSIONS,
        }
    }

    pub(crate) const fn empty(self) -> Statement<'static> {
        match self {
            Self::Records => EMPTY_RECORDS,
            Self::Sessions => EMPTY_SESSIONS,
        }
    }
}
