//! Writing: resources with their past, their index and their ledger lines, in one transaction.

pub(crate) mod attempts;
pub(crate) mod audience;
pub(crate) mod delay;
pub(crate) mod deletion;
pub(crate) mod draft;
pub(crate) mod index_changes;
pub(crate) mod label;
pub(crate) mod ledger_lines;
pub(crate) mod left_rows;
pub mod moment;
pub(crate) mod new_resource;
pub(crate) mod outcome;
pub(crate) mod plan;
pub mod precondition;
pub(crate) mod predecessor;
pub mod resource_write;
pub(crate) mod staging;
pub mod transaction;
pub(crate) mod writing;
