//! Attachments by themselves: kept for their sender alone until something holds them, and dropped where nothing does.

use super::callers::{clinician, coordinator, patient};
use super::documents::keeps;
use crate::kit::World;
use axum::http::Method;
use serde_json::json;

const BYTES: &[u8] = b"0123456789";
const DAY: i64 = 86_400;

fn at(id: &str) -> String {
    format!("/json/attachments/{id}")
}

#[tokio::test]
async fn bytes_of_any_type_are_kept_for_their_sender_alone() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let path = "/json/attachments?fileName=caf%C3%A9.bin";
    let kept = patient.send(Method::POST, path, &[("content-type", "x-new/thing; a=b")], BYTES).await;
    assert_eq!(kept.status, 201, "{}", kept.text());
    let said = kept.json();
    let id = said["id"].as_str().unwrap();
    let sha256 = "84d89877f0d4041efb6bf91a16f0248f2fd573e6af05c19f96bedb9f882f7882";
    let told = json!({ "id": id, "name": "café.bin", "contentType": "x-new/thing; a=b", "size": 10, "sha256": sha256 });
    assert_eq!(said, told);
    assert!(kept.header("location").unwrap().ends_with(&format!("/fhir/Binary/{id}")));
    let own = patient.get(&at(id)).await;
    assert_eq!((own.opened().body.as_slice(), own.header("content-type")), (BYTES, Some("x-new/thing; a=b")));
    let disposition = "attachment; filename=\"caf_.bin\"; filename*=UTF-8''caf%C3%A9.bin";
    assert_eq!(own.header("content-disposition"), Some(disposition));
    let nothing = "there is no attachment of this id";
    clinician.get(&at(id)).await.says_in_rest(404, nothing);
    coordinator(&w).await.get(&at(id)).await.says_in_rest(404, nothing);
    let of_team = keeps(&clinician, BYTES).await;
    patient.get(&at(&of_team)).await.says_in_rest(404, nothing);
    coordinator(&w).await.get(&at(&of_team)).await.opened();
    assert_eq!(patient.status(&format!("/fhir/Binary/{of_team}")).await, 404);
}

#[tokio::test]
async fn what_nothing_holds_after_a_day_is_dropped_once() {
    let w = World::new().await;
    let clinician = clinician(&w).await;
    let (loose, held) = (keeps(&clinician, b"loose").await, keeps(&clinician, b"held").await);
    let document = json!({ "title": "Letter", "date": "2026-11", "attachments": [held] });
    let path = "/json/documents/forPatient/amina";
    assert_eq!(clinician.sends(Method::POST, path, &document).await.status, 201);
    let sweep = || async { store::sweep::sweep(&w.app.store, w.now()).await.unwrap().attachments };
    assert_eq!(sweep().await, 0);
    w.after(DAY);
    let (patient, clinician) = (super::callers::patient(&w).await, super::callers::clinician(&w).await);
    let late = json!({ "title": "Late", "date": "2026-11", "attachments": [loose] });
    let words = "attachments[0]: is no attachment that was stored by this caller";
    clinician.sends(Method::POST, path, &late).await.says_in_rest(422, words);
    assert_eq!((sweep().await, sweep().await), (2, 0));
    clinician.get(&at(&loose)).await.says_in_rest(404, "there is no attachment");
    clinician.sends(Method::POST, path, &late).await.says_in_rest(422, words);
    for caller in [&patient, &clinician] {
        assert_eq!(caller.get(&at(&held)).await.opened().body, b"held");
    }
}

#[tokio::test]
async fn a_range_is_given_where_there_is_one() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let kept = patient.send(Method::POST, "/json/attachments", &[("content-type", "text/plain")], BYTES).await.json();
    let path = at(kept["id"].as_str().unwrap());
    let part = patient.get_with(&path, &[("range", "bytes=2-4")]).await;
    assert_eq!(
        (part.status, part.body.as_slice(), part.header("content-range")),
        (206, &b"234"[..], Some("bytes 2-4/10"))
    );
    let same = patient.get_with(&path, &[("range", "bytes=8-"), ("if-range", "\"1\"")]).await;
    assert_eq!((same.status, same.body.as_slice()), (206, &b"89"[..]));
    let other = patient.get_with(&path, &[("range", "bytes=8-"), ("if-range", "\"2\"")]).await;
    assert_eq!((other.status, other.body.as_slice()), (200, BYTES));
    patient.get_with(&path, &[("range", "bytes=10-")]).await.says_in_rest(416, "");
    let head = patient.head(&path).await;
    assert_eq!((head.status, head.body.len(), head.header("content-length")), (200, 0, Some("10")));
    let empty = patient.send(Method::POST, "/json/attachments", &[], "").await.json();
    assert_eq!((&empty["size"], &empty["contentType"]), (&json!(0), &json!("application/octet-stream")));
    let nothing = at(empty["id"].as_str().unwrap());
    assert_eq!(patient.get(&nothing).await.opened().body, b"");
    patient.get_with(&nothing, &[("range", "bytes=0-")]).await.says_in_rest(416, "");
}

#[tokio::test]
async fn what_is_wrong_with_an_attachment_is_said() {
    let w = World::with(|settings| settings.api_body_bytes = 1 << 20).await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let post = async |path: &str, media_type: &str| {
        patient.send(Method::POST, path, &[("content-type", media_type)], BYTES).await
    };
    for media_type in ["none", "multipart/form-data; boundary=x", "text/"] {
        post("/json/attachments", media_type).await.says_in_rest(415, "send the bytes of one file");
    }
    for (query, words) in [
        ("x=1".to_owned(), "unknown parameter x; known: patientId, fileName"),
        ("fileName=a&fileName=b".to_owned(), "parameter fileName: was sent twice"),
        ("fileName=a%0d%0ab".to_owned(), "parameter fileName: must be text without control characters"),
        (format!("fileName={}", "x".repeat(256)), "parameter fileName: must be at most 255 bytes long"),
    ] {
        post(&format!("/json/attachments?{query}"), "text/plain").await.says_in_rest(400, words);
    }
    post("/json/attachments?patientId=ben", "text/plain").await.says_in_rest(404, "Patient not found");
    let large = vec![b'x'; (1 << 20) + 1];
    patient.send(Method::POST, "/json/attachments", &[], large).await.says_in_rest(413, "");
    clinician.send(Method::POST, "/json/attachments", &[], BYTES).await.says_in_rest(400, "parameter patientId: ");
    let path = "/json/attachments?patientId=ben";
    clinician.send(Method::POST, path, &[], BYTES).await.says_in_rest(404, "Patient not found");
}

#[tokio::test]
async fn a_journal_entry_and_a_plan_have_what_is_attached_to_them_in_documents() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let own = keeps(&patient, b"picture").await;
    let entry =
        json!({ "text": "The rash.", "date": "2026-11-02", "privacyLabel": "SEXUAL_HEALTH", "attachments": [own] });
    let made = patient.sends(Method::POST, "/json/journal", &entry).await;
    assert_eq!((made.status, &made.json()["attachments"]), (201, &json!([own])), "{}", made.text());
    assert_eq!(patient.get("/json/journal").await.json()[0]["attachments"], json!([own]));
    let document = patient.get("/json/documents").await.json();
    let document = document.as_array().unwrap().iter().find(|one| one["attachments"][0]["id"] == own).unwrap().clone();
    assert_eq!(document["privacyLabel"], "SEXUAL_HEALTH", "{document}");
    let mut entry = made.json();
    entry["attachments"] = json!([]);
    let id = entry["id"].as_str().unwrap().to_owned();
    let emptied = patient.sends(Method::PUT, &format!("/json/journal/{id}"), &entry).await;
    assert_eq!((emptied.status, &emptied.json()["attachments"]), (200, &json!([])), "{}", emptied.text());
    let theirs = keeps(&clinician, b"plan").await;
    let plan = json!({ "patientId": "amina", "name": "Plan", "status": "ACTIVE", "attachments": [theirs] });
    let made = clinician.sends(Method::POST, "/json/treatmentPlans", &plan).await;
    assert_eq!((made.status, &made.json()["attachments"][0]["name"]), (201, &json!("letter.pdf")), "{}", made.text());
    assert_eq!(patient.get(&at(&theirs)).await.opened().body, b"plan");
    let mut both = made.json();
    both["attachments"] = json!([theirs, keeps(&clinician, b"more").await]);
    let path = format!("/json/treatmentPlans/{}", both["id"].as_str().unwrap());
    let changed = clinician.sends(Method::PUT, &path, &both).await;
    assert_eq!(changed.json()["attachments"].as_array().map(Vec::len), Some(2), "{}", changed.text());
    let unknown = json!({ "text": "x", "date": "2026-11-02", "attachments": [theirs, keeps(&clinician, b"x").await] });
    let words = "attachments[1]: is no attachment that was stored by this caller";
    patient.sends(Method::POST, "/json/journal", &unknown).await.says_in_rest(422, words);
}
