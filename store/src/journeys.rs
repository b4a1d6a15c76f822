//! The statements of the two journeys that are measured, as PostgreSQL is given them, for a benchmark that gives it the
//! same without the service around them.

use crate::db::locking;
use crate::{clients, ledger, records, seen, sessions};

/// A patient's read of one resource of their own record, both statements in one round trip.
#[derive(Debug)]
pub struct Read {
    /// `$1`: the session's id.
    pub session: &'static str,
    /// `$1`: the session's id, `$2`: the resource's type, `$3`: its id.
    pub resource: &'static str,
}

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

#[must_use]
pub const fn read() -> Read {
    Read { session: seen::SEE, resource: records::READ.session }
}

#[must_use]
pub fn refresh() -> Refresh {
    Refresh {
        client: clients::BY_CLIENT_ID,
        load: locking(sessions::LOAD),
        rotate: sessions::ROTATE,
        note: ledger::NOTE,
    }
}
