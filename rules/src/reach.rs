//! Reach: whose records a caller may see, and who becomes the source of what a caller writes.

use crate::scope::Scope;
use alloc::{string::String, vec::Vec};

/// The part of the records that a caller reaches. Every record query takes one; it becomes the query's WHERE clause.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reach {
    /// A PATIENT session: its own record only.
    Patient(String),
    /// A CLINICIAN, TEAMCOORD or SITE session: patients registered with one of these teams.
    Teams(Vec<i64>),
    /// A System Client: only what belongs to the organisation that it names.
    Organisation(i64),
}

/// Who made a resource; only the same source may change or delete it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Source {
    Patient(String),
    Team(i64),
    Organisation(i64),
}

/// "Who may write over FHIR: whoever becomes the source." A TEAMCOORD session writes no clinical data.
#[must_use]
pub const fn may_write(scope: Option<Scope>) -> bool {
    match scope {
        None => true, // a System Client, for the organisation it names
        Some(Scope::Patient | Scope::Clinician | Scope::Site) => true,
        Some(Scope::TeamCoord) => false,
    }
}

/// A read-receipt query is for the sender's side: a PATIENT session gets 403.
#[must_use]
pub const fn may_query_read_receipts(scope: Option<Scope>) -> bool {
    !matches!(scope, Some(Scope::Patient))
}
