//! What a run found, as JSON for a program and as a table for a person.

pub(crate) mod json;
pub(crate) mod summary;
pub(crate) mod table;
