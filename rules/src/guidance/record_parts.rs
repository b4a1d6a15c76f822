//! The parts of a record as a person knows them: the sections of the custom REST API (docs/rest.md, section 11), some of them told
//! together. What an app gets is said in them.

use crate::reach::{Area, may_write_in};
use crate::scope::Scope;

/// A part of a record, or what is in nobody's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RecordPart {
    /// The Patient.
    Details,
    People,
    Results,
    Diagnoses,
    Medicines,
    Appointments,
    Plans,
    Messages,
    Files,
    Other,
    Sharing,
    /// Who looked at the record.
    Log,
    /// Directories and definitions.
    Directory,
}

impl RecordPart {
    pub const ALL: [Self; 13] = [
        Self::Details,
        Self::People,
        Self::Results,
        Self::Diagnoses,
        Self::Medicines,
        Self::Appointments,
        Self::Plans,
        Self::Messages,
        Self::Files,
        Self::Other,
        Self::Sharing,
        Self::Log,
        Self::Directory,
    ];

    /// The part that a FHIR type is in. `is_directory`: it can be in nobody's record, for everybody to read.
    #[must_use]
    pub fn of(resource_type: &str, is_directory: bool) -> Self {
        match resource_type {
            _ if is_directory => Self::Directory,
            "Patient" => Self::Details,
            "Person" | "RelatedPerson" => Self::People,
            "Observation" | "DiagnosticReport" | "Specimen" => Self::Results,
            "Condition" | "AllergyIntolerance" | "Procedure" => Self::Diagnoses,
            "Immunization" => Self::Medicines,
            "Appointment" | "Encounter" => Self::Appointments,
            "CarePlan" | "Goal" | "CareTeam" => Self::Plans,
            "Communication" | "QuestionnaireResponse" => Self::Messages,
            "DocumentReference" | "Binary" | "ImagingStudy" | "Media" | "MolecularSequence" => Self::Files,
            "Consent" => Self::Sharing,
            "AuditEvent" => Self::Log,
            name if name.starts_with("Medication") => Self::Medicines,
            _ => Self::Other,
        }
    }

    /// Whether a session of this scope reads it, as far as its reach goes. The log is for whoever it is about.
    #[must_use]
    pub fn is_read_by(self, scope: Scope) -> bool {
        self != Self::Log || scope == Scope::Patient
    }

    /// Whether a session of this scope writes it. Who may change which Consent is decided of each.
    #[must_use]
    pub const fn is_written_by(self, scope: Scope) -> bool {
        match self {
            Self::Sharing => true,
            Self::Log => false,
            Self::Details => may_write_in(Some(scope), Area::Patient),
            Self::Directory => may_write_in(Some(scope), Area::Directory),
            _ => may_write_in(Some(scope), Area::Record),
        }
    }

    /// What it is called.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Self::Details => "personal details, such as name, date of birth and address",
            Self::People => "relatives and other people in the record",
            Self::Results => "test results, measurements, symptoms and journal",
            Self::Diagnoses => "diagnoses, allergies and procedures",
            Self::Medicines => "medicines and vaccinations",
            Self::Appointments => "appointments and visits",
            Self::Plans => "care plans, goals and care teams",
            Self::Messages => "messages and answers to questionnaires",
            Self::Files => "letters, documents, images and genetic findings",
            Self::Other => "everything else in the record, such as referrals, devices and insurance",
            Self::Sharing => "with whom the record is shared",
            Self::Log => "the log of who looked at the record",
            Self::Directory => "directories of organisations and professionals, and definitions, which are nobody’s",
        }
    }

    /// What an app that writes it can do.
    #[must_use]
    pub const fn written_words(self) -> &'static str {
        match self {
            Self::Sharing => "with whom the record is shared: it can open the record to others, and close it",
            other => other.words(),
        }
    }
}
