//! How resources become rows of an index.

use super::*;
use crate::parameters::table;
use serde_json::json;

const BASE: &str = "https://records.example.org/fhir";

fn of(resource: &Value) -> Vec<IndexRow> {
    let name = resource["resourceType"].as_str().unwrap();
    rows(crate::types::named(name).unwrap(), resource, BASE)
}

fn key_of(resource_type: ResourceType, code: &str) -> i64 {
    i64::from(table::find(resource_type, code).unwrap().number) * FACETS
}

#[test]
fn what_is_contained_is_under_its_own_type_and_the_reference_to_it_says_which_it_is() {
    let rows = of(&json!({
        "resourceType": "Observation", "id": "o", "subject": { "reference": "#p" },
        "contained": [{ "resourceType": "Device", "id": "d" },
            { "resourceType": "Patient", "id": "p", "gender": "male" }],
    }));
    let patient = ResourceType::Patient.number();
    let subject = rows.iter().find(|row| row.parameter == key_of(ResourceType::Observation, "subject")).unwrap();
    let expected = IndexCells::Reference { target_type: -patient, target: "2".into(), version: String::new() };
    assert_eq!(subject.cells, expected);
    let gender = rows.iter().find(|row| row.parameter == key_of(ResourceType::Patient, "gender")).unwrap();
    assert_eq!((gender.type_number, gender.part), (-patient, 2 * PARTS));
}

#[test]
fn components_of_a_composite_share_the_number_of_their_instance() {
    let component = |code: &str, value: f64| json!({ "code": { "coding": [{ "code": code }] }, "valueQuantity": { "value": value } });
    let rows = of(
        &json!({ "resourceType": "Observation", "id": "o", "component": [component("a", 1.0), component("b", 2.0)] }),
    );
    let first = key_of(ResourceType::Observation, "component-code-value-quantity");
    let parts =
        |facet: i64| rows.iter().filter(|row| row.parameter == first + facet).map(|row| row.part).collect::<Vec<_>>();
    assert_eq!((parts(0), parts(1)), (vec![1, 2], vec![1, 2]));
}

#[test]
fn no_composite_has_more_components_than_there_are_facets() {
    let facets = usize::try_from(FACETS).unwrap();
    for resource_type in crate::types::all() {
        assert!(table::of(resource_type).iter().all(|parameter| parameter.components.len() <= facets));
    }
}

#[test]
fn what_only_a_store_knows_has_no_row() {
    let meta = json!({ "lastUpdated": "2020-01-01T00:00:00Z", "source": "urn:x" });
    assert_eq!(of(&json!({ "resourceType": "Basic", "id": "b", "meta": meta })), []);
}

#[test]
fn a_long_text_is_its_start_and_its_hash() {
    let (one, other) = (format!("{}a", "é".repeat(300)), format!("{}b", "é".repeat(300)));
    assert_eq!(short("é"), "é");
    assert!(short(&one).len() < 400 && short(&one) != short(&other));
    assert_eq!(start(&one), "é".repeat(120));
    assert_eq!((system_number(None), system_number(Some("urn:a")) == system_number(Some("urn:b"))), (0, false));
}

#[test]
fn what_two_parameters_find_has_one_row() {
    let rows = of(&json!({ "resourceType": "Observation", "id": "o", "code": { "coding": [{ "code": "c" }] },
        "subject": { "reference": "Patient/p" }, "valueQuantity": { "value": 1.5 } }));
    let keys: Vec<i64> = rows.iter().map(|row| row.parameter).collect();
    let kept = ["code", "subject", "value-quantity"].map(|code| key_of(ResourceType::Observation, code));
    assert_eq!(keys, kept);
}

#[test]
fn a_patient_elsewhere_is_the_own_row_of_what_is_otherwise_kept_by_the_subject() {
    let of_subject = |subject: serde_json::Value| {
        let rows = of(&json!({ "resourceType": "Observation", "id": "o", "subject": subject }));
        rows.iter().map(|row| row.parameter).collect::<Vec<_>>()
    };
    let [patient, subject] = ["patient", "subject"].map(|code| key_of(ResourceType::Observation, code));
    let elsewhere = json!({ "reference": "https://elsewhere.example/fhir/Patient/p" });
    assert_eq!(of_subject(elsewhere), [patient, subject]);
    assert_eq!(of_subject(json!({ "reference": "Patient/p" })), [subject]);
    assert_eq!(of_subject(json!({ "reference": "Device/d" })), [subject]);
}

#[test]
fn a_value_that_composites_have_no_part_in_is_apart() {
    let sampled = json!({ "origin": { "value": 0 }, "period": 1, "dimensions": 1, "data": "1 2" });
    let rows = of(&json!({ "resourceType": "Observation", "id": "o", "valueSampledData": sampled }));
    let apart = key_of(ResourceType::Observation, "value-quantity") + i64::from(APART);
    assert_eq!(rows.iter().map(|row| row.parameter).collect::<Vec<_>>(), [apart]);
}
