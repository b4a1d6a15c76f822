//! FHIR R4 (4.0.1) as values: what a resource is, whose record it belongs to, how it is found. No clock, no I/O.

pub mod base64_binary;
pub mod citations;
pub mod compartment;
pub mod custom;
pub mod cut;
pub mod exchange;
pub mod extraction;
pub mod fault;
pub mod human_name;
pub mod identifier_systems;
pub mod identifiers;
pub mod issue;
pub mod json;
pub mod likeness;
pub mod limits;
pub mod links;
pub mod parameters;
pub mod patch;
pub mod pieces;
pub mod preparation;
pub mod reference;
pub mod resource;
pub mod search;
pub mod security;
pub mod shapes;
pub mod strict;
pub mod structure;
pub mod subset;
pub mod tokens;
pub mod types;
pub mod validation;
pub mod values;

mod inline;
mod members;
mod public;
mod relative;
