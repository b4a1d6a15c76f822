//! What is found in resources, kind by kind. All of HL7's examples are compared with another implementation in tests/.

use super::{contained, extract};
use crate::extraction::index_value::{IndexValue, Target};
use crate::types::{self, ResourceType};
use crate::values::magnitude::Interval;
use crate::values::span::Span;
use serde_json::{Value, json};

const BASE: &str = "https://records.example/fhir";

/// What the parameter of this code finds, each value as its debug text says it.
fn found<'a>(resource: &'a Value, code: &str) -> Vec<IndexValue<'a>> {
    let resource_type = types::named(resource["resourceType"].as_str().unwrap()).unwrap();
    let entries = extract(resource_type, resource, BASE).into_iter();
    entries.filter(|entry| entry.parameter.code == code).map(|entry| entry.value).collect()
}

fn token<'a>(system: &'a str, code: &'a str) -> IndexValue<'a> {
    IndexValue::Token { system: Some(system).filter(|s| !s.is_empty()), code: Some(code).filter(|c| !c.is_empty()) }
}

fn text(written: &str, folded: &str) -> IndexValue<'static> {
    IndexValue::Text { written: String::from(written).leak(), folded: folded.into() }
}

#[test]
fn a_concept_is_found_by_each_coding_and_by_what_people_read() {
    let observation = json!({ "resourceType": "Observation", "status": "final", "code": { "text": "Heart Rate",
        "coding": [{ "system": "http://loinc.org", "code": "8867-4", "display": "Puls" }, { "code": "hr" }, { "system": "urn:x" }, {}] } });
    assert_eq!(
        found(&observation, "code"),
        [
            token("http://loinc.org", "8867-4"),
            IndexValue::TokenText("puls".into()),
            token("", "hr"),
            token("urn:x", ""),
            IndexValue::TokenText("heart rate".into()),
        ]
    );
    assert_eq!(found(&observation, "status"), [token("http://hl7.org/fhir/observation-status", "final")]);
}

#[test]
fn an_identifier_is_found_by_its_type_too() {
    let patient = json!({ "resourceType": "Patient", "identifier": [{ "system": "urn:s", "value": "7",
        "type": { "text": "Number", "coding": [{ "system": "urn:t", "code": "MR" }] } }, { "value": "8" }, {}] });
    assert_eq!(
        found(&patient, "identifier"),
        [
            token("urn:s", "7"),
            IndexValue::TokenText("number".into()),
            IndexValue::TokenOfType { system: Some("urn:t"), code: "MR", value: "7" },
            token("", "8"),
        ]
    );
}

#[test]
fn a_name_is_found_by_its_parts_and_as_it_is_spoken() {
    let patient = json!({ "resourceType": "Patient",
        "name": [{ "family": "Müller", "given": ["Åsa", "B."], "prefix": ["Dr."] }, { "text": "Bo" }] });
    assert_eq!(
        found(&patient, "name"),
        [
            text("Müller", "muller"),
            text("Åsa", "asa"),
            text("B.", "b"),
            text("Dr.", "dr"),
            IndexValue::Whole("asa b muller".into()),
            text("Bo", "bo"),
        ]
    );
    assert_eq!(found(&patient, "given"), [text("Åsa", "asa"), text("B.", "b")]);
    let address =
        json!({ "resourceType": "Patient", "address": [{ "line": ["1 Ash St"], "city": "Ely", "use": "home" }] });
    assert_eq!(found(&address, "address"), [text("1 Ash St", "1 ash st"), text("Ely", "ely")]);
    assert_eq!(found(&address, "address-use"), [token("http://hl7.org/fhir/address-use", "home")]);
}

#[test]
fn a_reference_is_the_same_however_it_is_spelt() {
    for (reference, target, version) in [
        ("Patient/1", Target::Local(ResourceType::Patient, "1"), None),
        ("Patient/1/_history/2", Target::Local(ResourceType::Patient, "1"), Some("2")),
        ("https://records.example/fhir/Patient/1", Target::Local(ResourceType::Patient, "1"), None),
        ("https://x.example/Patient/1", Target::Url("https://x.example/Patient/1"), None),
        ("urn:uuid:1", Target::Url("urn:uuid:1"), None),
        ("#p", Target::Contained("p"), None),
    ] {
        let observation = json!({ "resourceType": "Observation", "subject": { "reference": reference },
            "contained": [{ "resourceType": "Patient", "id": "p" }] });
        let value = IndexValue::Reference { target, version };
        assert_eq!(found(&observation, "subject"), std::slice::from_ref(&value), "{reference}");
        let patients = if reference.starts_with("urn") { vec![] } else { vec![value] };
        assert_eq!(found(&observation, "patient"), patients, "{reference}");
    }
    let other = json!({ "resourceType": "Observation", "subject": { "reference": "Group/1" } });
    assert_eq!(found(&other, "patient"), []);
    let hinted = json!({ "resourceType": "Observation", "subject": { "reference": "urn:uuid:1", "type": "Patient" } });
    assert_eq!(found(&hinted, "patient").len(), 1);
}

#[test]
fn a_reference_by_identifier_is_kept_for_that() {
    let subject = json!({ "identifier": { "system": "urn:s", "value": "7" }, "display": "Amina" });
    let observation = json!({ "resourceType": "Observation", "subject": subject });
    assert_eq!(found(&observation, "patient"), []);
    let mut hinted = observation.clone();
    hinted["subject"]["type"] = json!("Patient");
    assert_eq!(found(&hinted, "patient").len(), 1);
    assert_eq!(found(&observation, "subject"), [IndexValue::Identifier { system: Some("urn:s"), value: "7" }]);
}

#[test]
fn a_canonical_has_a_version_behind_its_bar() {
    let response = json!({ "resourceType": "QuestionnaireResponse", "questionnaire": "http://x.example/q|2",
        "meta": { "profile": ["http://x.example/p|1", "http://x.example/p"] } });
    let target = Target::Url("http://x.example/q");
    assert_eq!(found(&response, "questionnaire"), [IndexValue::Reference { target, version: Some("2") }]);
    let uri = |version| IndexValue::Uri { uri: "http://x.example/p", version };
    assert_eq!(found(&response, "_profile"), [uri(Some("1")), uri(None)]);
}

#[test]
fn times_are_spans() {
    let date = |member: &str, value: Value| {
        let observation = json!({ "resourceType": "Observation", member: value });
        match found(&observation, "date")[..] {
            [] => None,
            [IndexValue::Date(span)] => Some(span),
            ref other => panic!("{other:?}"),
        }
    };
    let (may, day) = (Span::read("2020-05").unwrap(), Span::read("2020-05-31").unwrap());
    assert_eq!(date("effectiveDateTime", json!("2020-05")), Some(may));
    assert_eq!(date("effectivePeriod", json!({ "start": "2020-05", "end": "2020-05-31" })), Some(may));
    assert_eq!(date("effectivePeriod", json!({ "end": "2020-05-31" })), Some(Span { low: i64::MIN, ..day }));
    assert_eq!(date("effectivePeriod", json!({ "start": "2020-05-31" })), Some(Span { high: i64::MAX, ..day }));
    assert_eq!(date("effectiveTiming", json!({ "event": ["2020-05-31", "2020-05-01"] })), Some(may));
    let bounds = json!({ "repeat": { "boundsPeriod": { "start": "2020-05-01", "end": "2020-05" } } });
    assert_eq!(date("effectiveTiming", bounds), Some(may));
    for nothing in [json!({}), json!("soon"), json!({ "start": "soon", "end": "2020" }), json!(7)] {
        assert_eq!(date("effectivePeriod", nothing.clone()), None, "{nothing}");
        assert_eq!(date("effectiveDateTime", nothing), None);
    }
}

#[test]
fn a_quantity_is_found_as_written_and_in_base_units() {
    let observation = json!({ "resourceType": "Observation",
        "valueQuantity": { "value": 5.4, "unit": "mg", "system": "http://unitsofmeasure.org", "code": "mg" } });
    let [IndexValue::Quantity(amount)] = &found(&observation, "value-quantity")[..] else { panic!() };
    assert_eq!(amount.written, Interval::point(5.4));
    assert_eq!((amount.system, amount.code, amount.unit), (Some("http://unitsofmeasure.org"), Some("mg"), Some("mg")));
    assert_eq!(amount.canonical, Some((Interval::point(0.0054), "g".into())));

    let below =
        json!({ "resourceType": "Observation", "valueQuantity": { "value": 5, "comparator": "<", "unit": "pt" } });
    let [IndexValue::Quantity(amount)] = &found(&below, "value-quantity")[..] else { panic!() };
    assert!(amount.written.low == f64::NEG_INFINITY && amount.written.high < 5.0 && amount.canonical.is_none());

    let samples = json!({ "resourceType": "Observation",
        "valueSampledData": { "origin": { "value": 2 }, "factor": 0.5, "data": "4 E -2 8" } });
    let [IndexValue::Quantity(amount)] = &found(&samples, "value-quantity")[..] else { panic!() };
    assert_eq!(amount.written, Interval { low: 1.0, high: 6.0 });
}

#[test]
fn an_instance_of_a_composite_has_a_value_for_each_component() {
    let pressure = |code: &str, value: i32| json!({ "code": { "text": "x", "coding": [{ "code": code }] }, "valueQuantity": { "value": value } });
    let observation = json!({ "resourceType": "Observation", "code": { "coding": [{ "code": "bp" }] },
        "component": [pressure("sys", 120), pressure("dia", 80), { "code": { "coding": [{ "code": "none" }] } }] });
    let instances = found(&observation, "combo-code-value-quantity");
    let codes: Vec<_> = instances
        .iter()
        .map(|instance| match instance {
            IndexValue::Composite(parts) => parts[0].clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    assert_eq!(codes, [[token("", "sys")], [token("", "dia")]]);
}

#[test]
fn somebody_who_is_not_said_to_be_dead_is_alive() {
    for (patient, truth) in [
        (json!({ "resourceType": "Patient" }), "false"),
        (json!({ "resourceType": "Patient", "deceasedBoolean": false }), "false"),
        (json!({ "resourceType": "Patient", "deceasedBoolean": true }), "true"),
        (json!({ "resourceType": "Patient", "deceasedDateTime": "2020" }), "true"),
    ] {
        assert_eq!(found(&patient, "deceased"), [token("", truth)], "{patient}");
    }
}

#[test]
fn what_is_contained_has_values_of_its_own() {
    let observation = json!({ "resourceType": "Observation", "contained": [
        { "resourceType": "Patient", "id": "p", "active": true }, { "resourceType": "Patient" }, { "id": "x" }, 7] });
    let inner = contained(&observation, BASE);
    assert_eq!(inner.len(), 1);
    assert_eq!((inner[0].resource_type, inner[0].id), (ResourceType::Patient, "p"));
    assert!(inner[0].entries.iter().any(|entry| entry.parameter.code == "active" && entry.value == token("", "true")));
    assert!(extract(ResourceType::Observation, &observation, BASE).is_empty());
}

#[test]
fn what_is_of_another_shape_than_fhirs_is_passed_over() {
    for odd in [json!(null), json!(7), json!("x"), json!([[]]), json!([null, 7]), json!({ "coding": "x", "system": 7 })]
    {
        let observation = json!({ "resourceType": "Observation", "code": odd, "subject": odd, "effectivePeriod": odd,
            "valueQuantity": odd, "identifier": odd, "component": odd, "meta": odd, "contained": odd });
        assert_eq!(extract(ResourceType::Observation, &observation, BASE), [], "{odd}");
        let _ = contained(&observation, BASE);
    }
}
