//! The statements of the two journeys that are measured, as PostgreSQL is given them, for a benchmark that gives it the
//! same without the service around them.

use crate::db::locking;
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
