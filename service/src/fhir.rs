//! The FHIR R4 API: resources as bytes that are spliced, never as models.

pub mod bundle;
pub mod documents;
pub mod export;
pub mod history;
pub mod metadata;
pub mod operations;
pub mod read;
pub mod search;
pub mod write;

mod body;
mod media;

pub use read::answer::no_such_type;
pub use write::request::{NOT_BY_CRITERIA, NOT_PATCHED, NOT_WRITTEN};
