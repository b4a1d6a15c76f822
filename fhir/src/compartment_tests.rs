//! Whose compartments a resource is in, and the table that says so.

use super::{PatientNaming, TABLE, patients, unlinked};
use crate::resource::Resource;
use crate::types;
use serde_json::{Value, json};

const BASE: &str = "https://records.example/fhir";

fn of(resource: &Value) -> Vec<String> {
    let text = resource.to_string();
    patients(&Resource::read(&text, None).unwrap(), "own", BASE)
}

fn named(id: &str) -> Value {
    json!({ "reference": format!("Patient/{id}") })
}

#[test]
fn every_line_of_the_table_is_a_type_and_its_paths() {
    assert_eq!(TABLE.lines().count(), 65);
    assert!(TABLE.lines().is_sorted());
    for line in TABLE.lines() {
        let (type_name, paths) = line.split_once(' ').unwrap_or_else(|| panic!("{line}: no path"));
        assert!(types::named(type_name).is_some(), "{line}: no type");
        for step in paths.split(' ').flat_map(|path| path.split('.')) {
            assert!(!step.is_empty() && step.bytes().all(|byte| byte.is_ascii_alphabetic()), "{line}: {step:?}");
        }
    }
}

#[test]
fn the_table_says_what_hl7_says() {
    for line in [
        "Appointment participant.actor",
        "AuditEvent agent.who entity.what",
        "CarePlan subject activity.detail.performer",
        "Composition subject author attester.party",
        "DocumentReference subject author",
        "Group member.entity",
        "Observation subject performer",
        "Provenance target",
        "SupplyRequest deliverTo",
    ] {
        assert!(TABLE.lines().any(|known| known == line), "{line}");
    }
    for type_name in ["Patient", "Binary", "Task", "Device", "Organization", "Contract"] {
        assert!(!TABLE.lines().any(|line| line.split(' ').next() == Some(type_name)), "{type_name}");
    }
}

#[test]
fn a_resource_is_in_the_compartment_of_the_patient_it_names() {
    for (type_name, member, value) in [
        ("Observation", "subject", named("p")),
        ("AllergyIntolerance", "patient", named("p")),
        ("Coverage", "beneficiary", named("p")),
        ("Composition", "author", json!([{ "reference": "Practitioner/d" }, named("p")])),
        ("Appointment", "participant", json!([{ "actor": { "reference": "Location/l" } }, { "actor": named("p") }])),
        ("CarePlan", "activity", json!([{}, { "detail": { "performer": [named("p")] } }])),
        ("Observation", "subject", json!({ "reference": "Patient/p/_history/2" })),
        ("Observation", "subject", json!({ "reference": "https://records.example/fhir/Patient/p" })),
    ] {
        assert_eq!(of(&json!({ "resourceType": type_name, member: value })), ["p"], "{type_name}.{member}");
    }
}

#[test]
fn a_resource_of_several_patients_is_in_the_compartment_of_each_once() {
    let observation = json!({ "resourceType": "Observation",
        "performer": [named("b"), named("a"), named("c")], "subject": named("a") });
    assert_eq!(of(&observation), ["a", "b", "c"]);
    let group = json!({ "resourceType": "Group",
        "member": [{ "entity": named("b") }, { "entity": named("a") }, { "entity": named("b") }] });
    assert_eq!(of(&group), ["b", "a"]);
}

#[test]
fn a_patient_is_in_its_own_compartment_and_not_in_that_of_a_link() {
    let patient = json!({ "resourceType": "Patient", "link": [{ "other": named("p"), "type": "seealso" }] });
    assert_eq!(of(&patient), ["own"]);
}

#[test]
fn what_names_no_patient_of_ours_is_in_no_compartment() {
    for resource in [
        json!({ "resourceType": "Organization" }),
        json!({ "resourceType": "Binary", "securityContext": named("p") }),
        json!({ "resourceType": "Task", "for": named("p") }),
        json!({ "resourceType": "Observation", "subject": { "reference": "Group/p" } }),
        json!({ "resourceType": "Observation", "subject": { "reference": "https://x.example/fhir/Patient/p" } }),
        json!({ "resourceType": "Observation", "subject": { "reference": "#p" },
            "contained": [{ "resourceType": "Patient", "id": "p" }] }),
        json!({ "resourceType": "Observation", "contained": [{ "resourceType": "Observation", "subject": named("p") }] }),
        json!({ "resourceType": "Observation", "subject": { "identifier": { "value": "p" }, "type": "Patient" } }),
        json!({ "resourceType": "Observation", "subject": "Patient/p", "performer": [7, null, [], {}] }),
    ] {
        assert_eq!(of(&resource), [] as [&str; 0], "{resource}");
    }
}

#[test]
fn what_names_a_patient_in_another_way_than_by_a_reference_to_ours_is_told_with_its_element() {
    let number = json!({ "value": "1" });
    let of = |subject: Value| {
        let body = json!({ "resourceType": "Observation", "subject": subject, "performer": [named("own")],
            "contained": [{ "resourceType": "Patient", "id": "p" }, { "resourceType": "Group", "id": "g" }] });
        unlinked(types::ResourceType::Observation, &body, BASE).into_iter().map(|one| (one.place, one.naming)).collect()
    };
    for (subject, naming) in [
        (json!({ "reference": "urn:uuid:1" }), Some(PatientNaming::Urn)),
        (json!({ "reference": "#p" }), Some(PatientNaming::Contained)),
        (json!({ "reference": "#g" }), None),
        (json!({ "reference": "#g", "identifier": number }), Some(PatientNaming::Logical)),
        (json!({ "identifier": number }), Some(PatientNaming::Logical)),
        (json!({ "identifier": number, "type": "Patient" }), Some(PatientNaming::Logical)),
        (json!({ "identifier": number, "type": "Practitioner" }), None),
        (json!({ "identifier": { "system": "s" } }), None),
        (json!({ "reference": "https://other.example/Patient/1" }), Some(PatientNaming::Elsewhere)),
        (json!({ "reference": "https://records.example/fhir/Patient/1/_history/2" }), None),
        (json!({ "reference": "Group/1" }), None),
        (json!({ "display": "somebody" }), None),
    ] {
        let expected: Vec<_> = naming.map(|naming| ("Observation.subject".to_owned(), naming)).into_iter().collect();
        let found: Vec<(String, PatientNaming)> = of(subject.clone());
        assert_eq!(found, expected, "{subject}");
    }
    let members = json!({ "resourceType": "Group", "member": [{ "entity": named("a") }, { "entity": { "reference": "urn:x" } }] });
    let found = unlinked(types::ResourceType::Group, &members, BASE);
    assert_eq!(found[0].place, "Group.member[1].entity");
}
