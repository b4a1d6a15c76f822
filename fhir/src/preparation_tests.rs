//! What `prepare` makes of resources, good and bad.

use super::Preparation;
use crate::cut::OURS;
use crate::fault::Fault;
use crate::limits::{Limits, Shape};
use crate::resource::Resource;
use crate::security::Coding;
use crate::types::ResourceType;
use proptest::prelude::*;
use serde_json::{Value, json};

const BASE: &str = "https://records.example/fhir";
const LIMITS: Limits = Limits { shape: Shape { depth: 64, values: 200_000 }, tokens: 1000, token_bytes: 1024 };

fn prepare(json: &str) -> Result<Preparation, Fault> {
    super::prepare(json, BASE, &LIMITS)
}

fn joined(new: &Preparation) -> String {
    new.body.joined(1, "2024-01-01T00:00:00.000Z", "urn:ours")
}

fn prepared(resource: &Value) -> Preparation {
    prepare(&resource.to_string()).unwrap_or_else(|why| panic!("{resource}: {why}"))
}

fn refused(resource: &Value) -> String {
    prepare(&resource.to_string()).expect_err("it should be refused").to_string()
}

fn tokens(resource: &Value) -> Vec<(&'static str, Option<String>, String)> {
    prepared(resource).tokens.into_iter().map(|token| (token.parameter, token.system, token.value)).collect()
}

#[test]
fn the_body_keeps_order_and_spelling_and_gets_our_version() {
    let text = r#"{ "active": true, "meta": {"versionId":"9", "profile":["p"], "lastUpdated":"x"}, "id": "a",
        "multipleBirthInteger": 1.50, "resourceType": "Patient", "name": [{"text": "é\u00e9"}] }"#;
    let new = prepare(text).unwrap();
    assert_eq!(
        joined(&new),
        r#"{"resourceType":"Patient","id":"a","meta":{"versionId":"1","lastUpdated":"2024-01-01T00:00:00.000Z","source":"urn:ours","profile":["p"]},"active":true,"multipleBirthInteger":1.50,"name":[{"text":"é\u00e9"}]}"#
    );
}

#[test]
fn a_resource_without_meta_gets_one() {
    let new = prepared(&json!({ "resourceType": "Patient", "id": "a" }));
    let body: Value = serde_json::from_str(&joined(&new)).unwrap();
    assert_eq!(body["meta"]["versionId"], "1");
}

#[test]
fn what_is_ours_in_meta_is_ours_whatever_was_sent() {
    let new = prepared(&json!({ "resourceType": "Patient", "id": "a", "meta": {
        "source": "https://clinic.example", "_source": { "extension": [] }, "_versionId": {}, "_lastUpdated": {},
        "tag": [{ "code": "kept" }] } }));
    let body: Value = serde_json::from_str(&joined(&new)).unwrap();
    let ours = json!({ "versionId": "1", "lastUpdated": "2024-01-01T00:00:00.000Z", "source": "urn:ours",
        "tag": [{ "code": "kept" }] });
    assert_eq!(body["meta"], ours);
    assert!(new.body.is_of(&joined(&new)));
}

#[test]
fn a_stored_body_gets_another_source_and_is_otherwise_as_it_was() {
    let stored = r#"{"resourceType":"Patient","id":"a","meta":{"versionId":"3","lastUpdated":"then","source":"urn:theirs","tag":[]},"multipleBirthInteger":1.50,"name":[{"text":"é\u00e9"}]}"#;
    let expected = stored.replace("urn:theirs", "urn:ours");
    assert_eq!(crate::cut::with_source(stored, 3, "urn:ours"), Some(expected.clone()));
    let without = stored.replace(r#""source":"urn:theirs","#, "");
    assert_eq!(crate::cut::with_source(&without, 3, "urn:ours"), Some(expected));
    assert_eq!(crate::cut::with_source("no resource", 3, "urn:ours"), None);
}

#[test]
fn what_is_no_resource_is_refused_with_the_reason() {
    assert!(refused(&json!([])).contains("object"));
    assert!(refused(&json!({ "id": "a" })).contains("resourceType"));
    assert!(refused(&json!({ "resourceType": "Pasta", "id": "a" })).contains("R4 resource type"));
    assert!(refused(&json!({ "resourceType": "Patient" })).contains("Patient.id"));
    assert!(refused(&json!({ "resourceType": "Patient", "id": "a/b" })).contains("Patient.id"));
    assert!(refused(&json!({ "resourceType": "Patient", "id": 7 })).contains("Patient.id"));
    assert!(refused(&json!({ "resourceType": "Patient", "id": "a", "meta": 7 })).contains("meta"));
    assert!(refused(&json!({ "resourceType": "Binary", "id": "a", "data": "%" })).contains("base64"));
    let wrong_type = Resource::read(r#"{"resourceType":"Patient","id":"a"}"#, Some(ResourceType::Observation));
    assert!(wrong_type.expect_err("wrong type").to_string().contains("must be Observation"));
}

#[test]
fn what_a_store_has_to_know_is_taken_out() {
    let new = prepared(&json!({ "resourceType": "Observation", "id": "a",
        "performer": [{ "reference": "Patient/q" }], "subject": { "reference": "Patient/p" } }));
    assert_eq!((new.resource_type, new.id.as_str()), (ResourceType::Observation, "a"));
    assert_eq!(new.patients, ["p", "q"]);
    assert_eq!(new.security, []);
}

#[test]
fn security_labels_are_kept_as_sent_and_must_be_readable() {
    let labelled = |security: Value| json!({ "resourceType": "Basic", "id": "a", "meta": { "security": security } });
    let coding = |system: Option<&str>, code: Option<&str>| Coding {
        system: system.map(String::from),
        code: code.map(String::from),
    };
    let several = json!([{ "system": "urn:x", "code": "R", "display": "restricted" }, { "code": "V" }, {}]);
    assert_eq!(
        prepared(&labelled(several)).security,
        [coding(Some("urn:x"), Some("R")), coding(None, Some("V")), coding(None, None)]
    );
    for unreadable in [json!({ "code": "R" }), json!("R"), json!(["R"]), json!([{ "code": 7 }]), Value::Null] {
        assert!(refused(&labelled(unreadable.clone())).contains("Basic.meta.security"), "{unreadable}");
    }
}

#[test]
fn identifiers_and_contents_are_indexed() {
    let patient = json!({ "resourceType": "Patient", "id": "a",
        "identifier": [{ "system": "urn:nhs", "value": "1" }, { "value": "2" }, { "system": "urn:empty" }] });
    assert_eq!(
        tokens(&patient),
        [("identifier", Some("urn:nhs".into()), "1".into()), ("identifier", None, "2".into())]
    );
    let document = json!({ "resourceType": "DocumentReference", "id": "a",
        "identifier": [{ "value": "1" }], "masterIdentifier": { "system": "urn:m", "value": "2" },
        "content": [{ "attachment": { "url": "Binary/b" } }, { "attachment": { "url": "https://x.example/y" } },
            { "attachment": { "url": "https://records.example/fhir/Binary/c" } },
            { "attachment": { "url": "https://x.example/fhir/Binary/d" } }] });
    assert_eq!(
        tokens(&document),
        [
            ("identifier", None, "1".into()),
            ("identifier", Some("urn:m".into()), "2".into()),
            ("content", None, "b".into()),
            ("content", None, "c".into())
        ]
    );
    let one = json!({ "resourceType": "Bundle", "id": "a", "identifier": { "value": "1" } });
    assert_eq!(tokens(&one), [("identifier", None, "1".into())]);
}

#[test]
fn an_identifier_that_no_index_can_hold_is_refused() {
    let of = |value: String| json!({ "resourceType": "Patient", "id": "a", "identifier": [{ "value": value }] });
    assert_eq!(tokens(&of("x".repeat(1024))).len(), 1);
    assert!(refused(&of("x".repeat(1025))).contains("1024 bytes"));
}

#[test]
fn the_content_of_a_binary_is_taken_out_of_its_body_and_a_mark_stands_at_its_end() {
    let new = prepared(&json!({ "resourceType": "Binary", "id": "a", "data": "aGk=", "contentType": "text/plain" }));
    assert_eq!(new.content.as_deref(), Some(b"hi".as_slice()));
    let (body, mark) = crate::pieces::apart(&joined(&new));
    assert_eq!(mark.map(|mark| mark.length), Some(2));
    let body: Value = serde_json::from_str(&body).unwrap();
    assert_eq!((&body["contentType"], body.get("data")), (&json!("text/plain"), None));
    let other = prepared(&json!({ "resourceType": "Binary", "id": "a", "data": "aGg=", "contentType": "text/plain" }));
    assert!(new.body.is_of(&joined(&new)) && !other.body.is_of(&joined(&new)), "another content is another body");
    let empty = prepared(&json!({ "resourceType": "Binary", "id": "a", "data": "" }));
    assert_eq!((empty.content.is_none(), joined(&empty).contains("data")), (true, false));
    let mark = json!({ "resourceType": "Binary", "id": "a", "data": "#2:00" });
    assert!(refused(&mark).contains("base64"), "no sender can say a mark");
}

#[test]
fn a_content_by_itself_is_the_same_binary_as_one_in_json() {
    let sent = json!({ "resourceType": "Binary", "id": "a", "contentType": "text/plain",
        "securityContext": { "reference": "Patient/\"p" }, "data": "aGk=" });
    let raw = Preparation::of_content(("a", BASE), "text/plain", Some("Patient/\"p"), b"hi".to_vec());
    assert_eq!(joined(&raw), joined(&prepared(&sent)));
    assert!(!joined(&Preparation::of_content(("a", BASE), "x/y", None, Vec::new())).contains("data"));
}

#[test]
fn a_stored_binary_is_read_again_with_its_mark_and_one_with_its_content_inside_gets_one() {
    let new = prepared(&json!({ "resourceType": "Binary", "id": "a", "contentType": "text/plain", "data": "aGk=" }));
    let again = super::reread(&joined(&new), BASE, &LIMITS).unwrap();
    assert_eq!((again.id.as_str(), again.content), ("a", None));
    let old = r#"{"resourceType":"Binary","id":"a","meta":{"versionId":"1","lastUpdated":"2024-01-01T00:00:00.000Z","source":"urn:ours"},"data":"aGk","contentType":"text/plain"}"#;
    assert_eq!(crate::cut::without_data(old, 1), Some((joined(&new), b"hi".to_vec())));
    assert_eq!(crate::cut::without_data(&joined(&new), 1), None, "once");
    assert_eq!(crate::cut::with_source(&joined(&new), 1, "urn:ours"), Some(joined(&new)));
}

#[test]
fn what_a_document_has_inside_becomes_a_binary_that_it_names() {
    let document = |attachment: Value| {
        json!({ "resourceType": "DocumentReference", "id": "d",
            "content": [{ "attachment": { "url": "Binary/there" } }, { "format": { "code": "x" }, "attachment": attachment }] })
    };
    let sent = document(json!({ "contentType": "text/plain", "data": "SGVs\nbG8=", "title": "Letter" }));
    let new = prepared(&sent);
    let [binary] = new.attachments.as_slice() else { panic!("{:?}", new.attachments) };
    assert_eq!((binary.resource_type, binary.content.as_deref()), (ResourceType::Binary, Some(b"Hello".as_slice())));
    assert!(joined(binary).contains(r#""contentType":"text/plain""#));
    let stored: Value = serde_json::from_str(&joined(&new)).unwrap();
    let url = format!("Binary/{}", binary.id);
    assert_eq!(
        stored["content"][1],
        json!({ "format": { "code": "x" }, "attachment": { "contentType": "text/plain", "title": "Letter", "url": url,
            "size": 5, "hash": "9/+ei3uy4Jtwk1pdeF4MxdnQq/A=" } })
    );
    assert_eq!(new.binaries().collect::<Vec<_>>(), ["there", binary.id.as_str()]);
    assert_eq!(new.foreign_binaries().collect::<Vec<_>>(), ["there"]);
    assert_eq!(prepared(&sent).attachments[0].id, binary.id, "sent again, it is the same Binary");
    assert_ne!(prepared(&document(json!({ "data": "SGVsbG9v" }))).attachments[0].id, binary.id);
    let told = json!({ "data": "SGVsbG8=", "size": 5, "hash": "9/+ei3uy4Jtwk1pdeF4MxdnQq/A=" });
    assert_eq!(prepared(&document(told)).attachments.len(), 1);
    assert!(refused(&document(json!({ "data": "SGVsbG8=", "size": 6 }))).contains("attachment.size"));
    assert!(refused(&document(json!({ "data": "SGVsbG8=", "hash": "SGVsbG8=" }))).contains("attachment.hash"));
    assert!(prepared(&document(json!({ "url": "https://x.example/y" }))).attachments.is_empty());
}

/// Any JSON value, with the member names that mean something strewn in.
fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        "(Patient|Binary)/[a-z]{0,3}".prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 5, |inner| {
        let name = prop_oneof![
            ".{0,6}",
            "(id|meta|data|subject|reference|content|attachment|url|identifier|system|value|participant|actor)"
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map(name, inner, 0..6).prop_map(|members| members.into_iter().collect()),
        ]
    })
}

proptest! {
    #[test]
    fn any_resource_is_made_ready_or_refused_and_nothing_of_it_is_lost(
        type_name in "(Patient|DocumentReference|Binary|Appointment|Observation)",
        value in any_json(),
    ) {
        let mut resource = value;
        if let Some(members) = resource.as_object_mut() {
            members.insert("resourceType".into(), type_name.into());
            members.insert("id".into(), "x".into());
        }
        if let Ok(new) = prepare(&resource.to_string()) {
            let mut stored: Value = serde_json::from_str(&joined(&new)).unwrap();
            for side in [&mut stored, &mut resource] {
                let members = side.as_object_mut().unwrap();
                let meta = members.entry("meta").or_insert_with(|| json!({}));
                meta.as_object_mut().unwrap().retain(|name, _| !OURS.contains(&name.as_str()));
            }
            // What is inside is stored elsewhere.
            for (member, is_elsewhere) in [("data", new.content.is_some()), ("content", !new.attachments.is_empty())] {
                if is_elsewhere || (member == "data" && resource["data"] == "") {
                    stored.as_object_mut().unwrap().remove(member);
                    resource.as_object_mut().unwrap().remove(member);
                }
            }
            prop_assert_eq!(stored, resource);
        }
    }

    #[test]
    fn any_text_is_made_ready_or_refused(text in ".{0,200}") {
        let _either = prepare(&text);
    }
}
