//! Invented people with years of a medical record, as FHIR R4. A seed decides all of it: every run is the same, byte for byte.
//! No clock, no I/O. Nobody in it is real.

mod ailments;
mod allergies;
mod coding;
pub mod day;
mod dice;
mod immunizations;
mod laboratory;
mod letters;
mod medications;
mod medicines;
mod names;
mod pdf;
mod person;
mod population;
mod record;
pub mod subject;
mod visits;
mod vital_signs;

pub use person::Person;
pub use population::Population;
pub use record::{record, routine};
