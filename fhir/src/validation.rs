//! Whether a resource is FHIR R4: all that is wrong with it at once, each with the element that it is about.

mod coding;
mod contained;
mod examination;
mod findings;
mod inspection;
mod invariants;
mod markup;
mod moment;
mod narrative;
mod places;
mod primitive;
mod profiled;
mod target;

pub use examination::{Expectation, validate, validate_compact};
pub use narrative::reading_markup;
pub use profiled::{Judgement, judge};
