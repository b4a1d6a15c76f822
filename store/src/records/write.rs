//! Writing: resources with their past, their index and their ledger lines, in one transaction.

pub(crate) mod attempts;
pub(crate) mod deletion;
pub(crate) mod draft;
pub(crate) mod ledger_lines;
pub(crate) mod outcome;
pub mod precondition;
pub(crate) mod predecessor;
pub mod resource_write;
pub mod transaction;
