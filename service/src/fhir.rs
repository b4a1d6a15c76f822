//! The FHIR R4 API: resources as bytes that are spliced, never as models.

pub mod binary;
pub mod document_reference;
pub mod metadata;
pub mod patient;
pub mod read_receipts;
pub mod resource;

mod answer;
mod body;
mod bundle;
mod compartment;
mod cut;
mod media;
mod page;
mod query;
mod search;
mod shapes;
mod strict;
mod tokens;
mod types;
