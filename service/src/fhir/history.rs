//! History over HTTP: of a resource, of a type, of everything.

pub(crate) mod bundle;
pub mod type_history;
pub(crate) mod versions;
