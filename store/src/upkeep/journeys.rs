//! The statements of the journeys that are measured, as the engines are given them, for a benchmark that gives them the
//! same without the service around them.

use crate::access::{bearer, clients, opening, sessions};
use crate::lines::encoding;
use crate::lines::event::Event;
use crate::lines::line::{About, Line};
use crate::records::read;
use crate::schema::SCHEMA;
use crate::sql::outbox::Outbox;
use crate::sqlite::in_sqlite;
use rules::moment::Moment;

/// A refresh: the client is read; then BEGIN and the load in one round trip, and all the rest with COMMIT in another.
#[derive(Debug)]
pub struct Refresh {
    /// `$1`: the Client ID.
    pub client: &'static str,
    /// `$1`: the session's id.
    pub load: String,
    /// `$1`: the new generation, `$2`: now, `$3`: the session's id.
    pub rotate: &'static str,
    /// Lines that wait for the ledger: `$1`: an id, `$2`: as they are written.
    pub note: String,
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
        note: Outbox::Sessions.insert().sql.to_owned(),
    }
}

/// The line of a refresh, as it is written.
#[must_use]
pub fn line_of_refresh(session: i64, client: i64, user: i64, now: i64) -> Vec<u8> {
    let about = About { client: Some(client.into()), user: Some(user.into()), ..About::default() };
    let mut written = Vec::new();
    encoding::write(&Line::new(Moment(now), Event::Refreshed, Some(session.into()), about), &mut written);
    written
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
