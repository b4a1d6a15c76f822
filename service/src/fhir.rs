//! The FHIR R4 API: resources as bytes that are spliced, never as models.

pub mod binary;
pub mod document_reference;
pub mod metadata;
pub mod patient;
pub mod read_receipts;
pub mod search;
pub mod upload;

mod answer;
mod body;
mod bundle;
mod companions;
mod media;
mod page;
mod query;
mod searchset;
mod shape;
mod versions;
