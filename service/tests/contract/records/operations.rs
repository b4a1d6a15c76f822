//! The operations of the FHIR API as a whole: what `/metadata` and their definitions say of them is what is served.

use crate::kit::{BASE, RIVERSIDE, World, records};
use fhir::limits::Shape;
use fhir::validation::{Expectation, validate};
use serde_json::{Value, json};
use service::routes::routes;
use std::collections::BTreeSet;

/// The operations of the list of routes: the type, empty for the service itself, and the name.
fn served() -> BTreeSet<(String, String)> {
    let operation = |path: &str| {
        let path = path.strip_prefix("/fhir/")?;
        let (before, name) = path.split_once('$').filter(|(_, name)| !name.contains('/'))?;
        Some((before.split('/').next().unwrap_or_default().to_owned(), name.to_owned()))
    };
    routes().iter().filter_map(|route| operation(route.path)).collect()
}

fn names(operations: &Value) -> BTreeSet<String> {
    let names = operations.as_array().into_iter().flatten();
    names.map(|operation| operation["name"].as_str().unwrap().to_owned()).collect()
}

// gaps: FHIR, where R4 leaves it open > Operations
#[tokio::test]
async fn metadata_names_every_operation_that_is_served_and_no_other() {
    let w = World::new().await;
    let statement = w.get("/fhir/metadata").await.opened().json();
    let rest = &statement["rest"][0];
    let of = |name: &str| -> BTreeSet<String> {
        let own = served().into_iter().filter(|(of, _)| of == name || (!name.is_empty() && of == "{type}"));
        own.map(|(_, code)| code).collect()
    };
    assert_eq!(names(&rest["operation"]), of(""));
    for resource in rest["resource"].as_array().unwrap() {
        let name = resource["type"].as_str().unwrap();
        assert_eq!(names(&resource["operation"]), of(name), "{name}");
    }
}

#[tokio::test]
async fn every_operation_has_a_definition_that_anybody_may_read_and_that_is_fhir() {
    let w = World::new().await;
    let codes: BTreeSet<String> = served().into_iter().map(|(_, code)| code).collect();
    for code in codes {
        let definition = w.get(&format!("/fhir/OperationDefinition/{code}")).await.opened().json();
        let expected = Expectation {
            resource_type: None,
            id: Some(&code),
            shape: Shape { depth: 64, values: 200_000 },
            issues: 100,
        };
        assert_eq!(validate(&definition.to_string(), &expected), [], "{code}");
        assert_eq!(definition["code"], code.as_str());
        let levels = ["system", "type", "instance"].map(|level| definition[level].as_bool().unwrap());
        assert!(levels.contains(&true), "{code} is served of something");
    }
    let validation = w.get("/fhir/OperationDefinition/validate").await.json();
    assert_eq!(validation["resource"], serde_json::json!(["Resource"]));
    assert_eq!([&validation["system"], &validation["type"], &validation["instance"]], [false, true, true]);
    let receipts = w.get("/fhir/OperationDefinition/read-receipt-query").await.json();
    assert_eq!(receipts["resource"], serde_json::json!(["DocumentReference"]));
}

#[tokio::test]
async fn a_definition_that_somebody_stored_takes_a_token_as_every_resource_does() {
    let w = World::new().await;
    w.get("/fhir/OperationDefinition/another").await.says(401, "BAD_AUTHENTICATION");
    w.system().await.get("/fhir/OperationDefinition/another").await.says(404, "NOT_FOUND");
}

/// Whatever is sent, the answer is one: read, or refused in words.
#[tokio::test]
async fn no_operation_is_a_500_whatever_it_is_sent() {
    let w = World::new().await;
    let system = w.system().await;
    let value = |value: &str| format!(r#"{{"resourceType":"Parameters","parameter":[{value}]}}"#);
    let nhs = r#""system":"https://fhir.nhs.uk/Id/nhs-number""#;
    let mut bodies: Vec<String> =
        ["", "null", "[]", "{}", "[[[", r#"{"resourceType":"Parameters","parameter":{}}"#].map(String::from).into();
    bodies.extend([
        value("null"),
        value("{}"),
        value(r#"{"name":1}"#),
        value(r#"{"name":"resource","resource":{"resourceType":"Patient","name":[{"family":"\u0000"}]}}"#),
        value(r#"{"name":"resource","resource":{"resourceType":"Patient","birthDate":"0001","name":[{"given":["\\,$|"]}]}}"#),
        value(r#"{"name":"resource","resource":7}"#),
        value(&format!(r#"{{"name":"patientIdentifier","valueIdentifier":{{{nhs},"value":"\u0000'"}}}}"#)),
        value(r#"{"name":"patientIdentifier","valueIdentifier":{"system":"http://fhir.patientsknowbest.com/id/public-id","value":"\u0000"}}"#),
        value(r#"{"name":"start","valueDate":"9999-12-31"}"#),
        value(r#"{"name":"_since","valueInstant":"0001-01-01T00:00:00+14:00"}"#),
    ]);
    let paths: Vec<(axum::http::Method, String)> = routes()
        .iter()
        .filter(|route| route.path.contains('$'))
        .map(|route| (route.method.clone(), route.path.replace("{type}", "Patient").replace("{id}", "amina")))
        .collect();
    assert!(paths.len() > 10);
    for (method, path) in paths {
        for body in &bodies {
            let headers = [("content-type", "application/fhir+json")];
            let reply = system.send(method.clone(), &path, &headers, body.clone()).await;
            assert!(reply.status < 500, "{method} {path} with {body}: {}", reply.text());
        }
        let query = format!("{path}?start=0000&end=99999-99&_since=9999-12-31T23:59:60Z&_count=4294967296&max=%00");
        assert!(system.send(method, &query, &[], "").await.status < 500, "{query}");
    }
}

// gaps: FHIR, where R4 leaves it open > OperationDefinition
#[tokio::test]
async fn the_definitions_of_what_is_served_are_found_without_a_token() {
    let w = World::new().await;
    let all = w.get("/fhir/OperationDefinition").await;
    let codes = all.found();
    assert!(["validate", "everything", "export"].iter().all(|code| codes.contains(&(*code).to_owned())), "{codes:?}");
    assert_eq!(all.json()["total"], codes.len());
    for (query, found) in [
        ("name=read", &["read-receipt-query"][..]),
        ("code=validate,meta", &["validate", "meta"]),
        ("_id=lastn&name=Las", &["lastn"]),
        ("url=urn:recordgate:operation:match", &["match"]),
        ("name=validate&code=meta", &[]),
        ("_format=json&code=purview", &["purview"]),
    ] {
        let reply = w.get(&format!("/fhir/OperationDefinition?{query}")).await;
        assert_eq!(reply.found(), found, "{query}");
        let bundle = reply.json();
        assert_eq!(bundle.get("entry").is_none(), found.is_empty());
        for entry in bundle["entry"].as_array().into_iter().flatten() {
            let path = entry["fullUrl"].as_str().unwrap().strip_prefix(BASE).unwrap().to_owned();
            assert_eq!(w.get(&path).await.opened().json(), entry["resource"]);
        }
    }
    w.get("/fhir/OperationDefinition?colour=red").await.says(400, "BAD_REQUEST");
    w.get("/fhir/OperationDefinition?_format=xml").await.says(406, "NOT_ACCEPTABLE");
}

#[tokio::test]
async fn with_a_token_definitions_are_found_that_are_stored() {
    let w = World::new().await;
    let stored = json!({ "resourceType": "OperationDefinition", "id": "theirs", "name": "Theirs", "status": "draft",
        "kind": "operation", "code": "theirs", "system": false, "type": false, "instance": true });
    records::import(&w.app.store, RIVERSIDE, &[stored], w.now()).await;
    let system = w.system().await;
    assert_eq!(system.get("/fhir/OperationDefinition?name=theirs&_count=5").await.found(), ["theirs"]);
    assert_eq!(system.post_form("/fhir/OperationDefinition/_search", "code=theirs").await.found(), ["theirs"]);
    let wrong = w.calls("/fhir/OperationDefinition", "rga_000000_unknown", None).await;
    wrong.says(401, "BAD_AUTHENTICATION");
}
