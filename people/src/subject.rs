//! Whom a record is about.

use crate::day::Day;

/// The patient of a record, and who keeps it.
#[derive(Clone, Debug)]
pub struct Subject {
    /// The id of the Patient resource.
    pub id: String,
    /// As a letter addresses them.
    pub name: String,
    pub born: Day,
    pub is_female: bool,
    /// Who writes the letters and takes the measurements, as the resources say it.
    pub carer: String,
    /// Height in centimetres and weight in tenths of a kilogram, where they are known already.
    pub build: Option<(i64, i64)>,
}
