//! What is found wrong with resources, where, and what is not.

use super::{Expectation, validate};
use crate::issue::{Class, class};
use crate::limits::Shape;
use crate::types::ResourceType;
use serde_json::{Value, json};

pub(super) const EXPECTATION: Expectation<'static> =
    Expectation { resource_type: None, id: None, shape: Shape { depth: 64, values: 200_000 }, issues: 100 };

/// Code and element of every issue.
pub(super) fn issues(resource: &Value) -> Vec<(&'static str, String)> {
    let all = validate(&resource.to_string(), &EXPECTATION);
    all.into_iter().map(|issue| (issue.code.name(), issue.expression)).collect()
}

/// A patient who is well, with these members changed; null takes one away.
pub(super) fn patient(changes: Value) -> Value {
    let mut patient = json!({ "resourceType": "Patient", "id": "a", "active": true,
        "text": { "status": "generated", "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\">Amina</div>" },
        "name": [{ "family": "One", "given": ["A", "B"] }], "gender": "female", "birthDate": "1970-01-01" });
    for (name, value) in changes.as_object().unwrap() {
        if value.is_null() {
            patient.as_object_mut().unwrap().remove(name);
        } else {
            patient[name] = value.clone();
        }
    }
    patient
}

fn observation(changes: &Value) -> Value {
    let mut observation = json!({ "resourceType": "Observation", "status": "final", "code": { "text": "x" } });
    let more = changes.as_object().unwrap().clone();
    observation.as_object_mut().unwrap().extend(more);
    observation
}

#[test]
fn a_good_resource_has_no_issue() {
    for good in [
        patient(json!({})),
        patient(
            json!({ "deceasedBoolean": false, "_birthDate": { "extension": [{ "url": "urn:x", "valueTime": "12:00:00" }] } }),
        ),
        patient(
            json!({ "birthDate": null, "_birthDate": { "extension": [{ "url": "urn:x", "valueCode": "unknown" }] } }),
        ),
        patient(json!({ "name": [{ "given": ["A", null], "_given": [null, { "id": "b" }] }] })),
        patient(json!({ "generalPractitioner": [{ "reference": "#d" }],
            "contained": [{ "resourceType": "Practitioner", "id": "d", "name": [{ "text": "D" }] }] })),
        patient(json!({ "contact": [{ "name": { "text": "C" }, "period": { "start": "2020", "end": "2020-06" } }] })),
        observation(
            &json!({ "valueQuantity": { "value": 1.50, "unit": "mg" }, "subject": { "reference": "Patient/a" } }),
        ),
        observation(
            &json!({ "_status": { "id": "s" }, "subject": { "reference": "urn:uuid:x" }, "effectiveDateTime": "2020" }),
        ),
        observation(&json!({ "focus": [{ "reference": "https://x.example/y" }] })),
        json!({ "resourceType": "Bundle", "type": "collection", "entry": [{ "resource": patient(json!({})) }] }),
        json!({ "resourceType": "Binary", "contentType": "application/pdf", "data": "aGk=" }),
    ] {
        assert_eq!(issues(&good), [], "{good}");
    }
}

#[test]
fn everything_that_is_wrong_is_told_at_once_with_its_element() {
    let wrong = patient(json!({
        "surname": "x", "active": "yes", "gender": "f", "birthDate": "1970-02-30",
        "name": [{ "given": ["A", ""] }, { "period": { "start": "2021", "end": "2020" } }],
        "contact": [{ "gender": "male" }], "communication": [{ "preferred": true }],
        "deceasedBoolean": true, "deceasedDateTime": "2020", "telecom": {}, "multipleBirthInteger": [1], "photo": [],
        "managingOrganization": { "reference": "Patient/b" }, "_name": [{}], "maritalStatus": {} }));
    let mut found = issues(&wrong);
    found.sort_by(|one, other| one.1.cmp(&other.1));
    let expected = [
        ("structure", "Patient._name"),
        ("structure", "Patient.active"),
        ("value", "Patient.birthDate"),
        ("required", "Patient.communication[0].language"),
        ("invariant", "Patient.contact[0]"),
        ("structure", "Patient.deceased"),
        ("code-invalid", "Patient.gender"),
        ("value", "Patient.managingOrganization"),
        ("structure", "Patient.maritalStatus"),
        ("structure", "Patient.multipleBirth"),
        ("value", "Patient.name[0].given[1]"),
        ("invariant", "Patient.name[1].period"),
        ("structure", "Patient.photo"),
        ("structure", "Patient.surname"),
        ("structure", "Patient.telecom"),
    ];
    assert_eq!(found, expected.map(|(code, element)| (code, element.to_owned())));
}

#[test]
fn nulls_and_companions_are_held_to_their_places() {
    for (change, element) in [
        (json!({ "active": Value::Null }), "Patient.active"),
        (json!({ "name": [null] }), "Patient.name[0]"),
        (json!({ "name": [{ "given": ["A", null] }] }), "Patient.name[0].given[1]"),
        (json!({ "name": [{ "given": ["A", null], "_given": [null] }] }), "Patient.name[0].given[1]"),
        (json!({ "name": [{ "given": ["A"], "_given": [null, null] }] }), "Patient.name[0].given[1]"),
        (json!({ "_birthDate": {} }), "Patient.birthDate"),
        (json!({ "_birthDate": { "value": "x" } }), "Patient.birthDate.value"),
        (json!({ "_birthDate": "x" }), "Patient.birthDate"),
        (json!({ "_birthDate": [{}] }), "Patient.birthDate"),
        (json!({ "_contact": [{}] }), "Patient._contact"),
        (json!({ "_resourceType": {} }), "Patient._resourceType"),
    ] {
        let mut wrong = patient(json!({}));
        wrong.as_object_mut().unwrap().extend(change.as_object().unwrap().clone());
        let found = issues(&wrong);
        assert!(found.iter().any(|(code, place)| *code == "structure" && place == element), "{change}: {found:?}");
    }
}

#[test]
fn invariants_are_named_by_their_keys() {
    let text = |resource: &Value| {
        validate(&resource.to_string(), &EXPECTATION).into_iter().map(|issue| issue.text).collect::<String>()
    };
    let coding = json!({ "coding": [{ "system": "urn:x", "code": "1" }] });
    for (key, wrong) in [
        ("obs-6", observation(&json!({ "dataAbsentReason": { "text": "x" }, "valueString": "x" }))),
        (
            "obs-7",
            observation(
                &json!({ "code": coding, "valueString": "x", "component": [{ "code": coding, "valueString": "y" }] }),
            ),
        ),
        ("obs-3", observation(&json!({ "referenceRange": [{ "age": { "low": { "value": 1 } } }] }))),
        (
            "rng-2",
            observation(
                &json!({ "valueRange": { "low": { "value": 2.0, "unit": "g" }, "high": { "value": 1.99, "unit": "g" } } }),
            ),
        ),
        ("qty-3", observation(&json!({ "valueQuantity": { "value": 1, "code": "mg" } }))),
        ("ext-1", patient(json!({ "extension": [{ "url": "urn:x" }] }))),
        (
            "ext-1",
            patient(
                json!({ "extension": [{ "url": "urn:x", "valueCode": "a", "extension": [{ "url": "y", "valueCode": "b" }] }] }),
            ),
        ),
        ("ref-1", observation(&json!({ "subject": { "reference": "#p" } }))),
        (
            "txt-1",
            patient(
                json!({ "text": { "status": "generated", "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\"><script>x</script></div>" } }),
            ),
        ),
        (
            "txt-2",
            patient(
                json!({ "text": { "status": "generated", "div": "<div xmlns=\"http://www.w3.org/1999/xhtml\"> </div>" } }),
            ),
        ),
        (
            "dom-2",
            patient(
                json!({ "contained": [{ "resourceType": "Basic", "id": "b", "code": { "text": "x" }, "contained": [
            { "resourceType": "Basic", "id": "c", "code": { "text": "x" } }] }] }),
            ),
        ),
        ("dom-3", patient(json!({ "contained": [{ "resourceType": "Practitioner", "id": "d" }] }))),
        (
            "dom-4",
            patient(
                json!({ "contained": [{ "resourceType": "Practitioner", "id": "d", "meta": { "versionId": "1" } }] }),
            ),
        ),
        (
            "dom-5",
            patient(
                json!({ "contained": [{ "resourceType": "Practitioner", "id": "d", "meta": { "security": [{ "code": "R" }] } }] }),
            ),
        ),
        (
            "app-2",
            json!({ "resourceType": "Appointment", "status": "proposed", "start": "2020-01-01T00:00:00Z", "participant": [{ "status": "accepted", "type": [{ "text": "x" }] }] }),
        ),
        (
            "bdl-11",
            json!({ "resourceType": "Bundle", "type": "document", "timestamp": "2020-01-01T00:00:00Z",
            "identifier": { "system": "urn:x", "value": "1" }, "entry": [{ "resource": patient(json!({})) }] }),
        ),
    ] {
        assert!(text(&wrong).contains(&format!("{key}:")), "{key}: {:?}", text(&wrong));
    }
}

#[test]
fn what_is_no_fhir_is_told_apart_from_fhir_that_breaks_a_rule() {
    let asked = Expectation { resource_type: Some(ResourceType::Patient), id: Some("a"), ..EXPECTATION };
    for (text, expected) in [
        ("{", Some(Class::NotFhir)),
        ("[]", Some(Class::NotFhir)),
        ("{}", Some(Class::NotFhir)),
        (r#"{"resourceType":"Patient","id":"a","id":"a"}"#, Some(Class::NotFhir)),
        (r#"{"resourceType":"Horse","id":"a"}"#, Some(Class::NotFhir)),
        (r#"{"resourceType":"Person","id":"a"}"#, Some(Class::NotFhir)),
        (r#"{"resourceType":"Patient","id":"b"}"#, Some(Class::NotFhir)),
        (r#"{"resourceType":"Patient"}"#, Some(Class::NotFhir)),
        (r#"{"resourceType":"Patient","id":"a","contained":[{"id":"x"}]}"#, Some(Class::NotFhir)),
        (r#"{"resourceType":"Patient","id":"a","active":1}"#, Some(Class::BreaksRule)),
        (r#"{"resourceType":"Patient","id":"a"}"#, None),
    ] {
        assert_eq!(class(&validate(text, &asked)), expected, "{text}");
    }
    let deep = format!("{}1{}", "[".repeat(65), "]".repeat(65));
    assert_eq!(class(&validate(&deep, &EXPECTATION)), Some(Class::NotFhir));
}

#[test]
fn whoever_sends_a_million_faults_hears_of_the_first() {
    let wrong = patient(json!({ "name": vec![json!({ "x": 1 }); 1000] }));
    assert_eq!(issues(&wrong).len(), 100);
    let long = "x".repeat(10_000);
    let found = validate(&json!({ "resourceType": "Patient", &long: 1 }).to_string(), &EXPECTATION);
    assert!(found[0].expression.len() < 100 && found[0].text.len() < 200);
}

#[test]
fn an_element_in_another_resource_is_named_through_it() {
    let bundle = json!({ "resourceType": "Bundle", "type": "collection",
        "entry": [{ "resource": patient(json!({ "gender": "f" })) }, { "resource": { "resourceType": "Basic" } }] });
    assert_eq!(
        issues(&bundle),
        [
            ("code-invalid", "Bundle.entry[0].resource.gender".into()),
            ("required", "Bundle.entry[1].resource.code".into())
        ]
    );
    let container = patient(json!({ "generalPractitioner": [{ "reference": "#d" }],
        "contained": [{ "resourceType": "Practitioner", "id": "d", "gender": "x" }] }));
    assert_eq!(issues(&container), [("code-invalid", "Patient.contained[0].gender".into())]);
    let alone = json!({ "resourceType": "Bundle", "type": "collection", "entry": [
        { "resource": observation(&json!({ "subject": { "reference": "#p" } })) }, { "resource": patient(json!({ "id": "p" })) }] });
    assert_eq!(issues(&alone), [("invariant", "Bundle.entry[0].resource.subject".into())]);
}

#[test]
fn a_reference_is_of_a_form_that_r4_has_and_by_criteria_only_inside_of_a_transaction() {
    let about = |reference: &str| observation(&json!({ "subject": { "reference": reference } }));
    for wrong in ["amina", "patient/1", "/Patient/1", "Patient/1 ", "Patient?identifier=x", ""] {
        assert!(issues(&about(wrong)).iter().any(|(_, place)| place.starts_with("Observation.subject")), "{wrong}");
    }
    for right in
        ["Patient/1", "Patient/1/_history/2", "https://x.example/y", "urn:uuid:61ebe359-bfdc-4613-8bf2-c5e300945f0a"]
    {
        assert_eq!(issues(&about(right)), []);
    }
    let bundle = |kind: &str, reference: &str| {
        json!({ "resourceType": "Bundle", "type": kind, "entry": [{ "resource": about(reference),
            "request": { "method": "POST", "url": "Observation" } }] })
    };
    assert_eq!(issues(&bundle("transaction", "Patient?identifier=x")), []);
    assert_eq!(issues(&bundle("transaction", "Nothing?identifier=x")).len(), 1);
    assert_eq!(
        issues(&bundle("batch", "Patient?identifier=x")),
        [("value", "Bundle.entry[0].resource.subject".into())]
    );
}
