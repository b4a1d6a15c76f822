//! `GET /fhir/metadata`: open, and true.

use crate::kit::{BASE, World};
use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

async fn statement(w: &World) -> Value {
    w.send(Request::get("/fhir/metadata").body(Body::empty()).unwrap()).await.opened().json()
}

#[tokio::test]
async fn it_is_open_and_names_the_oauth_endpoints() {
    let w = World::new().await;
    let statement = statement(&w).await;
    assert_eq!(statement["resourceType"], "CapabilityStatement");
    assert_eq!(statement["fhirVersion"], "4.0.1");
    let oauth = &statement["rest"][0]["security"]["extension"][0];
    assert_eq!(oauth["url"], "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris");
    assert_eq!(
        oauth["extension"],
        json!([
            { "url": "authorize", "valueUri": format!("{BASE}/apiAuthorize.action") },
            { "url": "token", "valueUri": format!("{BASE}/apiToken.action") },
            { "url": "revoke", "valueUri": format!("{BASE}/apiRevoke.action") },
            { "url": "introspect", "valueUri": format!("{BASE}/apiIntrospect.action") },
            { "url": "manage", "valueUri": format!("{BASE}/connected-apps") },
        ])
    );
    assert_eq!(statement["rest"][0]["security"]["cors"], true, "tests/contract/cors.rs tries it");
    let smart = w.get("/fhir/.well-known/smart-configuration").await.json();
    for (uri, endpoint) in oauth["extension"].as_array().unwrap().iter().zip(
        ["authorization", "token", "revocation", "introspection", "management"].map(|name| format!("{name}_endpoint")),
    ) {
        assert_eq!(uri["valueUri"], smart[&endpoint], "both say the same");
    }
}

#[tokio::test]
async fn each_search_parameter_it_names_is_one_that_a_search_knows() {
    let w = World::new().await;
    let statement = statement(&w).await;
    let resources = statement["rest"][0]["resource"].as_array().unwrap();
    assert!(resources.len() > 140);
    let clinician = w.dr_okafor().caller().await;
    for name in ["Patient", "Observation", "Location", "Measure"] {
        let resource = resources.iter().find(|resource| resource["type"] == name).unwrap();
        let parameters = resource["searchParam"].as_array().unwrap();
        assert!(parameters.len() > 10, "{name}");
        for parameter in parameters {
            let path = format!("/fhir/{name}?{}:missing=true", parameter["name"].as_str().unwrap());
            assert_eq!(clinician.get(&path).await.status, 200, "{path}");
        }
    }
    let document = resources.iter().find(|resource| resource["type"] == "DocumentReference").unwrap();
    assert_eq!(document["operation"][0]["name"], "read-receipt-query");
}
