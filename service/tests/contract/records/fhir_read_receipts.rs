//! `POST /fhir/DocumentReference/$read-receipt-query`, and what makes a document read.

use crate::records_world::{Caller, NOW, World};
use serde_json::{Value, json};

const PATH: &str = "/fhir/DocumentReference/$read-receipt-query";

fn about(identifiers: &[&str]) -> Value {
    let parameters: Vec<Value> =
        identifiers.iter().map(|id| json!({ "name": "documentIdentifier", "valueString": id })).collect();
    json!({ "resourceType": "Parameters", "parameter": parameters })
}

/// What a caller hears of the documents: identifier, whether read, and when.
async fn receipts(caller: &Caller<'_>, identifiers: &[&str]) -> Vec<(String, bool, Option<String>)> {
    let answer = caller.post(PATH, &about(identifiers)).await.ok();
    assert_eq!(answer["resourceType"], "Parameters");
    let receipts = answer["parameter"].as_array().cloned().unwrap_or_default();
    let told = receipts.iter().map(|receipt| {
        assert_eq!(receipt["name"], "readReceipt");
        let part = |name: &str| receipt["part"].as_array().unwrap().iter().find(|part| part["name"] == name);
        let read_at = part("readAt").map(|part| part["valueDateTime"].as_str().unwrap().to_owned());
        let read = part("read").unwrap()["valueBoolean"].as_bool().unwrap();
        (part("documentIdentifier").unwrap()["valueString"].as_str().unwrap().to_owned(), read, read_at)
    });
    told.collect()
}

async fn is_read(w: &World, identifier: &str) -> bool {
    receipts(&w.system().await, &[identifier]).await[0].1
}

#[tokio::test]
async fn a_document_is_unread_until_its_patient_opens_it_and_then_read_since() {
    let w = World::new().await;
    let system = w.system().await;
    assert_eq!(receipts(&system, &["N-1"]).await, [("N-1".into(), false, None)]);
    assert_eq!(w.amina().await.get("/fhir/Binary/letter-content").await.status, 200);
    let read = [("N-1".to_owned(), true, Some(NOW.to_owned()))];
    assert_eq!(receipts(&system, &["N-1"]).await, read);
    w.app.clock.advance_seconds(60);
    assert_eq!(w.amina().await.get("/fhir/Binary/letter-content").await.status, 200);
    assert_eq!(receipts(&w.system().await, &["N-1"]).await, read, "only the first opening counts");
}

#[tokio::test]
async fn every_door_through_which_a_patient_opens_content_counts() {
    for (identifier, door) in [
        ("N-1", "/fhir/Binary/letter-content"),
        ("N-1", "/fhir/Binary/letter-content?_format=json"),
        ("N-1", "/json/attachments/letter"),
        ("N-1", "/json/attachments/letter-content"),
        ("N-2", "/fhir/DocumentReference/note"),
        ("N-2", "/json/attachments/note"),
    ] {
        let w = World::new().await;
        assert_eq!(w.amina().await.get(door).await.status, 200, "{door}");
        assert!(is_read(&w, identifier).await, "{door}");
        let other = if identifier == "N-1" { "N-2" } else { "N-1" };
        assert!(!is_read(&w, other).await, "{door}");
    }
}

#[tokio::test]
async fn a_look_at_a_document_without_its_content_is_no_reading() {
    let w = World::new().await;
    let amina = w.amina().await;
    assert_eq!(amina.get("/fhir/DocumentReference/letter").await.status, 200);
    assert_eq!(amina.head("/fhir/Binary/letter-content").await.status, 200);
    assert_eq!(amina.head("/fhir/DocumentReference/note").await.status, 200);
    assert_eq!(amina.head("/json/attachments/letter").await.status, 200);
    assert_eq!(amina.get_with("/fhir/Binary/letter-content", &[("if-none-match", "*")]).await.status, 304);
    assert_eq!(amina.get("/json/attachments/elsewhere").await.status, 404);
    for identifier in ["N-1", "N-2", "N-3"] {
        assert!(!is_read(&w, identifier).await, "{identifier}");
    }
}

#[tokio::test]
async fn nobody_else_reads_a_document_for_its_patient() {
    let w = World::new().await;
    for caller in [w.clinician().await, w.coordinator().await, w.site().await, w.system().await] {
        assert_eq!(caller.get("/fhir/Binary/letter-content").await.status, 200);
        assert_eq!(caller.get("/fhir/DocumentReference/note").await.status, 200);
    }
    for caller in [w.clinician().await, w.coordinator().await, w.site().await] {
        assert_eq!(caller.get("/json/attachments/letter").await.status, 200);
    }
    w.bert().await.get("/fhir/Binary/letter-content").await.refused(404, "NOT_FOUND");
    assert!(!is_read(&w, "N-1").await && !is_read(&w, "N-2").await);
}

#[tokio::test]
async fn unknown_and_foreign_documents_yield_no_entry() {
    let w = World::new().await;
    let asked = ["S-1", "unknown", "N-2", "N-1", "N-2", "bert-letter"];
    for caller in [w.system().await, w.clinician().await, w.coordinator().await, w.site().await] {
        let told: Vec<String> = receipts(&caller, &asked).await.into_iter().map(|receipt| receipt.0).collect();
        assert_eq!(told, ["N-2", "N-1"]);
    }
    let south: Vec<String> = receipts(&w.system_for_south().await, &asked).await.into_iter().map(|r| r.0).collect();
    assert_eq!(south, ["S-1", "bert-letter"]);
    let nothing = w.system().await.post(PATH, &about(&["S-1"])).await.ok();
    assert_eq!(nothing, json!({ "resourceType": "Parameters" }));
}

#[tokio::test]
async fn a_document_made_by_a_system_client_is_asked_about_by_its_identifier_or_its_id() {
    let w = World::new().await;
    let system = w.system().await;
    let document = crate::records_world::document("x", "amina", "NEW-9", json!({ "data": "SGk=" }));
    let made = system.post("/fhir/DocumentReference", &document).await.json();
    let id = made["id"].as_str().unwrap();
    let told = receipts(&system, &["NEW-9", id]).await;
    assert_eq!(told, [("NEW-9".into(), false, None), (id.to_owned(), false, None)]);
    assert_eq!(w.amina().await.get(&format!("/fhir/DocumentReference/{id}")).await.status, 200);
    assert!(receipts(&system, &["NEW-9", id]).await.iter().all(|receipt| receipt.1));
}

#[tokio::test]
async fn a_patient_session_gets_403() {
    let w = World::new().await;
    let words = w.amina().await.post(PATH, &about(&["N-1"])).await.refused(403, "USER_TYPE_NOT_PERM");
    assert_eq!(words, "User type PATIENT can't execute API call requiring scope CLINICIAN");
}

#[tokio::test]
async fn a_query_asks_about_1_to_5000_documents_by_value_string() {
    let w = World::new().await;
    let system = w.system().await;
    let one = |parameter: Value| json!({ "resourceType": "Parameters", "parameter": [parameter] });
    for body in [
        json!({ "resourceType": "Bundle" }),
        json!({ "resourceType": "Parameters" }),
        about(&[]),
        one(json!({ "name": "documentIdentifier" })),
        one(json!({ "name": "documentIdentifier", "valueString": "" })),
        one(json!({ "name": "documentIdentifier", "valueString": 7 })),
        one(json!({ "name": "documentIdentifier", "valueUri": "urn:x" })),
        one(json!({ "name": "document", "valueString": "N-1" })),
        json!([1]),
    ] {
        system.post(PATH, &body).await.refused(400, "BAD_REQUEST");
    }
    let send = |body: &str| {
        let (system, body) = (&system, body.to_owned());
        async move { system.send(axum::http::Method::POST, PATH, &[("content-type", "application/fhir+json")], body).await }
    };
    send("{").await.refused(400, "BAD_REQUEST");
    send(&" ".repeat(crate::records_world::BODY_LIMIT + 1)).await.refused(413, "TOO_LARGE");
    let unnamed = system.send(axum::http::Method::POST, PATH, &[], about(&["N-1"]).to_string()).await;
    unnamed.refused(415, "UNSUPPORTED_MEDIA_TYPE");
}
