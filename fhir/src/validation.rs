//! Whether a resource is FHIR R4: all that is wrong with it at once, each with the element that it is about.

mod coding;
mod contained;
mod date;
mod examination;
mod findings;
mod invariants;
mod markup;
mod moment;
mod narrative;
mod primitive;
mod target;
mod walk;

pub use examination::{Expectation, validate, validate_compact};
