//! JSON Patch, JSON Merge Patch, and what holds for every patch.

use super::apply;
use crate::issue::{Class, Issue, IssueCode};
use crate::limits::Shape;
use crate::patch::{Bounds, PatchKind};
use crate::strict;
use proptest::prelude::*;
use serde_json::{Value, json};

const BOUNDS: Bounds =
    Bounds { operations: 100, shape: Shape { depth: 32, values: 2000 }, bytes: 20_000, steps: 100_000 };
const PATIENT: &str = r#"{"resourceType":"Patient","id":"a","meta":{"versionId":"3","lastUpdated":"2024-01-01T00:00:00Z","tag":[{"code":"t"}]},"active":true,"name":[{"family":"One","given":["A","B"]},{"family":"Two"}],"multipleBirthInteger":2}"#;

fn patched(kind: PatchKind, patch: &Value) -> Value {
    let text = apply(kind, PATIENT, patch.to_string().as_bytes(), &BOUNDS);
    serde_json::from_str(&text.unwrap_or_else(|issues| panic!("{patch}: {issues:?}"))).unwrap()
}

fn refused(kind: PatchKind, patch: &str) -> Vec<Issue> {
    apply(kind, PATIENT, patch.as_bytes(), &BOUNDS).expect_err(patch)
}

fn original() -> Value {
    serde_json::from_str(PATIENT).unwrap()
}

#[test]
fn the_operations_of_json_patch_change_what_their_pointers_name() {
    for (patch, pointer, expected) in [
        (json!([{ "op": "add", "path": "/birthDate", "value": "1970-01-01" }]), "/birthDate", json!("1970-01-01")),
        (json!([{ "op": "add", "path": "/name/0/given/1", "value": "X" }]), "/name/0/given", json!(["A", "X", "B"])),
        (json!([{ "op": "add", "path": "/name/-", "value": { "text": "T" } }]), "/name/2", json!({ "text": "T" })),
        (json!([{ "op": "add", "path": "/active", "value": false }]), "/active", json!(false)),
        (json!([{ "op": "remove", "path": "/name/0" }]), "/name", json!([{ "family": "Two" }])),
        (json!([{ "op": "replace", "path": "/name/0/given/0", "value": "Z" }]), "/name/0/given", json!(["Z", "B"])),
        (json!([{ "op": "move", "from": "/name/0", "path": "/name/1" }]), "/name/0/family", json!("Two")),
        (json!([{ "op": "move", "from": "/name/0", "path": "/name/0" }]), "/name/0/family", json!("One")),
        (json!([{ "op": "copy", "from": "/name/1", "path": "/name/0" }]), "/name/0/family", json!("Two")),
        (json!([{ "op": "test", "path": "/multipleBirthInteger", "value": 2.0 }]), "/multipleBirthInteger", json!(2)),
        (json!([{ "op": "test", "path": "/name/1", "value": { "family": "Two" } }]), "/name/1/family", json!("Two")),
        (json!([{ "op": "remove", "path": "/name/1" }, { "op": "remove", "path": "/name/0" }]), "", {
            let mut without = original();
            without.as_object_mut().unwrap().remove("name");
            without
        }),
        (json!([]), "", original()),
    ] {
        assert_eq!(patched(PatchKind::JsonPatch, &patch).pointer(pointer), Some(&expected), "{patch}");
    }
}

#[test]
fn an_operation_that_cannot_be_done_breaks_a_rule_and_names_its_number() {
    for (patch, number) in [
        (json!([{ "op": "remove", "path": "/birthDate" }]), 0),
        (json!([{ "op": "replace", "path": "/birthDate", "value": "x" }]), 0),
        (json!([{ "op": "add", "path": "/name/3", "value": {} }]), 0),
        (json!([{ "op": "add", "path": "/contact/0", "value": {} }]), 0),
        (json!([{ "op": "add", "path": "/active/x", "value": {} }]), 0),
        (json!([{ "op": "remove", "path": "/name/01" }]), 0),
        (json!([{ "op": "remove", "path": "/name/-" }]), 0),
        (json!([{ "op": "remove", "path": "" }]), 0),
        (json!([{ "op": "move", "from": "/name", "path": "/name/0" }]), 0),
        (
            json!([{ "op": "test", "path": "/active", "value": true }, { "op": "test", "path": "/active", "value": false }]),
            1,
        ),
        (json!([{ "op": "copy", "from": "/x", "path": "/y" }]), 0),
    ] {
        let issues = refused(PatchKind::JsonPatch, &patch.to_string());
        assert_eq!(issues.len(), 1, "{patch}");
        assert_eq!(issues[0].class, Class::BreaksRule, "{patch}");
        assert!(issues[0].text.starts_with(&format!("operation {number} ")), "{patch}: {}", issues[0].text);
    }
}

#[test]
fn all_operations_that_cannot_be_read_are_told_at_once() {
    let patch = json!([{ "op": "jump", "path": "/a" }, { "op": "remove", "path": "a" }, { "op": "add", "path": "/a" }, 7,
        { "op": "move", "path": "/a" }, { "path": "/a" }, { "op": "remove", "path": "/active" }]);
    let issues = refused(PatchKind::JsonPatch, &patch.to_string());
    assert_eq!(issues.len(), 6);
    assert!(issues.iter().all(|issue| issue.class == Class::NotFhir), "{issues:?}");
}

#[test]
fn a_merge_patch_says_what_members_become() {
    for (patch, pointer, expected) in [
        (json!({ "active": false }), "/active", Some(json!(false))),
        (json!({ "active": null }), "/active", None),
        (json!({ "name": [{ "text": "T" }] }), "/name", Some(json!([{ "text": "T" }]))),
        (json!({ "maritalStatus": { "text": "x", "coding": null } }), "/maritalStatus", Some(json!({ "text": "x" }))),
        (json!({ "meta": { "tag": null } }), "/meta/versionId", Some(json!("3"))),
        (json!({ "name": [] }), "/name", None),
        (json!({ "nothing": null }), "/nothing", None),
        (json!({}), "", Some(original())),
    ] {
        assert_eq!(patched(PatchKind::MergePatch, &patch).pointer(pointer), expected.as_ref(), "{patch}");
    }
    for patch in ["[]", "null", "7", "\"x\""] {
        assert_eq!(refused(PatchKind::MergePatch, patch)[0].class, Class::NotFhir, "{patch}");
    }
}

#[test]
fn no_patch_makes_it_another_resource() {
    for (kind, patch, element) in [
        (PatchKind::MergePatch, json!({ "resourceType": "Person" }), "Patient.resourceType"),
        (PatchKind::MergePatch, json!({ "id": "b" }), "Patient.id"),
        (PatchKind::MergePatch, json!({ "id": null }), "Patient.id"),
        (PatchKind::JsonPatch, json!([{ "op": "replace", "path": "/id", "value": "b" }]), "Patient.id"),
        (PatchKind::JsonPatch, json!([{ "op": "replace", "path": "", "value": {} }]), "Patient.resourceType"),
        (PatchKind::JsonPatch, json!([{ "op": "replace", "path": "", "value": 7 }]), "Patient.resourceType"),
    ] {
        let issues = refused(kind, &patch.to_string());
        assert_eq!((issues[0].code, issues[0].expression.as_str()), (IssueCode::Value, element), "{patch}");
    }
    assert_eq!(patched(PatchKind::MergePatch, &json!({ "id": "a", "resourceType": "Patient" })), original());
}

#[test]
fn version_and_moment_stay_whatever_a_patch_says_of_them() {
    for (kind, patch) in [
        (PatchKind::MergePatch, json!({ "meta": { "versionId": "9", "lastUpdated": null } })),
        (PatchKind::JsonPatch, json!([{ "op": "replace", "path": "/meta/versionId", "value": { "a": 1 } }])),
        (PatchKind::JsonPatch, json!([{ "op": "remove", "path": "/meta" }])),
        (PatchKind::MergePatch, json!({ "meta": null })),
    ] {
        let meta = patched(kind, &patch)["meta"].clone();
        assert_eq!(
            (meta["versionId"].as_str(), meta["lastUpdated"].as_str()),
            (Some("3"), Some("2024-01-01T00:00:00Z")),
            "{patch}"
        );
    }
    let text = apply(
        PatchKind::MergePatch,
        r#"{"resourceType":"Patient","id":"a"}"#,
        br#"{"meta":{"versionId":"9"}}"#,
        &BOUNDS,
    );
    assert_eq!(text.unwrap(), r#"{"resourceType":"Patient","id":"a"}"#);
}

#[test]
fn numbers_keep_their_spelling() {
    let current = r#"{"resourceType":"Observation","id":"a","valueQuantity":{"value":1.50}}"#;
    let patch = br#"{"component":[{"valueQuantity":{"value":2.00}}]}"#;
    let text = apply(PatchKind::MergePatch, current, patch, &BOUNDS).unwrap();
    assert!(text.contains(r#""value":1.50"#) && text.contains(r#""value":2.00"#), "{text}");
}

#[test]
fn what_is_no_json_is_no_patch() {
    for kind in [PatchKind::JsonPatch, PatchKind::MergePatch, PatchKind::FhirPathPatch] {
        for body in [&b"{"[..], b"\xff", b"", b"{\"a\":1,\"a\":2}"] {
            let issues = apply(kind, PATIENT, body, &BOUNDS).unwrap_err();
            assert_eq!(issues[0].class, Class::NotFhir, "{body:?}");
        }
    }
}

#[test]
fn operations_growth_depth_and_work_have_an_end() {
    let too_costly = |patch: Value| {
        let issues = refused(PatchKind::JsonPatch, &patch.to_string());
        assert_eq!(issues[0].code, IssueCode::TooCostly, "{issues:?}");
    };
    too_costly(vec![json!({ "op": "test", "path": "/active", "value": true }); 101].into());
    too_costly(vec![json!({ "op": "copy", "from": "/name", "path": "/name/-" }); 90].into());
    let large = json!({ "op": "add", "path": "/x", "value": "x".repeat(5_000) });
    let there_and_back =
        ["/x", "/y", "/x", "/y", "/x"].windows(2).map(|way| json!({ "op": "move", "from": way[0], "path": way[1] }));
    too_costly(std::iter::once(large.clone()).chain(there_and_back.clone()).collect());
    let values = json!({ "op": "add", "path": "/x", "value": vec![1; 700] });
    too_costly(std::iter::once(values).chain(there_and_back.clone()).collect());
    let twice: Value =
        std::iter::once(large).chain(there_and_back.take(2)).chain([json!({ "op": "remove", "path": "/x" })]).collect();
    assert!(apply(PatchKind::JsonPatch, PATIENT, twice.to_string().as_bytes(), &BOUNDS).is_ok(), "what fits is moved");
    let deep = (0..40).fold(json!(1), |inner, _| json!([inner]));
    assert_eq!(
        refused(PatchKind::JsonPatch, &json!([{ "op": "add", "path": "/a", "value": deep }]).to_string())[0].class,
        Class::NotFhir
    );
    let doubling = "/extension/0".repeat(9);
    too_costly(json!([{ "op": "add", "path": "/extension", "value": [{}] },
        { "op": "add", "path": "/extension/0/extension", "value": [{ "extension": [{ "extension": [{ "extension": [{ "extension": [
            { "extension": [{ "extension": [{ "extension": [{}] }] }] }] }] }] }] }] },
        { "op": "copy", "from": "/extension", "path": format!("{doubling}/extension") }]));
    let wide: Value = (0..400).map(|at| (format!("m{at}"), json!(at))).collect::<serde_json::Map<_, _>>().into();
    let work: Vec<_> = std::iter::once(json!({ "op": "add", "path": "/x", "value": wide }))
        .chain((0..99).map(|_| json!({ "op": "test", "path": "/x/m399", "value": 399 })))
        .collect();
    let little = Bounds { steps: 5_000, ..BOUNDS };
    let issues = apply(PatchKind::JsonPatch, PATIENT, Value::from(work).to_string().as_bytes(), &little).unwrap_err();
    assert_eq!(issues[0].code, IssueCode::TooCostly, "{issues:?}");
    let long = "x".repeat(21_000);
    assert_eq!(refused(PatchKind::MergePatch, &json!({ "language": long }).to_string())[0].code, IssueCode::TooCostly);
}

fn any_json() -> impl Strategy<Value = Value> {
    let words =
        ["name", "given", "op", "path", "value", "add", "/name/0", "Patient.name", "type", "part", "valueString"];
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i32>().prop_map(Value::from),
        proptest::sample::select(words.to_vec()).prop_map(Value::from)
    ];
    leaf.prop_recursive(5, 64, 6, move |inner| {
        let names = proptest::sample::select(words.to_vec()).prop_map(String::from);
        prop_oneof![
            proptest::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            proptest::collection::vec((names, inner), 0..5)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

/// As RFC 7396 writes it down.
fn merged(target: Value, patch: &Value) -> Value {
    let Value::Object(members) = patch else { return patch.clone() };
    let mut target = target.as_object().cloned().unwrap_or_default();
    for (name, value) in members {
        let old = target.remove(name).unwrap_or_default();
        if !value.is_null() {
            target.insert(name.clone(), merged(old, value));
        }
    }
    target.into()
}

proptest! {
    #[test]
    fn no_bytes_make_a_patch_panic(body in proptest::collection::vec(any::<u8>(), 0..64), which in 0..3usize) {
        let kind = [PatchKind::JsonPatch, PatchKind::MergePatch, PatchKind::FhirPathPatch][which];
        let _ = (apply(kind, PATIENT, &body, &BOUNDS), PatchKind::of("application/json", &body, BOUNDS.shape));
    }

    #[test]
    fn whatever_a_patch_says_its_result_is_the_same_resource_in_strict_json(patch in any_json(), which in 0..3usize) {
        let patch = match which {
            1 => json!([{ "op": "add", "path": "/x", "value": patch }, { "op": "copy", "from": "/x", "path": "/name/0" }]),
            2 => json!({ "resourceType": "Parameters", "parameter": patch }),
            _ => patch,
        };
        let kind = [PatchKind::MergePatch, PatchKind::JsonPatch, PatchKind::FhirPathPatch][which];
        if let Ok(text) = apply(kind, PATIENT, patch.to_string().as_bytes(), &BOUNDS) {
            prop_assert_eq!(&strict::compact(&text, BOUNDS.shape).unwrap(), &text);
            let after: Value = serde_json::from_str(&text).unwrap();
            prop_assert_eq!((after["id"].as_str(), after["meta"]["versionId"].as_str()), (Some("a"), Some("3")));
        }
    }

    #[test]
    fn a_merge_patch_does_what_its_rfc_says(value in any_json()) {
        let patch = json!({ "photo": value });
        let text = apply(PatchKind::MergePatch, PATIENT, patch.to_string().as_bytes(), &BOUNDS).unwrap();
        let expected = merged(original(), &patch);
        let after: Value = serde_json::from_str(&text).unwrap();
        // What was left empty is gone; everything else is as the RFC has it.
        let is_empty = |value: &Value| value.to_string().contains("[]") || value.to_string().contains("{}");
        prop_assert!(after == expected || is_empty(&expected), "{} {}", after, expected);
    }

    #[test]
    fn what_is_added_and_removed_again_leaves_the_resource_as_it_was(value in any_json(), at in 0..3usize) {
        let patch = json!([{ "op": "add", "path": format!("/name/{at}"), "value": value },
            { "op": "test", "path": format!("/name/{at}"), "value": value }, { "op": "remove", "path": format!("/name/{at}") }]);
        prop_assert_eq!(apply(PatchKind::JsonPatch, PATIENT, patch.to_string().as_bytes(), &BOUNDS).unwrap(), PATIENT);
    }
}
