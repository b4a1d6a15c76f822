//! `POST /fhir`: batches, and what holds of batches and transactions alike.

use super::bundles::{asks, bundle, numbered, result, sends, statuses, with};
use crate::kit::records::{AMINA, BEN, observation};
use crate::kit::{BASE, World};
use serde_json::{Value, json};

// gaps: FHIR, where R4 leaves it open > Batch
#[tokio::test]
async fn each_entry_of_a_batch_is_answered_on_its_own_and_in_its_place() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let there = okafor.makes(&result(AMINA, "1")).await;
    let relative = there.strip_prefix("/fhir/").unwrap();
    let mut wrong = observation(AMINA);
    wrong["status"] = json!("no such status");
    let patch = json!({ "resourceType": "Binary", "contentType": "application/json-patch+json",
        "data": "W3sib3AiOiJyZXBsYWNlIiwicGF0aCI6Ii9zdGF0dXMiLCJ2YWx1ZSI6ImFtZW5kZWQifV0=" });
    let entries = [
        asks("GET", relative),
        sends("POST", "Observation", &wrong),
        sends("POST", "Observation", &result(AMINA, "2")),
        asks("GET", "Observation/nobody"),
        asks("GET", &numbered("2")),
        sends("PATCH", relative, &patch),
        asks("DELETE", relative),
        asks("GET", relative),
        with(sends("POST", "Observation", &result(AMINA, "2")), "ifNoneExist", &numbered("2")),
        asks("HEAD", "Observation?_count=0"),
        asks("GET", &format!("{BASE}/fhir/Patient/{AMINA}")),
    ];
    let answer = okafor.exchanges("batch", &entries).await;
    assert_eq!(statuses(&answer), [200, 422, 201, 404, 200, 200, 204, 410, 200, 200, 200], "{answer}");
    let entry = |at: usize| &answer["entry"][at];
    assert_eq!(entry(0)["resource"]["id"], relative.strip_prefix("Observation/").unwrap());
    assert_eq!(entry(0)["response"]["etag"], "W/\"1\"");
    assert_eq!(entry(1)["response"]["outcome"]["issue"][0]["expression"][0], "Observation.status");
    let made = entry(2)["resource"]["id"].as_str().unwrap();
    assert_eq!(entry(2)["response"]["location"], format!("{BASE}/fhir/Observation/{made}/_history/1"));
    assert_eq!(entry(2)["response"]["lastModified"], entry(2)["resource"]["meta"]["lastUpdated"]);
    assert_eq!(entry(4)["resource"]["entry"][0]["resource"]["id"], made);
    assert_eq!(entry(5)["resource"]["status"], "amended");
    assert_eq!(entry(8)["resource"]["id"], made);
    assert_eq!(entry(9)["resource"], Value::Null, "a head is without a body");
    assert_eq!(okafor.exchanges("batch", &[]).await["entry"], Value::Null);
    assert_eq!(okafor.post("/fhir/", &bundle("batch", &[asks("GET", relative)])).await.status, 200);
}

#[tokio::test]
async fn each_entry_is_permitted_on_its_own() {
    let w = World::new().await;
    let practitioner = json!({ "resourceType": "Practitioner" });
    let entries = [asks("GET", &format!("Patient/{AMINA}")), sends("POST", "Practitioner", &practitioner)];
    let okafor = w.dr_okafor().caller().await;
    assert_eq!(statuses(&okafor.exchanges("batch", &entries).await), [200, 403]);
    okafor.post("/fhir", &bundle("transaction", &entries)).await.says(403, "USER_TYPE_NOT_PERM");
    let grace = w.grace().caller().await;
    let entries = [asks("GET", &format!("Patient/{AMINA}")), sends("POST", "Observation", &observation(AMINA))];
    assert_eq!(statuses(&grace.exchanges("batch", &entries).await), [200, 403], "a coordinator reads");
    let ben = w.ben().caller().await;
    assert_eq!(statuses(&ben.exchanges("batch", &entries).await), [404, 422]);
    // What another organisation has is not there, so that a create on criteria is made.
    w.system().await.makes(&result(AMINA, "1")).await;
    let hillside = w.system_for_hillside().await;
    let unless = with(sends("POST", "Observation", &result(BEN, "1")), "ifNoneExist", &numbered("1"));
    assert_eq!(statuses(&hillside.exchanges("transaction", &[unless]).await), [201]);
}

#[tokio::test]
async fn prefer_is_heeded_by_every_entry() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    for (wish, resource, outcome) in [
        ("return=minimal", false, false),
        ("return=representation", true, false),
        ("return=OperationOutcome", false, true),
    ] {
        let body = bundle("transaction", &[sends("POST", "Observation", &observation(AMINA))]).to_string();
        let headers = [("content-type", "application/fhir+json"), ("prefer", wish)];
        let answer = okafor.send(axum::http::Method::POST, "/fhir", &headers, body).await.opened().json();
        let entry = &answer["entry"][0];
        assert_eq!((entry["resource"].is_object(), entry["response"]["outcome"].is_object()), (resource, outcome));
    }
}

#[tokio::test]
async fn what_is_no_bundle_of_requests_is_refused_whole() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let headers = [("content-type", "application/fhir+json")];
    for (body, status) in [
        ("{".to_owned(), 400),
        (json!({ "resourceType": "Patient" }).to_string(), 400),
        (bundle("collection", &[]).to_string(), 400),
        (bundle("batch", &[json!({ "request": { "url": "Patient" } })]).to_string(), 422),
        (bundle("batch", &[asks("STEAL", "Patient")]).to_string(), 422),
    ] {
        let reply = okafor.send(axum::http::Method::POST, "/fhir", &headers, body.clone()).await;
        assert_eq!(reply.status, status, "{body}: {}", reply.text());
    }
    okafor.send(axum::http::Method::PUT, "/fhir", &headers, "{}".to_owned()).await.says(405, "METHOD_NOT_ALLOWED");
    let statement = w.get("/fhir/metadata").await.opened().json();
    let interactions = &statement["rest"][0]["interaction"];
    for code in ["batch", "transaction"] {
        assert!(interactions.as_array().unwrap().contains(&json!({ "code": code })), "{interactions}");
    }
}
