//! The records: reading, searching and writing resources, always within a caller's reach.

pub mod changes;
pub mod compartment;
pub mod contents;
pub mod deletion;
pub mod documents;
pub mod finding;
pub mod identities;
pub mod inclusion;
pub mod premise;
pub mod presence;
pub mod read;
pub mod registrations;
pub mod resource;
pub mod search;
pub mod sight;
pub mod sorting;
pub mod stretch;
pub mod transaction;
pub mod versions;
pub mod write;

pub(crate) mod binary;
mod clauses;
mod criteria;
pub(crate) mod digest;
mod form;
pub mod gathering;
pub(crate) mod index;
pub(crate) mod index_rows;
pub(crate) mod origin;
pub(crate) mod placement;
pub(crate) mod predecessor;
mod rank;
pub(crate) mod reach;
mod stored;
mod subject;
pub(crate) mod write_lines;
