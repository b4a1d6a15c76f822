//! Which Observation is in which view, and what of odd ones is shown.

use crate::kit::{facts, shown, shown_value, tree};
use crate::specimens;
use fhir::json::Node;
use serde_json::{Value, json};
use views::facts::{Facts, Reader};
use views::kinds::allergy::Allergy;
use views::kinds::appointment::Appointment;
use views::kinds::diagnosis::Diagnosis;
use views::kinds::document::Document;
use views::kinds::journal::JournalEntry;
use views::kinds::measurement::Measurement;
use views::kinds::medication::Medication;
use views::kinds::message::Message;
use views::kinds::plan::Plan;
use views::kinds::symptom::Symptom;
use views::kinds::test_result::TestResult;
use views::view::show;

const HL7: &str = "http://terminology.hl7.org/CodeSystem/observation-category";
const OURS: &str = "urn:recordgate:observation-category";

fn observation(categories: &[(&str, &str)], code: &str, value: &Value) -> Node<'static> {
    let categories: Vec<Value> =
        categories.iter().map(|(system, code)| json!({ "coding": [{ "system": system, "code": code }] })).collect();
    let mut all = json!({ "resourceType": "Observation", "id": "o", "status": "final", "category": categories,
        "code": { "coding": [{ "system": "http://loinc.org", "code": code }] }, "effectiveDateTime": "2026-11-01" });
    all.as_object_mut().unwrap().extend(value.as_object().unwrap().clone());
    tree(&all.to_string())
}

/// The views that an Observation is in.
fn views(node: &Node<'_>) -> Vec<&'static str> {
    let fits = [
        ("test", shown::<TestResult>(node).is_some()),
        ("journal", shown::<JournalEntry>(node).is_some()),
        ("symptom", shown::<Symptom>(node).is_some()),
        ("measurement", shown::<Measurement>(node).is_some()),
    ];
    fits.into_iter().filter(|(_, fits)| *fits).map(|(name, _)| name).collect()
}

#[test]
fn an_observation_is_in_the_first_view_that_fits_and_in_no_other() {
    let weight = json!({ "valueQuantity": { "value": 64.5, "unit": "kg" } });
    let of = |categories: &[(&str, &str)], code| views(&observation(categories, code, &weight));
    assert_eq!(of(&[], "29463-7"), ["measurement"]);
    assert_eq!(of(&[(HL7, "vital-signs")], "29463-7"), ["measurement"]);
    assert_eq!(of(&[(HL7, "laboratory")], "29463-7"), ["test"]);
    assert_eq!(of(&[(OURS, "SYMPTOM"), (OURS, "LABORATORY")], "29463-7"), ["test"]);
    assert_eq!(of(&[(OURS, "SYMPTOM"), (OURS, "JOURNAL")], "29463-7"), ["journal"]);
    assert_eq!(of(&[(OURS, "SYMPTOM")], "29463-7"), ["symptom"]);
    assert_eq!(of(&[("urn:x", "SYMPTOM")], "1-1"), [""; 0]);
    assert_eq!(views(&tree(r#"{"resourceType":"Observation","id":"o","status":"final"}"#)), [""; 0]);
}

#[test]
fn what_was_entered_in_error_is_in_no_view() {
    let without = |text: &str| {
        let mut node = tree(text);
        node.set("status", Node::Text("entered-in-error".into()));
        node
    };
    assert_eq!(views(&without(specimens::MEASUREMENT)), [""; 0]);
    assert!(shown::<Medication>(&without(specimens::MEDICATION)).is_none());
    assert!(shown::<Medication>(&without(specimens::REQUEST)).is_none());
    assert!(shown::<Appointment>(&without(specimens::APPOINTMENT)).is_none());
    assert!(shown::<Plan>(&without(specimens::PLAN)).is_none());
    assert!(shown::<Message>(&without(specimens::MESSAGE)).is_none());
    assert!(shown::<Document>(&without(specimens::DOCUMENT)).is_none());
    for word in ["refuted", "entered-in-error"] {
        assert!(
            shown::<Allergy>(&tree(&specimens::ALLERGY.replace("\"confirmed\"", &format!("\"{word}\"")))).is_none()
        );
        let mut condition = tree(specimens::DIAGNOSIS);
        let system = "http://terminology.hl7.org/CodeSystem/condition-ver-status";
        let status = json!({ "coding": [{ "system": system, "code": word }] }).to_string();
        condition.set("verificationStatus", tree(&status));
        assert!(shown::<Diagnosis>(&condition).is_none());
    }
}

#[test]
fn a_blood_pressure_of_one_component_shows_that_one() {
    let half = json!({ "component": [{ "code": { "coding": [{ "system": "http://loinc.org", "code": "8462-4" }] },
        "valueQuantity": { "value": 81, "unit": "mmHg" } }] });
    let shown = shown_value::<Measurement>(&observation(&[], "85354-9", &half));
    assert_eq!([&shown["value"], &shown["value2"], &shown["unit"]], [&json!(null), &json!(81), &json!("mmHg")]);
}

#[test]
fn a_value_that_is_no_plain_number_is_told_in_words() {
    for (value, words) in [
        (json!({ "valueString": "about 60" }), json!("about 60")),
        (json!({ "valueCodeableConcept": { "coding": [{ "code": "x", "display": "High" }] } }), json!("High")),
        (json!({ "valueQuantity": { "value": 5, "comparator": "<", "unit": "kg" } }), json!("< 5 kg")),
        (json!({ "valueRange": { "low": { "value": 1 }, "high": { "value": 2, "unit": "kg" } } }), json!("1 to 2 kg")),
        (json!({ "valueRatio": { "numerator": { "value": 1 }, "denominator": { "value": 128 } } }), json!("1:128")),
        (json!({ "valueBoolean": true }), json!("true")),
        (json!({ "valueInteger": 7 }), json!("7")),
        (json!({ "valuePeriod": { "start": "2026" } }), json!("from 2026")),
        (json!({ "dataAbsentReason": { "text": "x" } }), json!(null)),
    ] {
        let shown = shown_value::<Measurement>(&observation(&[], "29463-7", &value));
        assert_eq!((&shown["value"], &shown["valueText"]), (&Value::Null, &words), "{value}");
    }
}

#[test]
fn the_components_of_a_result_are_told_by_their_names() {
    let value = json!({ "component": [
        { "code": { "text": "Colour" }, "valueString": "clear" },
        { "code": { "text": "pH" }, "valueQuantity": { "value": 6.5 } } ] });
    let shown = shown_value::<TestResult>(&observation(&[(HL7, "laboratory")], "5767-9", &value));
    assert_eq!(shown["valueText"], "Colour: clear; pH: 6.5");
}

#[test]
fn a_medicine_is_named_by_the_medication_that_is_referred_to() {
    let statement = tree(
        r##"{"resourceType":"MedicationStatement","id":"s","status":"stopped","medicationReference":{"reference":"#m"},
        "contained":[{"resourceType":"Medication","id":"m","code":{"text":"Contained"}}],
        "dosage":[{"timing":{"repeat":{"frequency":2,"period":1,"periodUnit":"d"}}}]}"##,
    );
    let shown = shown_value::<Medication>(&statement);
    assert_eq!([&shown["substance"], &shown["status"]], ["Contained", "PAST"]);
    assert_eq!(shown["frequency"], "2 times in 1 d");
    let medication =
        tree(r#"{"resourceType":"Medication","id":"m","code":{"coding":[{"code":"x","display":"Elsewhere"}]}}"#);
    let mut referring = statement;
    referring.set("medicationReference", tree(r#"{"reference":"Medication/m"}"#));
    let named = show::<Medication>(&referring, &Facts { medication: Some(&medication), ..facts() }).unwrap();
    assert_eq!(named.view.substance.as_deref(), Some("Elsewhere"));
}

#[test]
fn a_message_is_read_by_the_mark_of_who_reads_it() {
    let message = tree(&specimens::MESSAGE.replace("\"preparation\"", "\"completed\""));
    let status = |reader: Reader| {
        let shown = show::<Message>(&message, &Facts { reader, ..facts() }).unwrap();
        shown.view.status.unwrap().word()
    };
    assert_eq!(status(Reader::Sender), "SENT");
    assert_eq!(status(Reader::Recipient { has_read: false }), "UNREAD");
    assert_eq!(status(Reader::Recipient { has_read: true }), "READ");
    assert_eq!(shown::<Message>(&tree(specimens::MESSAGE)).unwrap().view.status.unwrap().word(), "DRAFT");
}

#[test]
fn a_documents_date_is_as_it_was_given_until_fhir_says_another() {
    let given = |date: &str| specimens::DOCUMENT.replace("\"2026-11-02T00:00:00Z\"", &format!("\"{date}\""));
    assert_eq!(shown_value::<Document>(&tree(&given("2026-11-02T00:00:00Z")))["date"], "2026-11-02");
    assert_eq!(shown_value::<Document>(&tree(&given("2026-12-24T10:00:00Z")))["date"], "2026-12-24T10:00:00Z");
}

#[test]
fn a_resource_of_another_type_is_of_no_kind() {
    let patient = tree(r#"{"resourceType":"Patient","id":"x"}"#);
    assert!(shown::<Allergy>(&patient).is_none() && shown::<Document>(&patient).is_none());
    assert!(shown::<Measurement>(&patient).is_none() && shown::<Message>(&patient).is_none());
    assert!(shown::<Plan>(&patient).is_none() && shown::<Medication>(&patient).is_none());
}
