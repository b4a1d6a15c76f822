//! What a resource says of itself when it is stored: whose record it belongs to, how it is labelled, what sort it is of.

use crate::kit::World;
use crate::kit::records::AMINA;
use serde_json::{Value, json};
use service::preparation::LIMITS;

/// A clinician sends a letter about Amina, changed a little.
async fn status_of_letter(change: impl FnOnce(&mut Value)) -> u16 {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let mut letter = json!({
        "resourceType": "DocumentReference", "status": "current",
        "subject": { "reference": format!("Patient/{AMINA}") },
        "content": [{ "attachment": { "contentType": "text/plain", "data": "SGVsbG8=" } }],
    });
    change(&mut letter);
    okafor.post("/fhir/DocumentReference", &letter).await.status
}

/// A resource is in the compartment of every patient that an element of HL7's definition names; a Patient in its own.
// gaps: Records and reach > Compartments
#[test]
fn a_resource_is_in_the_compartments_that_hl7_says_and_in_no_other() {
    let patient = |id: &str| json!({ "reference": format!("Patient/{id}") });
    for (resource, patients) in [
        (
            json!({ "resourceType": "Observation", "subject": patient("a"), "performer": [patient("b")] }),
            vec!["a", "b"],
        ),
        (
            json!({ "resourceType": "Group", "member": [{ "entity": patient("a") }, { "entity": patient("b") }] }),
            vec!["a", "b"],
        ),
        (json!({ "resourceType": "Patient", "link": [{ "other": patient("a"), "type": "refer" }] }), vec!["own"]),
        (json!({ "resourceType": "Task", "for": patient("a") }), vec![]),
        (json!({ "resourceType": "Binary", "securityContext": patient("a") }), vec![]),
    ] {
        let mut resource = resource;
        resource["id"] = json!("own");
        let prepared = fhir::preparation::prepare(&resource.to_string(), "http://records.test/fhir", &LIMITS);
        assert_eq!(prepared.unwrap().patients, patients, "{resource}");
    }
}

/// A reference is to our own patient when it is relative or under our own base URL; another host's patient is not ours.
// gaps: Records and reach > What names a patient or a Binary of ours
#[tokio::test]
async fn another_hosts_patient_is_not_ours_though_the_id_be_the_same() {
    for (base, status) in [("", 201), ("http://records.test/fhir/", 201), ("https://other.example/fhir/", 422)] {
        let reference = json!(format!("{base}Patient/{AMINA}"));
        assert_eq!(status_of_letter(|letter| letter["subject"]["reference"] = reference).await, status, "{base}");
    }
}

/// A security label that cannot be read is refused, never passed over.
// gaps: Records and reach > meta.security that cannot be read
#[tokio::test]
async fn a_security_label_that_cannot_be_read_is_refused() {
    for (security, status) in [(json!([{ "code": "R" }]), 201), (json!({ "code": "R" }), 422), (json!(["R"]), 422)] {
        let meta = json!({ "security": security });
        assert_eq!(status_of_letter(|letter| letter["meta"] = meta).await, status, "{security}");
    }
}

/// Directories and definitions are about nobody; the types beside them in HL7's categories are not among them.
// gaps: Records and reach > Which types are directory and definition types
#[test]
fn directory_and_definition_types_are_public_and_clinical_types_are_not() {
    let is_public = |name: &&str| fhir::types::named(name).unwrap().is_public();
    let public = ["Organization", "PractitionerRole", "Medication", "Questionnaire", "ValueSet", "Library", "Measure"];
    assert!(public.iter().all(is_public));
    let others =
        ["Patient", "RelatedPerson", "Group", "Device", "MeasureReport", "TestReport", "Binary", "Basic", "Task"];
    assert!(!others.iter().any(is_public));
}
