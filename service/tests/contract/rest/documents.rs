//! Documents: made around attachments or together with their files, all or nothing, and read by their patient.

use super::callers::{clinician, coordinator, patient};
use crate::kit::World;
use crate::kit::caller::Caller;
use crate::kit::records::BEN;
use crate::kit::reply::Reply;
use axum::http::Method;
use serde_json::{Value, json};

const OF_AMINA: &str = "/json/documents/forPatient/amina";
const BOUNDARY: &str = "----parts";

fn letter(attachments: &[&str]) -> Value {
    json!({ "title": "Clinic letter", "type": "CLINIC_LETTER", "class": "OUT_PATIENT", "date": "2026-11-02",
        "attachments": attachments })
}

/// The id of an attachment that this caller keeps in Amina's name.
pub async fn keeps(caller: &Caller<'_>, bytes: &[u8]) -> String {
    let path = "/json/attachments?patientId=amina&fileName=letter.pdf";
    let kept = caller.send(Method::POST, path, &[("content-type", "application/pdf")], bytes.to_vec()).await;
    assert_eq!(kept.status, 201, "{}", kept.text());
    kept.json()["id"].as_str().unwrap().to_owned()
}

/// What follows `name=` in the head of a part, further headers, and its bytes.
type Part<'p> = (&'p str, &'p str, &'p [u8]);

/// A body of these parts.
fn parts(parts: &[Part<'_>]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, headers, bytes) in parts {
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name={name}\r\n{headers}\r\n");
        body.extend([head.as_bytes(), bytes, b"\r\n"].concat());
    }
    body.extend(format!("--{BOUNDARY}--\r\n").into_bytes());
    body
}

async fn sends_parts(caller: &Caller<'_>, path: &str, body: Vec<u8>) -> Reply {
    let media_type = format!("multipart/form-data; boundary={BOUNDARY}");
    caller.send(Method::POST, path, &[("content-type", &media_type)], body).await
}

fn without_attachments() -> String {
    json!({ "title": "Scan", "date": "2026-05", "externalId": "TXA-1" }).to_string()
}

const PDF: &str = "Content-Type: application/pdf\r\n";

#[tokio::test]
async fn a_document_around_an_attachment_is_read_listed_and_deleted_in_both_apis() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let attachment = keeps(&clinician, b"%PDF letter").await;
    let made = clinician.sends(Method::POST, OF_AMINA, &letter(&[&attachment])).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let item = made.json();
    let shown = json!([{ "id": attachment, "name": "letter.pdf", "contentType": "application/pdf", "size": 11 }]);
    assert_eq!((&item["attachments"], &item["status"]), (&shown, &json!("UNREAD")), "{item}");
    let id = item["id"].as_str().unwrap();
    let at = format!("/json/documents/{id}");
    let one = patient.get(&at).await;
    assert_eq!((one.opened().json(), one.header("record-view")), (item.clone(), Some("self")));
    assert_eq!(clinician.get(&at).await.opened().json(), item);
    let is_it = |list: &Value| list.as_array().unwrap().iter().any(|one| one["id"] == item["id"]);
    assert!(is_it(&patient.get("/json/documents?type=CLINIC_LETTER").await.opened().json()));
    assert!(!is_it(&patient.get("/json/documents?type=REFERRAL_LETTER").await.opened().json()));
    assert!(is_it(&clinician.get(&format!("{OF_AMINA}?status=UNREAD&limit=100")).await.opened().json()));
    assert!(patient.get(&format!("/fhir/DocumentReference/{id}")).await.opened().text().contains(&attachment));
    patient.delete(&at).await.says_in_rest(403, "only who made this may change it");
    assert_eq!(clinician.delete(&at).await.status, 204);
    assert_eq!(clinician.delete(&at).await.status, 204);
    patient.get(&at).await.says_in_rest(410, "Document was deleted");
    assert_eq!(patient.status(&format!("/fhir/DocumentReference/{id}")).await, 410);
    assert!(!is_it(&patient.get("/json/documents").await.opened().json()));
}

#[tokio::test]
async fn the_patient_who_opens_the_content_has_read_the_document_and_nobody_else_has() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let attachment = keeps(&clinician, b"%PDF letter").await;
    let made = clinician.sends(Method::POST, OF_AMINA, &letter(&[&attachment])).await.json();
    let (at, content) =
        (format!("/json/documents/{}", made["id"].as_str().unwrap()), format!("/json/attachments/{attachment}"));
    clinician.get(&content).await.opened();
    patient.head(&content).await.opened();
    patient.get(&at).await.opened();
    assert_eq!(patient.get(&at).await.json()["status"], "UNREAD");
    assert_eq!(patient.get(&content).await.opened().body, b"%PDF letter");
    let read = clinician.get(&at).await.json();
    assert_eq!((&read["status"], read["readAt"].is_string()), (&json!("READ"), true), "{read}");
    let listed = patient.get("/json/documents?status=READ").await.json();
    assert!(listed.as_array().unwrap().contains(&read), "{listed}");
}

#[tokio::test]
async fn a_document_comes_with_its_files_in_one_body() {
    let w = World::new().await;
    let (patient, document) = (patient(&w).await, without_attachments());
    let body = || {
        parts(&[
            ("file; filename=\"../x-ray.png\"", "Content-Type: image/png\r\n", b"PNG"),
            ("\"document\"", "Content-Type: application/json\r\n", document.as_bytes()),
            ("\"file\"; filename=\"b.pdf\"", PDF, b"%PDF"),
        ])
    };
    let made = sends_parts(&patient, "/json/v2/documents", body()).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let item = made.json();
    let said: Vec<_> = item["attachments"].as_array().unwrap().iter().map(|one| (&one["name"], &one["size"])).collect();
    assert_eq!(said, [(&json!("x-ray.png"), &json!(3)), (&json!("b.pdf"), &json!(4))]);
    let second = format!("/json/attachments/{}", item["attachments"][1]["id"].as_str().unwrap());
    assert_eq!(clinician(&w).await.get(&second).await.opened().body, b"%PDF");
    let again = sends_parts(&patient, "/json/documents", body()).await;
    assert_eq!(
        (again.status, again.json()["version"].clone(), &again.json()["attachments"]),
        (200, json!(1), &item["attachments"])
    );
    let other = parts(&[("document", "", document.as_bytes()), ("file", PDF, b"another")]);
    let changed = sends_parts(&patient, "/json/documents", other).await.json();
    assert_eq!((&changed["id"], &changed["version"]), (&item["id"], &json!(2)));
    assert_eq!(changed["attachments"].as_array().unwrap().len(), 1, "{changed}");
}

#[tokio::test]
async fn a_body_of_parts_is_taken_whole_or_not_at_all() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let document = without_attachments();
    let (of_document, of_file): (Part<'_>, Part<'_>) = (("document", "", document.as_bytes()), ("file", PDF, b"%PDF"));
    let mut eleven = vec![of_document];
    eleven.extend([of_file; 11]);
    let whole = parts(&[of_document, of_file]);
    let without_end = whole[..whole.len() - 20].to_vec();
    for (body, status, words) in [
        (parts(&eleven), 400, "the parts of the body: there are more than 10 parts file"),
        (parts(&[of_document]), 400, "the parts of the body: 1 to 10 must be named file"),
        (parts(&[of_file]), 400, "the parts of the body: one must be named document"),
        (parts(&[of_document, of_document, of_file]), 400, "the parts of the body: there are two parts document"),
        (
            parts(&[of_document, ("other", "", b""), of_file]),
            400,
            "the parts of the body: they are named document or file",
        ),
        (without_end, 400, "the parts of the body: they end before the last boundary"),
        (Vec::new(), 400, "the parts of the body:"),
        (parts(&[("document", "", b"{\"title\":1}"), of_file]), 400, "title: must be a string"),
        (parts(&[("document", "", b"{}"), of_file]), 400, "missing member title; missing member date"),
        (parts(&[("document", "", b"\xff"), of_file]), 400, "the parts of the body: the part document must be JSON"),
        (
            parts(&[of_document, ("file", "Content-Type: none\r\n", b"")]),
            422,
            "file[0].contentType: must be a media type",
        ),
    ] {
        sends_parts(&patient, "/json/documents", body).await.says_in_rest(status, words);
    }
    let long = format!("file; filename=\"{}\"", "x".repeat(300));
    let body = parts(&[of_document, (&long, "Content-Type: none\r\n", b"x")]);
    let reply = sends_parts(&patient, "/json/documents", body).await;
    reply.says_in_rest(422, "file[0].name: must be at most 255 bytes long; file[0].contentType: ");
    let large = vec![b'x'; 300_000];
    sends_parts(&patient, "/json/documents", parts(&[("document", "", &large), of_file])).await.says_in_rest(413, "");
    let reply = patient.send(Method::POST, "/json/documents", &[("content-type", "multipart/form-data")], "x").await;
    reply.says_in_rest(400, "Content-Type: multipart/form-data must name the boundary");
    let shown = patient.get("/json/documents").await.json();
    assert!(!shown.to_string().contains("Scan"), "{shown}");
}

#[tokio::test]
async fn files_larger_than_a_body_may_be_are_refused_together() {
    let w = World::with(|settings| settings.api_body_bytes = 1 << 20).await;
    let (patient, document) = (patient(&w).await, without_attachments());
    let half = vec![b'x'; 600_000];
    let body = parts(&[("document", "", document.as_bytes()), ("file", PDF, &half), ("file", PDF, &half)]);
    sends_parts(&patient, "/json/documents", body).await.says_in_rest(413, "");
    let body = parts(&[("document", "", document.as_bytes()), ("file", PDF, &half)]);
    assert_eq!(sends_parts(&patient, "/json/documents", body).await.status, 201);
}

#[tokio::test]
async fn a_file_name_breaks_no_header() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let document = json!({ "title": "Scan", "date": "2026" }).to_string();
    let name = "file; filename=\"a\\\"; x=%0d%0aSet-Cookie: b.pdf\"";
    let body = parts(&[("document", "", document.as_bytes()), (name, PDF, b"%PDF")]);
    let made = sends_parts(&patient, "/json/documents", body).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let id = made.json()["attachments"][0]["id"].as_str().unwrap().to_owned();
    let given = patient.get(&format!("/json/attachments/{id}")).await;
    let disposition = given.opened().header("content-disposition").unwrap();
    assert_eq!(disposition, "attachment; filename=\"a__ x__0d_0aSet-Cookie_ b.pdf\"");
    assert_eq!((given.header("set-cookie"), given.header("x-content-type-options")), (None, Some("nosniff")));
}

#[tokio::test]
async fn an_attachment_is_for_one_document_of_its_own_record_and_source() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let unknown = "attachments[0]: is no attachment that was stored by this caller";
    let of_clinician = keeps(&clinician, b"one").await;
    patient.sends(Method::POST, "/json/documents", &letter(&[&of_clinician])).await.says_in_rest(422, unknown);
    let ben = w.ben().caller().await;
    let path = "/json/attachments?fileName=x.txt";
    let of_ben = ben.send(Method::POST, path, &[("content-type", "text/plain")], "x").await.json();
    let of_ben = of_ben["id"].as_str().unwrap();
    patient.sends(Method::POST, "/json/documents", &letter(&[of_ben])).await.says_in_rest(422, unknown);
    for wrong in ["none", "letter-text-amina"] {
        patient.sends(Method::POST, "/json/documents", &letter(&[wrong])).await.says_in_rest(422, unknown);
    }
    let both = letter(&["none", "a b"]);
    let reply = patient.sends(Method::POST, "/json/documents", &both).await;
    assert!(reply.text().contains("attachments[1]: "), "all that is wrong: {}", reply.text());
    assert_eq!(clinician.sends(Method::POST, OF_AMINA, &letter(&[&of_clinician])).await.status, 201);
    let held = "attachments[0]: is held by something else already";
    clinician.sends(Method::POST, OF_AMINA, &letter(&[&of_clinician])).await.says_in_rest(422, held);
    let to_ben = format!("/json/documents/forPatient/{BEN}");
    clinician.sends(Method::POST, &to_ben, &letter(&[&of_clinician])).await.says_in_rest(404, "Patient not found");
}

#[tokio::test]
async fn of_many_who_claim_one_attachment_at_once_one_gets_it() {
    let w = World::new().await;
    let clinician = clinician(&w).await;
    let attachment = keeps(&clinician, b"one").await;
    let claim = |_| {
        let body = letter(&[&attachment]).to_string();
        let mut request = clinician.post_request(OF_AMINA, &json!({}));
        *request.body_mut() = body.into();
        request.headers_mut().insert("content-type", "application/json".parse().unwrap());
        request
    };
    let replies = w.shoots((0..8).map(claim).collect()).await;
    let mut statuses: Vec<u16> = replies.iter().map(|reply| reply.status).collect();
    statuses.sort_unstable();
    let (made, refused) = statuses.split_first().unwrap();
    assert_eq!(*made, 201, "{statuses:?}");
    assert!(refused.iter().all(|status| [409, 422].contains(status)), "{statuses:?}");
}

#[tokio::test]
async fn an_external_id_names_one_document() {
    let w = World::new().await;
    let clinician = clinician(&w).await;
    let mut sent = letter(&[&keeps(&clinician, b"one").await]);
    sent["externalId"] = json!("TXA-5512");
    let made = clinician.sends(Method::POST, OF_AMINA, &sent).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let again = clinician.sends(Method::POST, OF_AMINA, &sent).await;
    assert_eq!((again.status, again.json()), (200, made.json()));
    sent["attachments"] = json!([keeps(&clinician, b"two").await, sent["attachments"][0]]);
    let changed = clinician.sends(Method::POST, OF_AMINA, &sent).await;
    assert_eq!((changed.status, &changed.json()["version"]), (200, &json!(2)), "{}", changed.text());
    let sizes: Vec<_> = changed.json()["attachments"].as_array().unwrap().iter().map(|one| one["id"].clone()).collect();
    assert_eq!(json!(sizes), sent["attachments"]);
}

#[tokio::test]
async fn a_coordinator_reads_documents_and_writes_none() {
    let w = World::new().await;
    let coordinator = coordinator(&w).await;
    let words = "User type TEAMCOORD can't execute API call requiring scope";
    coordinator.get(OF_AMINA).await.opened();
    coordinator.get("/json/documents/letter-amina").await.opened();
    coordinator.get("/json/documents").await.says_in_rest(403, words);
    coordinator.sends(Method::POST, OF_AMINA, &letter(&["x"])).await.says_in_rest(403, words);
    coordinator.send(Method::POST, "/json/attachments?patientId=amina", &[], "x").await.says_in_rest(403, words);
    coordinator.delete("/json/documents/letter-amina").await.says_in_rest(403, words);
    let system = w.system().await;
    for path in [OF_AMINA, "/json/documents", "/json/documents/letter-amina", "/json/attachments/letter-amina"] {
        system.get(path).await.says_in_rest(403, "a System Client can't call the custom REST API");
    }
    system.send(Method::POST, "/json/attachments", &[], "x").await.says_in_rest(403, "a System Client");
}

#[tokio::test]
async fn what_is_no_document_or_out_of_reach_is_not_found() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    for id in ["none", "letter-ben", "letter-text-amina", "a%20b", "%ff"] {
        for caller in [&patient, &clinician] {
            caller.get(&format!("/json/documents/{id}")).await.says_in_rest(404, "Document not found");
        }
    }
    patient.get("/json/documents/letter-amina?x=1").await.says_in_rest(400, "unknown parameter x");
    patient.get("/json/documents?type=LETTER").await.says_in_rest(400, "parameter type: must be one of OTHER");
    patient.get("/json/documents?status=SEEN").await.says_in_rest(400, "parameter status: must be one of UNREAD, READ");
}

#[tokio::test]
async fn what_programs_read_says_how_files_are_sent() {
    let w = World::new().await;
    let described = w.get("/openapi.json").await.json();
    let body = |path: &str, media_type: &str| {
        described["paths"][path]["post"]["requestBody"]["content"][media_type]["schema"].clone()
    };
    let parts = body("/json/documents/forPatient/{patientId}", "multipart/form-data");
    assert_eq!(parts["properties"]["file"]["maxItems"], 10, "{parts}");
    assert_eq!(parts["properties"]["document"], body("/json/documents", "application/json"));
    assert!(body("/json/attachments", "application/octet-stream").is_object());
    assert!(body("/json/attachments", "application/json").is_null());
}

/// A head that never ends, in a body that is not too long, costs no more than reading it.
#[tokio::test]
async fn a_part_whose_head_never_ends_is_refused() {
    let w = World::new().await;
    let head = format!("--{BOUNDARY}\r\nX-Long: {}", "x".repeat(2 << 20));
    let reply = sends_parts(&patient(&w).await, "/json/documents", head.into_bytes()).await;
    reply.says_in_rest(400, "the parts of the body: they end before the last boundary");
}
