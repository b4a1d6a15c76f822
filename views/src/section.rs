//! The sections of a record, by which the access log tells what was seen (docs/rest.md, section 11).

use crate::members::words::words;
use crate::observation::{self, ObservationView};
use crate::tree::said;
use fhir::json::Node;
use fhir::types::{self, ResourceType};

words! {
    pub enum Section {
        Other = "OTHER",
        Demographics = "DEMOGRAPHICS",
        Measurements = "MEASUREMENTS",
        Symptoms = "SYMPTOMS",
        Journal = "JOURNAL",
        Tests = "TESTS",
        Diagnoses = "DIAGNOSES",
        Allergies = "ALLERGIES",
        Medications = "MEDICATIONS",
        Appointments = "APPOINTMENTS",
        Plans = "PLANS",
        Messages = "MESSAGES",
        Files = "FILES",
        Imaging = "IMAGING",
        Genetics = "GENETICS",
        Sharing = "SHARING",
    }
}

impl Section {
    /// The section of a type; that of an Observation is told by what it says.
    #[must_use]
    pub fn of_type(resource_type: ResourceType) -> Self {
        match resource_type {
            ResourceType::Patient | ResourceType::Person | ResourceType::RelatedPerson => Self::Demographics,
            ResourceType::DiagnosticReport | ResourceType::Specimen => Self::Tests,
            ResourceType::Condition | ResourceType::Procedure => Self::Diagnoses,
            ResourceType::AllergyIntolerance => Self::Allergies,
            ResourceType::Immunization => Self::Medications,
            ResourceType::Appointment | ResourceType::Encounter => Self::Appointments,
            ResourceType::CarePlan | ResourceType::Goal | ResourceType::CareTeam => Self::Plans,
            ResourceType::Communication | ResourceType::QuestionnaireResponse => Self::Messages,
            ResourceType::DocumentReference | ResourceType::Binary => Self::Files,
            ResourceType::ImagingStudy | ResourceType::Media => Self::Imaging,
            ResourceType::MolecularSequence => Self::Genetics,
            ResourceType::Consent => Self::Sharing,
            medication if medication.name().starts_with("Medication") => Self::Medications,
            _ => Self::Other,
        }
    }

    /// The section of a resource. `is_reported`: a laboratory report names it.
    #[must_use]
    pub fn of(resource: &Node<'_>, is_reported: bool) -> Self {
        match said(resource, "resourceType").and_then(types::named) {
            Some(ResourceType::Observation) => match observation::view(resource, is_reported) {
                Some(ObservationView::TestResult) => Self::Tests,
                Some(ObservationView::JournalEntry) => Self::Journal,
                Some(ObservationView::Symptom) => Self::Symptoms,
                Some(ObservationView::Measurement(_)) => Self::Measurements,
                None => Self::Other,
            },
            Some(resource_type) => Self::of_type(resource_type),
            None => Self::Other,
        }
    }
}
