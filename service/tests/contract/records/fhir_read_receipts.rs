//! `POST /fhir/DocumentReference/$read-receipt-query`, and what makes a document read.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA_LETTER_UUID, BEN_LETTER_UUID, ELSEWHERE, NOTE, document};
use crate::kit::{NOW, World};
use serde_json::{Value, json};

/// What the operator of these tests lets a body be.
const BODY_LIMIT: usize = 8 * 1024;
const PATH: &str = "/fhir/DocumentReference/$read-receipt-query";

fn about(identifiers: &[&str]) -> Value {
    let parameters: Vec<Value> =
        identifiers.iter().map(|id| json!({ "name": "documentIdentifier", "valueString": id })).collect();
    json!({ "resourceType": "Parameters", "parameter": parameters })
}

/// What a caller hears of the documents: identifier, whether read, and when.
async fn receipts(caller: &Caller<'_>, identifiers: &[&str]) -> Vec<(String, bool, Option<String>)> {
    let answer = caller.post(PATH, &about(identifiers)).await.opened().json();
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
    assert_eq!(receipts(&system, &[AMINA_LETTER_UUID]).await, [(AMINA_LETTER_UUID.into(), false, None)]);
    assert_eq!(w.amina().caller().await.get("/fhir/Binary/letter-text-amina").await.status, 200);
    let read = [(AMINA_LETTER_UUID.to_owned(), true, Some(NOW.to_owned()))];
    assert_eq!(receipts(&system, &[AMINA_LETTER_UUID]).await, read);
    w.app.clock.advance_seconds(60);
    assert_eq!(w.amina().caller().await.get("/fhir/Binary/letter-text-amina").await.status, 200);
    assert_eq!(receipts(&w.system().await, &[AMINA_LETTER_UUID]).await, read, "only the first opening counts");
}

#[tokio::test]
async fn every_door_through_which_a_patient_opens_content_counts() {
    for (identifier, door) in [
        (AMINA_LETTER_UUID, "/fhir/Binary/letter-text-amina"),
        (AMINA_LETTER_UUID, "/fhir/Binary/letter-text-amina?_format=json"),
        (AMINA_LETTER_UUID, "/json/attachments/letter-amina"),
        (AMINA_LETTER_UUID, "/json/attachments/letter-text-amina"),
        (NOTE, "/json/attachments/note"),
    ] {
        let w = World::new().await;
        assert_eq!(w.amina().caller().await.get(door).await.status, 200, "{door}");
        assert!(is_read(&w, identifier).await, "{door}");
        let other = if identifier == AMINA_LETTER_UUID { NOTE } else { AMINA_LETTER_UUID };
        assert!(!is_read(&w, other).await, "{door}");
    }
}

#[tokio::test]
async fn a_look_at_a_document_without_its_content_is_no_reading() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    assert_eq!(amina.get("/fhir/DocumentReference/letter-amina").await.status, 200);
    assert_eq!(amina.head("/fhir/Binary/letter-text-amina").await.status, 200);
    assert_eq!(amina.get("/fhir/DocumentReference/note").await.status, 200);
    assert_eq!(amina.head("/json/attachments/letter-amina").await.status, 200);
    assert_eq!(amina.get_with("/fhir/Binary/letter-text-amina", &[("if-none-match", "*")]).await.status, 304);
    assert_eq!(amina.get("/json/attachments/elsewhere").await.status, 404);
    for identifier in [AMINA_LETTER_UUID, NOTE, ELSEWHERE] {
        assert!(!is_read(&w, identifier).await, "{identifier}");
    }
}

#[tokio::test]
async fn nobody_else_reads_a_document_for_its_patient() {
    let w = World::new().await;
    for caller in [w.dr_okafor().caller().await, w.grace().caller().await, w.site().await, w.system().await] {
        assert_eq!(caller.get("/fhir/Binary/letter-text-amina").await.status, 200);
        assert_eq!(caller.get("/fhir/DocumentReference/note").await.status, 200);
    }
    for caller in [w.dr_okafor().caller().await, w.grace().caller().await, w.site().await] {
        assert_eq!(caller.get("/json/attachments/letter-amina").await.status, 200);
    }
    w.ben().caller().await.get("/fhir/Binary/letter-text-amina").await.says(404, "NOT_FOUND");
    assert!(!is_read(&w, AMINA_LETTER_UUID).await && !is_read(&w, NOTE).await);
}

#[tokio::test]
async fn unknown_and_foreign_documents_yield_no_entry() {
    let w = World::new().await;
    let asked = [BEN_LETTER_UUID, "unknown", NOTE, AMINA_LETTER_UUID, NOTE, "letter-ben"];
    for caller in [w.system().await, w.dr_okafor().caller().await, w.grace().caller().await, w.site().await] {
        let told: Vec<String> = receipts(&caller, &asked).await.into_iter().map(|receipt| receipt.0).collect();
        assert_eq!(told, [NOTE, AMINA_LETTER_UUID]);
    }
    let hillside: Vec<String> =
        receipts(&w.system_for_hillside().await, &asked).await.into_iter().map(|r| r.0).collect();
    assert_eq!(hillside, [BEN_LETTER_UUID, "letter-ben"]);
    let nothing = w.system().await.post(PATH, &about(&[BEN_LETTER_UUID])).await.opened().json();
    assert_eq!(nothing, json!({ "resourceType": "Parameters" }));
}

#[tokio::test]
async fn a_document_made_by_a_system_client_is_asked_about_by_its_identifier_or_its_id() {
    let w = World::new().await;
    let system = w.system().await;
    let sent = document("x", "amina", "NEW-9", json!({ "contentType": "text/plain", "data": "SGk=" }));
    let made = system.post("/fhir/DocumentReference", &sent).await.json();
    let id = made["id"].as_str().unwrap();
    let told = receipts(&system, &["NEW-9", id]).await;
    assert_eq!(told, [("NEW-9".into(), false, None), (id.to_owned(), false, None)]);
    assert_eq!(w.amina().caller().await.get(&format!("/json/attachments/{id}")).await.status, 200);
    assert!(receipts(&system, &["NEW-9", id]).await.iter().all(|receipt| receipt.1));
}

#[tokio::test]
async fn a_patient_session_gets_403() {
    let w = World::new().await;
    let words =
        w.amina().caller().await.post(PATH, &about(&[AMINA_LETTER_UUID])).await.words(403, "USER_TYPE_NOT_PERM");
    assert_eq!(words, "User type PATIENT can't execute API call requiring scope CLINICIAN");
}

#[tokio::test]
async fn a_query_asks_about_1_to_5000_documents_by_value_string() {
    let w = World::with(|settings| settings.api_body_bytes = BODY_LIMIT).await;
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
        one(json!({ "name": "document", "valueString": AMINA_LETTER_UUID })),
        json!([1]),
    ] {
        system.post(PATH, &body).await.says(400, "BAD_REQUEST");
    }
    let send = |body: &str| {
        let (system, body) = (&system, body.to_owned());
        async move { system.send(axum::http::Method::POST, PATH, &[("content-type", "application/fhir+json")], body).await }
    };
    send("{").await.says(400, "BAD_REQUEST");
    send(&" ".repeat(BODY_LIMIT + 1)).await.says(413, "TOO_LARGE");
    let unnamed = system.send(axum::http::Method::POST, PATH, &[], about(&[AMINA_LETTER_UUID]).to_string()).await;
    unnamed.says(415, "UNSUPPORTED_MEDIA_TYPE");
}
