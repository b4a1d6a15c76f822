//! The beginning of a resource that is made: its type, and whose record it is in.

use crate::elements::code::concept;
use crate::facts::WriteFacts;
use crate::observation::CATEGORY_SYSTEM;
use crate::tree::{array, object, text, texts};
use fhir::json::Node;

/// The reference to the patient whom it is about.
pub(super) fn patient(facts: &WriteFacts<'_>) -> Node<'static> {
    texts([("reference", Some(&format!("Patient/{}", facts.patient_id)))])
}

/// A final Observation of a category of ours.
pub(super) fn observation(facts: &WriteFacts<'_>, category: &str) -> Node<'static> {
    object([
        ("resourceType", text("Observation")),
        ("status", text("final")),
        ("category", array([concept(CATEGORY_SYSTEM, category, None)])),
        ("subject", patient(facts)),
    ])
}
