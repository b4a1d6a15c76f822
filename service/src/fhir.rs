//! The FHIR R4 API: resources as bytes that are spliced, never as models.

pub mod binary;
pub mod changes;
pub mod creation;
pub mod deletion;
pub mod exchange;
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
mod criteria;
mod deed;
mod entry;
mod entry_read;
mod execution;
mod manner;
mod media;
mod page;
mod patch_body;
mod query;
mod responses;
mod searchset;
mod submission;
mod target;
mod transaction;
mod versions;

pub use answer::no_such_type;
pub use deed::{NOT_BY_CRITERIA, NOT_PATCHED};
