//! The statements of the journeys that are measured, as the engines are given them, for a benchmark that gives them the
//! same without the service around them.

use crate::db::locking;
use crate::migrate::{self, SESSIONS};
use crate::{asking, clients, ledger, sessions};

/// A refresh: the client is read; then BEGIN and the load in one round trip, and all the rest with COMMIT in another.
#[derive(Debug)]
pub struct Refresh {
    /// `$1`: the Client ID.
    pub client: &'static str,
    /// `$1`: the session's id.
    pub load: String,
    /// `$1`: the session's id, `$2`: the new generation, `$3`: now.
    pub rotate: &'static str,
    /// A line of the ledger: its columns in the table's order.
    pub note: &'static str,
}

/// A patient's read of one resource of their own record. `$1`: the session's id, `$2`: the resource's type, `$3`: its id.
pub const READ: &str = asking::BY_SESSION;

#[must_use]
pub fn refresh() -> Refresh {
    Refresh {
        client: clients::BY_CLIENT_ID,
        load: locking(sessions::LOAD),
        rotate: sessions::ROTATE,
        note: ledger::NOTE,
    }
}

/// What a refresh does to a session's row in SQLite.
#[derive(Debug)]
pub struct Rotation {
    /// The tables of a new sessions file.
    pub tables: String,
    /// A session: the first thirteen arguments are its columns as they are granted.
    pub open: &'static str,
    /// `$1`: the session's id, `$2`: the new generation, `$3`: now.
    pub rotate: &'static str,
}

#[must_use]
pub fn rotation() -> Rotation {
    let tables = SESSIONS.iter().map(|(_, sql)| migrate::in_sqlite(sql)).collect();
    Rotation { tables, open: sessions::opening::OPEN, rotate: sessions::ROTATE }
}
