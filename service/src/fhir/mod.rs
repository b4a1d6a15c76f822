//! The FHIR R4 API: resources as bytes that are spliced, never as models.

pub mod resource;

mod compartment;
mod cut;
mod shapes;
mod strict;
mod tokens;
mod types;
