//! Who calls, and the resource that they ask for, in one statement: a read by id carries the check of its caller.
//!
//! The caller's row comes back whether or not there is such a resource within their reach; whether they may have it at
//! all is decided from that row.

use crate::by_id::{binary_by_id, by_id};
use crate::db::{Row, args};
use crate::error::Result;
use crate::organisations::{self, COLUMNS_OF_SYSTEM_SEEN, SystemSeen, system_seen_with};
use crate::records::{self, Resource};
use crate::seen::{self, COLUMNS_OF_SEEN, Seen, seen_with};
use crate::store::Store;
use crate::within::{within_grant, within_session};
use std::sync::Arc;

macro_rules! with_session {
    ($columns:expr, $from:expr, $before:expr, $after:expr) => {
        seen_with!(concat!(", ", $columns), concat!(" LEFT JOIN (", $from, ") ON ", $before, within_session!(), $after))
    };
}

macro_rules! with_system {
    ($columns:expr, $from:expr, $before:expr, $after:expr) => {
        system_seen_with!(
            concat!(", ", $columns),
            concat!(" LEFT JOIN (", $from, ") ON ", $before, within_grant!(), $after)
        )
    };
}

pub(crate) const BY_SESSION: &str = by_id!(with_session, "$2", "$3");
const BINARY_BY_SESSION: &str = binary_by_id!(with_session, "$2", "$3");
const BY_SYSTEM: &str = by_id!(with_system, "$3", "$4");
const BINARY_BY_SYSTEM: &str = binary_by_id!(with_system, "$3", "$4");

pub const STATEMENTS: &[&str] = &[BY_SESSION, BINARY_BY_SESSION, BY_SYSTEM, BINARY_BY_SYSTEM];

/// A caller, and the resource if it is there and in their reach.
pub type Asked<T> = Option<(T, Option<Arc<Resource>>)>;

/// `seen::see`, and what `records::read` or, of a Binary, `read_binary` would find for that session.
pub async fn by_session(store: &Store, session: i64, type_name: &str, fhir_id: &str) -> Result<Asked<Seen>> {
    let sql = if type_name == "Binary" { BINARY_BY_SESSION } else { BY_SESSION };
    let both = |row: &Row<'_>| Ok((seen::row(row)?, resource(row, COLUMNS_OF_SEEN)?));
    store.db.read_one(sql, args![session, type_name, fhir_id], both).await
}

/// `organisations::see_system`, and what would be found for the organisation, if it has granted the client access.
pub async fn by_system(
    store: &Store,
    client: i64,
    organisation: &str,
    type_name: &str,
    fhir_id: &str,
) -> Result<Asked<SystemSeen>> {
    let sql = if type_name == "Binary" { BINARY_BY_SYSTEM } else { BY_SYSTEM };
    let both = |row: &Row<'_>| Ok((organisations::system_seen(row)?, resource(row, COLUMNS_OF_SYSTEM_SEEN)?));
    store.db.read_one(sql, args![client, organisation, type_name, fhir_id], both).await
}

/// The columns after the caller's are null where nothing was found.
fn resource(row: &Row<'_>, first: usize) -> Result<Option<Arc<Resource>>> {
    row.opt_int(first)?.map(|_| records::resource_at(row, first)).transpose()
}
