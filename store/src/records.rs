//! The records: reading, searching and writing resources, always within a caller's reach.

pub mod contents;
pub mod deletion;
pub mod documents;
pub mod presence;
pub mod read;
pub mod registrations;
pub mod resource;
pub mod search;
pub mod sight;
pub mod versions;
pub mod write;

pub(crate) mod binary;
pub(crate) mod digest;
pub(crate) mod index;
pub(crate) mod origin;
pub(crate) mod predecessor;
pub(crate) mod reach;
pub(crate) mod write_lines;
