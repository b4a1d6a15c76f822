//! The FHIR R4 API: resources as bytes that are spliced, never as models.

pub mod binary;
pub mod changes;
pub mod creation;
pub mod deletion;
pub mod instance;
pub mod metadata;
pub mod patch;
pub mod patient;
pub mod read_receipts;
pub mod search;
pub mod update;
pub mod upload;

mod acknowledgement;
mod answer;
mod authority;
mod body;
mod bundle;
mod companions;
mod conditions;
mod manner;
mod media;
mod page;
mod query;
mod scope;
mod searchset;
mod submission;
mod versions;

pub use answer::no_such_type;
