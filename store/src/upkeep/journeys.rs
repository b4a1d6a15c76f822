//! The statements of the journeys that are measured, as the engines are given them, for a benchmark that gives them the
//! same without the service around them.

use crate::access::{bearer, clients, opening, sessions};
use crate::ledger;
use crate::records::read;
use crate::schema::SCHEMA;
use crate::sqlite::in_sqlite;

/// A refresh: the client is read; then BEGIN and the load in one round trip, and all the rest with COMMIT in another.
#[derive(Debug)]
pub struct Refresh {
    /// `$1`: the Client ID.
    pub client: &'static str,
    /// `$1`: the session's id.
    pub load: String,
    /// `$1`: the new generation, `$2`: now, `$3`: the session's id.
    pub rotate: &'static str,
    /// A line of the ledger: its id, now, the event, the session's id, the client's, the user's and the team's.
    pub note: &'static str,
}

/// A patient's read of one resource of their own record.
#[derive(Debug)]
pub struct Read {
    /// `$1`: the session's id.
    pub bearer: &'static str,
    /// `$1`: the number of the resource's type, `$2`: its id, `$3`: the patient's number.
    pub resource: String,
}

#[must_use]
pub fn read() -> Read {
    Read { bearer: bearer::FIND.sql, resource: read::of_own_record() }
}

#[must_use]
pub fn refresh() -> Refresh {
    Refresh {
        client: clients::BY_CLIENT_ID.sql,
        load: sessions::LOAD.locking(),
        rotate: sessions::ROTATE.sql,
        note: ledger::NOTE_OF_SESSION.sql,
    }
}

/// What a refresh does to a session's row in SQLite.
#[derive(Debug)]
pub struct Rotation {
    /// The tables of a new sessions file.
    pub tables: String,
    /// A session: the fourteen arguments are its columns as they are granted.
    pub open: &'static str,
    /// `$1`: the new generation, `$2`: now, `$3`: the session's id.
    pub rotate: &'static str,
}

#[must_use]
pub fn rotation() -> Rotation {
    let tables = SCHEMA.sessions.iter().map(|(_, sql)| in_sqlite(sql)).collect();
    Rotation { tables, open: opening::OPEN.sql, rotate: sessions::ROTATE.sql }
}
