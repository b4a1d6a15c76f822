//! HL7's invariants of the base resources and data types, as code: those that can be told from the resource alone.

mod bundle;
mod clinical;
mod conformance;
mod datatype;
mod invariant;
mod person;
mod questionnaire;
mod scope;
mod table;
mod terminology;
mod vital_signs;
mod workflow;

pub(super) use scope::Scope;
pub(super) use table::of;
pub(super) use vital_signs::named;
