//! The FHIR R4 API: resources as bytes that are spliced, never as models.

pub mod binary;
pub mod creation;
pub mod definition;
pub mod deletion;
pub mod everything;
pub mod instance;
pub mod last_data_point;
pub mod lastn;
pub mod matching;
pub mod meta;
pub mod metadata;
pub mod patch;
pub mod patient;
pub mod purview;
pub mod read_receipts;
pub mod search;
pub mod status_query;
pub mod update;
pub mod upload;
pub mod validation;

mod acknowledgement;
mod answer;
mod authority;
mod body;
mod bundle;
mod companions;
mod conditions;
mod identifier;
mod invocation;
mod media;
mod operations;
mod page;
mod query;
mod searchset;
mod sender;
mod shape;
mod submission;
mod verdict;
mod versions;

pub use answer::no_such_type;
