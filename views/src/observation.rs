//! In which view an Observation is: in one at most, the first that fits.

use crate::elements::code::any_has;
use crate::measurement_types::MeasurementType;
use crate::tree::{items, said};
use fhir::json::Node;

/// Our categories of Observations.
pub const CATEGORY_SYSTEM: &str = "urn:recordgate:observation-category";
/// HL7's.
pub const HL7_CATEGORY_SYSTEM: &str = "http://terminology.hl7.org/CodeSystem/observation-category";
const REPORT_SECTIONS: &str = "http://terminology.hl7.org/CodeSystem/v2-0074";

pub(crate) const MEASUREMENT: &str = "MEASUREMENT";
pub(crate) const SYMPTOM: &str = "SYMPTOM";
pub(crate) const JOURNAL: &str = "JOURNAL";
pub(crate) const LABORATORY: &str = "LABORATORY";
pub(crate) const HL7_LABORATORY: &str = "laboratory";

/// The views of Observations, in the order in which they are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ObservationView {
    TestResult,
    JournalEntry,
    Symptom,
    Measurement(&'static MeasurementType),
}

/// The view that an Observation is in. `is_reported`: a laboratory report names it.
#[must_use]
pub fn view(observation: &Node<'_>, is_reported: bool) -> Option<ObservationView> {
    let is_observation = said(observation, "resourceType") == Some("Observation");
    if !is_observation || said(observation, "status") == Some("entered-in-error") {
        return None;
    }
    let ours = |code| any_has(observation, "category", CATEGORY_SYSTEM, code);
    if is_reported || ours(LABORATORY) || any_has(observation, "category", HL7_CATEGORY_SYSTEM, HL7_LABORATORY) {
        return Some(ObservationView::TestResult);
    }
    if ours(JOURNAL) {
        return Some(ObservationView::JournalEntry);
    }
    if ours(SYMPTOM) {
        return Some(ObservationView::Symptom);
    }
    MeasurementType::of(observation).map(ObservationView::Measurement)
}

/// Whether a DiagnosticReport is a laboratory's, so that the Observations it names are test results.
#[must_use]
pub fn is_laboratory_report(report: &Node<'_>) -> bool {
    said(report, "resourceType") == Some("DiagnosticReport")
        && said(report, "status") != Some("entered-in-error")
        && any_has(report, "category", REPORT_SECTIONS, "LAB")
}

/// What a DiagnosticReport names as its results.
pub fn named_by<'n>(report: &'n Node<'_>) -> impl Iterator<Item = &'n str> {
    items(report, "result").iter().filter_map(|result| said(result, "reference"))
}
