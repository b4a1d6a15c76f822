//! The operations of the FHIR API as a whole: what `/metadata` and their definitions say of them is what is served.

use crate::kit::World;
use fhir::validation::{Expectation, validate};
use serde_json::Value;
use service::routes::routes;
use std::collections::BTreeSet;

/// The operations of the list of routes: the type, empty for the service itself, and the name.
fn served() -> BTreeSet<(String, String)> {
    let operation = |path: &str| {
        let path = path.strip_prefix("/fhir/")?;
        let (before, name) = path.split_once('$')?;
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
        let expected = Expectation { resource_type: None, id: Some(&code), depth: 64, issues: 100 };
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
