//! What was asked about a patient, or refused, as the patient is told.

use crate::noted::{Inquiry, Outcome};
use alloc::format;
use alloc::string::String;

/// Completes "Somebody …": what was asked, or tried, by what the line says of it.
#[must_use]
pub fn sentence(what: &str) -> String {
    let Some(Inquiry { outcome, of, parameters }) = Inquiry::read(what) else {
        return "Asked about your record".into();
    };
    let items = items(of);
    let by = if parameters.is_empty() { String::new() } else { format!(", by {}", parameters.replace('&', ", ")) };
    match outcome {
        Outcome::Shown => format!("Asked for {items}{by}"),
        Outcome::Counted => format!("Asked how many {items} there are of you{by}; only a number was given"),
        Outcome::Referred => {
            format!("Asked whether there are {items} of you{by}; only that there are was given, and where")
        }
        Outcome::Withheld => format!("Asked for {items} of you{by}; nothing of your record was given"),
        Outcome::ReadRefused => format!("Tried to read {items} of you and was refused"),
        Outcome::WriteRefused => format!("Tried to write or change {items} of you and was refused"),
    }
}

/// What resources of a type are called outside of FHIR.
fn items(of: &str) -> String {
    let known = match of {
        "*" => "items of any kind",
        "AllergyIntolerance" => "allergies",
        "Appointment" => "appointments",
        "Binary" => "contents of letters",
        "CarePlan" => "care plans",
        "Condition" => "diagnoses and conditions",
        "DocumentReference" => "letters",
        "Encounter" => "visits",
        "Immunization" => "vaccinations",
        "MedicationRequest" => "prescriptions",
        "MedicationStatement" => "medicines",
        "Observation" => "test results and measurements",
        "Patient" => "personal details",
        "Procedure" => "procedures",
        other => return format!("items of the kind {other}"),
    };
    known.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_patient_reads_what_was_asked_and_what_was_given() {
        assert_eq!(
            sentence("count Observation?code&patient"),
            "Asked how many test results and measurements there are of you, by code, patient; only a number was given"
        );
        assert_eq!(
            sentence("reference Patient?identifier"),
            "Asked whether there are personal details of you, by identifier; only that there are was given, and where"
        );
        assert_eq!(
            sentence("nothing Goal?patient"),
            "Asked for items of the kind Goal of you, by patient; nothing of your record was given"
        );
        assert_eq!(sentence("read DocumentReference"), "Tried to read letters of you and was refused");
        assert_eq!(
            sentence("write Observation"),
            "Tried to write or change test results and measurements of you and was refused"
        );
        assert_eq!(sentence("something else"), "Asked about your record");
    }
}
