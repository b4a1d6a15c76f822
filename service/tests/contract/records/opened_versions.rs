//! Reading what a document was, or what a Binary holds, is reading it: the receipt says so, whichever door was used.

use crate::kit::records::{AMINA, AMINA_LETTER_UUID, NOTE, document, import, left_by_older_release};
use crate::kit::{MINUTE, RIVERSIDE, World};
use serde_json::json;

/// Whether Riverside's receipt for this document says that it was read.
async fn is_read(w: &World, identifier: &str) -> bool {
    let parameter = json!([{ "name": "documentIdentifier", "valueString": identifier }]);
    let query = json!({ "resourceType": "Parameters", "parameter": parameter });
    let told = w.system().await.post("/fhir/DocumentReference/$read-receipt-query", &query).await;
    told.opened().json()["parameter"][0]["part"][1]["valueBoolean"].as_bool().unwrap()
}

/// Amina's note, whose content is in its second version, as an older release stored it, and then on another server.
async fn note_moves_away(w: &World) {
    w.after(MINUTE);
    let inside = document("note", AMINA, NOTE, json!({ "contentType": "text/html", "data": "PGI+SGk8L2I+" }));
    left_by_older_release(&w.app.store, RIVERSIDE, &inside, w.now()).await;
    w.after(MINUTE);
    let third = document("note", AMINA, NOTE, json!({ "url": "https://files.example/x.pdf" }));
    import(&w.app.store, RIVERSIDE, &[third], w.now()).await;
}

/// A patient who reads an old version with its content inside, or a history with it, has read the document.
// gaps: Records and reach > Read receipts
#[tokio::test]
async fn a_patient_who_reads_a_version_with_its_content_has_read_the_document() {
    for (identifier, door) in [
        (NOTE, "/fhir/DocumentReference/note/_history/2"),
        (NOTE, "/fhir/DocumentReference/note/_history"),
        (AMINA_LETTER_UUID, "/fhir/Binary/letter-text-amina/_history/1"),
        (AMINA_LETTER_UUID, "/fhir/Binary/letter-text-amina/_history/1?_format=json"),
    ] {
        let w = World::new().await;
        note_moves_away(&w).await;
        w.amina().caller().await.get(door).await.opened();
        assert!(is_read(&w, identifier).await, "{door}");
        let other = if identifier == NOTE { AMINA_LETTER_UUID } else { NOTE };
        assert!(!is_read(&w, other).await, "{door}");
    }
}

/// Neither a look without content nor somebody else's is the patient's reading.
// gaps: Records and reach > Read receipts
#[tokio::test]
async fn a_look_at_a_version_without_its_content_is_no_reading() {
    let w = World::new().await;
    note_moves_away(&w).await;
    let amina = w.amina().caller().await;
    amina.get("/fhir/DocumentReference/note/_history/1").await.opened();
    amina.get("/fhir/DocumentReference/note/_history/3").await.opened();
    amina.get("/fhir/DocumentReference/note/_history?_count=1").await.opened();
    amina.get("/fhir/Binary/letter-text-amina/_history").await.opened();
    for path in
        ["DocumentReference/note/_history/2", "DocumentReference/note/_history", "Binary/letter-text-amina/_history"]
    {
        assert_eq!(amina.head(&format!("/fhir/{path}")).await.status, 200, "{path}");
    }
    let held = [("if-none-match", "W/\"2\"")];
    assert_eq!(amina.get_with("/fhir/DocumentReference/note/_history/2", &held).await.status, 304);
    let held = [("if-none-match", "W/\"1\"")];
    assert_eq!(amina.get_with("/fhir/Binary/letter-text-amina/_history/1", &held).await.status, 304);
    for caller in [w.dr_okafor().caller().await, w.grace().caller().await, w.site().await, w.system().await] {
        caller.get("/fhir/DocumentReference/note/_history/2").await.opened();
        caller.get("/fhir/DocumentReference/note/_history").await.opened();
        caller.get("/fhir/Binary/letter-text-amina/_history/1").await.opened();
    }
    assert!(!is_read(&w, NOTE).await && !is_read(&w, AMINA_LETTER_UUID).await);
}

/// A receipt goes by who sent the document, not by who may see it: a sender keeps it when the patient has left.
// gaps: Records and reach > Read receipts
#[tokio::test]
async fn a_sender_hears_of_its_document_after_the_patient_has_left() {
    let w = World::new().await;
    let silva = w.dr_silva().caller().await;
    w.amina().is_of(&[]).await;
    w.amina().caller().await.get("/fhir/Binary/letter-text-amina").await.opened();
    assert!(is_read(&w, AMINA_LETTER_UUID).await);
    let parameter = json!([{ "name": "documentIdentifier", "valueString": AMINA_LETTER_UUID }]);
    let query = json!({ "resourceType": "Parameters", "parameter": parameter });
    let told = silva.post("/fhir/DocumentReference/$read-receipt-query", &query).await;
    assert_eq!(told.opened().json()["parameter"].as_array().unwrap().len(), 1, "of her own organisation");
    w.ben().is_of(&[crate::kit::SLEEP_TEAM]).await;
    let foreign = json!([{ "name": "documentIdentifier", "valueString": "letter-ben" }]);
    let query = json!({ "resourceType": "Parameters", "parameter": foreign });
    let told = silva.post("/fhir/DocumentReference/$read-receipt-query", &query).await;
    assert_eq!(told.opened().json().get("parameter"), None, "she sees it, but another organisation sent it");
    assert_eq!(silva.status("/fhir/DocumentReference/letter-ben").await, 200);
}
