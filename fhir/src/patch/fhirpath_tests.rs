//! FHIRPath Patch: what each operation does to the elements that its path selects.

use crate::issue::{Class, Issue, IssueCode};
use crate::limits::Shape;
use crate::patch::{Bounds, PatchKind, apply};
use proptest::prelude::*;
use serde_json::{Value, json};

const BOUNDS: Bounds =
    Bounds { operations: 100, shape: Shape { depth: 32, values: 200_000 }, bytes: 20_000, steps: 100_000 };

fn patient() -> Value {
    json!({ "resourceType": "Patient", "id": "a", "active": true, "birthDate": "1970-01-01",
        "name": [{ "use": "official", "family": "One", "given": ["A", "B", "C"], "_given": [null, { "id": "b" }, null] },
            { "use": "usual", "family": "Two" }],
        "contact": [{ "name": { "text": "T" }, "gender": "male" }],
        "deceasedBoolean": false,
        "extension": [{ "url": "urn:a", "valueString": "x" }, { "url": "urn:b", "valueString": "y" }] })
}

fn patch(operations: &[Value]) -> Value {
    let parameter = |parts: &Value| {
        let parts = parts.as_object().unwrap().iter().map(|(name, value)| match value {
            Value::String(text) => json!({ "name": name, "valueString": text }),
            Value::Number(number) => json!({ "name": name, "valueInteger": number }),
            value => {
                let mut part = value.clone();
                part["name"] = json!(name);
                part
            }
        });
        json!({ "name": "operation", "part": parts.collect::<Vec<_>>() })
    };
    json!({ "resourceType": "Parameters", "parameter": operations.iter().map(parameter).collect::<Vec<_>>() })
}

fn result(operation: &Value) -> Result<Value, Vec<Issue>> {
    let body = patch(std::slice::from_ref(operation)).to_string();
    let text = apply(PatchKind::FhirPathPatch, &patient().to_string(), body.as_bytes(), &BOUNDS)?;
    Ok(serde_json::from_str(&text).unwrap())
}

fn check(operation: &Value, pointer: &str, expected: Option<Value>) {
    let after = result(operation).unwrap_or_else(|issues| panic!("{operation}: {issues:?}"));
    assert_eq!(after.pointer(pointer), expected.as_ref(), "{operation}");
}

#[test]
fn add_appends_to_what_can_be_repeated_and_sets_what_cannot() {
    for (path, name, value, pointer, expected) in [
        ("Patient", "gender", json!({ "valueCode": "female" }), "/gender", json!("female")),
        ("Patient", "name", json!({ "valueHumanName": { "text": "N" } }), "/name/2", json!({ "text": "N" })),
        ("Patient", "telecom", json!({ "valueContactPoint": { "value": "1" } }), "/telecom", json!([{ "value": "1" }])),
        ("Patient", "multipleBirth", json!({ "valueInteger": 2 }), "/multipleBirthInteger", json!(2)),
        ("Patient.name[1]", "given", json!({ "valueString": "Z" }), "/name/1/given", json!(["Z"])),
        (
            "Patient.name.where(use = 'official')",
            "given",
            json!({ "valueString": "Z" }),
            "/name/0/_given",
            json!([null, { "id": "b" }, null, null]),
        ),
        ("Patient.contact.first()", "name", json!({ "valueHumanName": {} }), "", json!(null)),
        (
            "Patient",
            "contact",
            json!({ "part": [{ "name": "gender", "valueCode": "female" },
            { "name": "name", "valueHumanName": { "text": "P" } }] }),
            "/contact/1",
            json!({ "gender": "female", "name": { "text": "P" } }),
        ),
        (
            "Patient.birthDate",
            "extension",
            json!({ "valueExtension": { "url": "urn:c", "valueCode": "x" } }),
            "/_birthDate",
            json!({ "extension": [{ "url": "urn:c", "valueCode": "x" }] }),
        ),
        (
            "Patient.name[0].given[2]",
            "extension",
            json!({ "valueExtension": { "url": "urn:c", "valueCode": "x" } }),
            "/name/0/_given/2",
            json!({ "extension": [{ "url": "urn:c", "valueCode": "x" }] }),
        ),
        (
            "Patient",
            "contained",
            json!({ "resource": { "resourceType": "Organization", "id": "o" } }),
            "/contained/0/id",
            json!("o"),
        ),
    ] {
        let operation = json!({ "type": "add", "path": path, "name": name, "value": value });
        if pointer.is_empty() {
            assert_eq!(result(&operation).unwrap_err()[0].code, IssueCode::Value, "{operation}");
        } else {
            check(&operation, pointer, Some(expected));
        }
    }
}

#[test]
fn insert_and_move_keep_what_hangs_on_a_primitive_beside_it() {
    let insert = |index: usize| json!({ "type": "insert", "path": "Patient.name[0].given", "value": { "valueString": "N" }, "index": index });
    check(&insert(0), "/name/0/given", Some(json!(["N", "A", "B", "C"])));
    check(&insert(0), "/name/0/_given", Some(json!([null, null, { "id": "b" }, null])));
    check(&insert(3), "/name/0/given/3", Some(json!("N")));
    assert_eq!(result(&insert(4)).unwrap_err()[0].code, IssueCode::NotFound);
    let shift = |source: usize, destination: usize| json!({ "type": "move", "path": "Patient.name[0].given", "source": source, "destination": destination });
    check(&shift(1, 0), "/name/0/given", Some(json!(["B", "A", "C"])));
    check(&shift(1, 0), "/name/0/_given", Some(json!([{ "id": "b" }, null, null])));
    assert_eq!(result(&shift(0, 3)).unwrap_err()[0].code, IssueCode::NotFound);
    check(
        &json!({ "type": "insert", "path": "Patient.photo", "value": { "valueAttachment": { "title": "t" } }, "index": 0 }),
        "/photo",
        Some(json!([{ "title": "t" }])),
    );
    assert_eq!(
        result(&json!({ "type": "insert", "path": "Patient.gender", "value": { "valueCode": "male" }, "index": 0 }))
            .unwrap_err()[0]
            .code,
        IssueCode::Value
    );
}

#[test]
fn delete_takes_one_element_away_and_nothing_is_fine_but_several_are_not() {
    for (path, pointer, expected) in [
        ("Patient.birthDate", "/birthDate", None),
        ("Patient.deceased", "/deceasedBoolean", None),
        ("Patient.name.where(use = 'usual')", "/name/1", None),
        ("Patient.name[0].given[1]", "/name/0/_given", None),
        ("Patient.name[0].given.where($this = 'B')", "/name/0/given", Some(json!(["A", "C"]))),
        ("Patient.extension('urn:a')", "/extension/0/url", Some(json!("urn:b"))),
        ("Patient.deceased.ofType(dateTime)", "/deceasedBoolean", Some(json!(false))),
        ("Patient.gender", "/active", Some(json!(true))),
        ("Patient.name[7].family", "/active", Some(json!(true))),
        ("Patient.contact", "/contact", None),
    ] {
        check(&json!({ "type": "delete", "path": path }), pointer, expected);
    }
    let issues = result(&json!({ "type": "delete", "path": "Patient.name" })).unwrap_err();
    assert_eq!((issues[0].code, issues[0].class), (IssueCode::MultipleMatches, Class::BreaksRule));
}

#[test]
fn replace_changes_exactly_one_element_and_a_choice_its_type() {
    for (path, value, pointer, expected) in [
        ("Patient.birthDate", json!({ "valueDate": "1980" }), "/birthDate", Some(json!("1980"))),
        ("Patient.deceased", json!({ "valueDateTime": "2020" }), "/deceasedBoolean", None),
        ("Patient.deceased", json!({ "valueDateTime": "2020" }), "/deceasedDateTime", Some(json!("2020"))),
        ("Patient.name[0].given[1]", json!({ "valueString": "N" }), "/name/0/_given", None),
        ("Patient.contact[0].gender", json!({ "valueCode": "female" }), "/contact/0/gender", Some(json!("female"))),
        ("name.where(use = 'usual').family", json!({ "valueString": "N" }), "/name/1/family", Some(json!("N"))),
        (
            "Patient.extension('urn:b').value",
            json!({ "valueCode": "z" }),
            "/extension/1",
            Some(json!({ "url": "urn:b", "valueCode": "z" })),
        ),
    ] {
        check(&json!({ "type": "replace", "path": path, "value": value }), pointer, expected);
    }
    for (path, value, code) in [
        ("Patient.gender", json!({ "valueCode": "male" }), IssueCode::NotFound),
        ("Patient.name", json!({ "valueHumanName": {} }), IssueCode::MultipleMatches),
        ("Patient.deceased", json!({ "valueQuantity": {} }), IssueCode::Value),
        ("Patient.surname", json!({ "valueString": "x" }), IssueCode::Value),
        ("Patient", json!({ "valueString": "x" }), IssueCode::Processing),
        ("Patient.id", json!({ "valueId": "other" }), IssueCode::Value),
        ("Person.name", json!({ "valueString": "x" }), IssueCode::Value),
    ] {
        let issues = result(&json!({ "type": "replace", "path": path, "value": value })).unwrap_err();
        assert_eq!(issues[0].code, code, "{path}: {issues:?}");
    }
}

#[test]
fn operations_that_cannot_be_read_are_all_told_with_their_place() {
    let body = patch(&[
        json!({ "type": "jump", "path": "Patient" }),
        json!({ "type": "delete", "path": "Patient.name.exists()" }),
        json!({ "type": "delete" }),
        json!({ "type": "insert", "path": "Patient.name", "value": { "valueHumanName": {} }, "index": "0" }),
        json!({ "type": "delete", "path": "Patient.birthDate" }),
    ]);
    let issues =
        apply(PatchKind::FhirPathPatch, &patient().to_string(), body.to_string().as_bytes(), &BOUNDS).unwrap_err();
    let places: Vec<_> = issues.iter().map(|issue| issue.expression.as_str()).collect();
    assert_eq!(
        places,
        ["Parameters.parameter[0]", "Parameters.parameter[1]", "Parameters.parameter[2]", "Parameters.parameter[3]"]
    );
    assert!(issues[1].text.contains("exists()"), "{}", issues[1].text);
}

#[test]
fn operations_follow_one_another_and_one_that_fails_undoes_all() {
    let first = json!({ "type": "delete", "path": "Patient.name[0]" });
    let second = json!({ "type": "replace", "path": "Patient.name[0].family", "value": { "valueString": "N" } });
    let text = apply(
        PatchKind::FhirPathPatch,
        &patient().to_string(),
        patch(&[first.clone(), second]).to_string().as_bytes(),
        &BOUNDS,
    );
    let after: Value = serde_json::from_str(&text.unwrap()).unwrap();
    assert_eq!(after["name"], json!([{ "use": "usual", "family": "N" }]));
    let failing =
        patch(&[first, json!({ "type": "replace", "path": "Patient.name[1]", "value": { "valueHumanName": {} } })]);
    let issues =
        apply(PatchKind::FhirPathPatch, &patient().to_string(), failing.to_string().as_bytes(), &BOUNDS).unwrap_err();
    assert_eq!(issues[0].expression, "Parameters.parameter[1]");
}

#[test]
fn a_path_over_a_large_resource_is_not_walked_without_end() {
    let mut large = patient();
    large["name"] = vec![json!({ "use": "usual" }); 400].into();
    let operations = vec![json!({ "type": "delete", "path": "Patient.name.where(use = 'official')" }); 100];
    let little = Bounds { steps: 10_000, ..BOUNDS };
    let issues =
        apply(PatchKind::FhirPathPatch, &large.to_string(), patch(&operations).to_string().as_bytes(), &little)
            .unwrap_err();
    assert_eq!(issues[0].code, IssueCode::TooCostly);
}

#[test]
fn a_value_of_very_many_parts_takes_no_longer_than_it_is_long() {
    let parts = vec![json!({ "name": "relationship", "valueCodeableConcept": { "text": "x" } }); 20_000];
    let operation = json!({ "type": "add", "path": "Patient", "name": "contact", "value": { "part": parts } });
    let wide = Bounds { bytes: 10_000_000, ..BOUNDS };
    let text =
        apply(PatchKind::FhirPathPatch, &patient().to_string(), patch(&[operation]).to_string().as_bytes(), &wide);
    let after: Value = serde_json::from_str(&text.unwrap()).unwrap();
    assert_eq!(after["contact"][1]["relationship"].as_array().unwrap().len(), 20_000);
}

#[test]
fn an_item_is_moved_to_the_place_that_it_has_afterwards() {
    let current = json!({ "resourceType": "Patient", "id": "a", "name": [{ "given": ["1", "2", "3", "4"] }] });
    for (moves, expected) in [
        (vec![(3, 1)], ["1", "4", "2", "3"]),
        (vec![(3, 0)], ["4", "1", "2", "3"]),
        (vec![(0, 3)], ["2", "3", "4", "1"]),
        (vec![(1, 1)], ["1", "2", "3", "4"]),
        (vec![(3, 0), (3, 1), (3, 2)], ["4", "3", "2", "1"]),
    ] {
        let operation = |(source, destination): &(usize, usize)| {
            json!({ "type": "move", "path": "Patient.name[0].given",
            "source": source, "destination": destination })
        };
        let body = patch(&moves.iter().map(operation).collect::<Vec<_>>()).to_string();
        let text = apply(PatchKind::FhirPathPatch, &current.to_string(), body.as_bytes(), &BOUNDS).unwrap();
        let after: Value = serde_json::from_str(&text).unwrap();
        assert_eq!(after["name"][0]["given"], json!(expected), "{moves:?}");
    }
}

#[test]
fn what_is_left_empty_is_gone_and_nothing_is_added_to_what_is_not_there() {
    check(
        &json!({ "type": "delete", "path": "Patient.contact[0].name.text" }),
        "/contact/0",
        Some(json!({ "gender": "male" })),
    );
    let missing =
        json!({ "type": "add", "path": "Patient.name[0].period", "name": "end", "value": { "valueDateTime": "2020" } });
    assert_eq!(result(&missing).unwrap_err()[0].code, IssueCode::NotFound);
}

proptest! {
    #[test]
    fn what_is_inserted_and_deleted_again_leaves_the_resource_as_it_was(index in 0..4usize, text in "[a-z]{1,4}") {
        let insert = json!({ "type": "insert", "path": "Patient.name[0].given", "value": { "valueString": text }, "index": index });
        let delete = json!({ "type": "delete", "path": format!("Patient.name[0].given[{index}]") });
        let current = patient().to_string();
        let body = patch(&[insert, delete]).to_string();
        prop_assert_eq!(apply(PatchKind::FhirPathPatch, &current, body.as_bytes(), &BOUNDS).unwrap(), current);
    }
}
