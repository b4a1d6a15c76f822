//! The records behind the two APIs: who finds, reads and writes what, and what becomes of a letter that is opened.

use crate::kit::caller::{Caller, REST_PATH, fhir_path, patient_search};
use crate::kit::records::{AMINA, AMINA_LETTER_UUID, AMINA_NHS, BEN, BEN_LETTER_UUID, BEN_NHS, LETTER_TEXT, letter_of};
use crate::kit::{BASE, MINUTE, NOW, RIVERSIDE, World};
use serde_json::{Value, json};

const RECEIPTS: &str = "/fhir/DocumentReference/$read-receipt-query";

fn asks_about(identifiers: &[&str]) -> Value {
    let one = |id: &&str| json!({ "name": "documentIdentifier", "valueString": id });
    json!({ "resourceType": "Parameters", "parameter": identifiers.iter().map(one).collect::<Vec<_>>() })
}

fn receipt(identifier: &str, read_at: Option<&str>) -> Value {
    let mut part = vec![
        json!({ "name": "documentIdentifier", "valueString": identifier }),
        json!({ "name": "read", "valueBoolean": read_at.is_some() }),
    ];
    part.extend(read_at.map(|at| json!({ "name": "readAt", "valueDateTime": at })));
    json!({ "name": "readReceipt", "part": part })
}

fn letter(patient: &str) -> Value {
    json!({
        "resourceType": "DocumentReference", "status": "current",
        "subject": { "reference": format!("Patient/{patient}") },
        "content": [{ "attachment": { "contentType": "text/plain", "data": "SGVsbG8=" } }],
    })
}

/// A search by identifier is a searchset Bundle; what the caller may not see is left out, not refused.
// contract: 3. Calling the APIs > GET | {base_url}/fhir/Patient?identifier=<system>\|<value>
// contract: 3. Calling the APIs > Response bodies of these two calls
// gaps: The two APIs > GET /fhir/Patient?identifier=
#[tokio::test]
async fn a_patient_search_finds_what_the_caller_may_see_and_leaves_out_the_rest() {
    let w = World::new().await;
    for caller in [w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, w.system().await] {
        assert_eq!(caller.get(&fhir_path()).await.found(), [AMINA]);
        assert_eq!(caller.get(&patient_search(BEN_NHS)).await.found(), Vec::<String>::new());
        assert_eq!(caller.get(&format!("/fhir/Patient?_id={AMINA}")).await.found(), [AMINA]);
        let elsewhere = format!("/fhir/Patient?identifier=urn:other%7C{AMINA_NHS}");
        assert_eq!(caller.get(&elsewhere).await.found(), Vec::<String>::new());
    }
}

/// Out of reach and not there are one answer; what is in reach is the resource as stored, with our version and time.
// contract: Other resources > Fields of the Patient and DocumentReference
#[tokio::test]
async fn a_record_out_of_reach_is_not_there() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let (document, binary) = letter_of(BEN);
    for path in [format!("Patient/{BEN}"), format!("DocumentReference/{document}"), format!("Binary/{binary}")] {
        amina.get(&format!("/fhir/{path}")).await.says(404, "NOT_FOUND");
    }
    amina.get("/fhir/Patient/nobody").await.says(404, "NOT_FOUND");
    let reply = amina.get(&format!("/fhir/Patient/{AMINA}")).await;
    let patient = reply.opened().json();
    assert_eq!((&patient["resourceType"], &patient["id"]), (&json!("Patient"), &json!(AMINA)));
    let source = format!("urn:recordgate:organisation:{RIVERSIDE}");
    assert_eq!(patient["meta"], json!({ "versionId": "1", "lastUpdated": NOW, "source": source }));
    assert_eq!(reply.header("etag"), Some("W/\"1\""));
}

/// A document that was created: 201, Location, ETag, our id and version, and it belongs to whoever wrote it.
// gaps: The two APIs > Who may write over FHIR
#[tokio::test]
async fn whoever_writes_a_document_becomes_its_source() {
    let w = World::new().await;
    let (lab, amina) = (w.system().await, w.amina().caller().await);
    let (okafor, site) = (w.dr_okafor().caller().await, w.site().await);
    for (number, writer) in [&lab, &okafor, &site, &amina].into_iter().enumerate() {
        let reply = writer.post("/fhir/DocumentReference", &letter(AMINA)).await;
        assert_eq!(reply.status, 201, "{number}: {}", reply.text());
        let stored = reply.json();
        assert_eq!((&stored["meta"]["versionId"], reply.header("etag")), (&json!("1"), Some("W/\"1\"")));
        let id = stored["id"].as_str().unwrap();
        let location = reply.header("location").unwrap();
        assert!(location.starts_with(&format!("{BASE}/fhir/DocumentReference/{id}")), "{location}");
        amina.get(&format!("/fhir/DocumentReference/{id}")).await.opened();
        let by_riverside = lab.get(&format!("/fhir/DocumentReference/{id}")).await;
        assert_eq!(by_riverside.status, if number == 3 { 404 } else { 200 }, "the patient's own is nobody else's");
    }
}

/// A TEAMCOORD session writes no clinical data; nobody writes about a patient out of their reach.
// gaps: The two APIs > Who may write over FHIR
#[tokio::test]
async fn a_coordinator_writes_nothing_and_nobody_writes_out_of_reach() {
    let w = World::new().await;
    let grace = w.grace().caller().await;
    let written = grace.post("/fhir/DocumentReference", &letter(AMINA)).await;
    written.says(403, "USER_TYPE_NOT_PERM");
    for writer in [w.system().await, w.dr_okafor().caller().await, w.amina().caller().await] {
        writer.post("/fhir/DocumentReference", &letter(BEN)).await.says(422, "UNPROCESSABLE");
    }
}

/// The wrong user type: 403, with FHIR's code, or a System Client's own words on custom REST.
// gaps: The two APIs > Wrong user type or client kind
#[tokio::test]
async fn the_wrong_user_type_or_client_kind_is_403() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let reply = amina.post(RECEIPTS, &asks_about(&[AMINA_LETTER_UUID])).await;
    reply.says(403, "USER_TYPE_NOT_PERM");
    let words = reply.json()["issue"][0]["details"]["text"].clone();
    assert_eq!(words, "User type PATIENT can't execute API call requiring scope CLINICIAN");
    w.system().await.get(REST_PATH).await.says_in_rest(403, "a System Client can't call the custom REST API");
}

/// Read receipts: one per known document of the calling organisation; `readAt` once read; foreign ones yield nothing.
// contract: 3. Calling the APIs > POST | {base_url}/fhir/DocumentReference/$read-receipt-query
// gaps: The two APIs > $read-receipt-query
#[tokio::test]
async fn a_read_receipt_tells_whether_and_when_the_patient_opened_the_letter() {
    let w = World::new().await;
    let asked = asks_about(&[AMINA_LETTER_UUID, BEN_LETTER_UUID, "unknown"]);
    let okafor = w.dr_okafor().caller().await;
    let callers = [w.system().await, w.grace().caller().await, w.site().await];
    let told = async |receipts: Value| {
        for caller in callers.iter().chain([&okafor]) {
            let reply = caller.post(RECEIPTS, &asked).await;
            assert_eq!(reply.opened().header("content-type"), Some("application/fhir+json; charset=UTF-8"));
            let answer = reply.json();
            assert_eq!((&answer["resourceType"], &answer["parameter"]), (&json!("Parameters"), &receipts));
        }
    };
    told(json!([receipt(AMINA_LETTER_UUID, None)])).await;
    let (document, binary) = letter_of(AMINA);
    okafor.get(&format!("/fhir/Binary/{binary}")).await.opened();
    let amina = w.amina().caller().await;
    amina.get(&format!("/fhir/DocumentReference/{document}")).await.opened();
    told(json!([receipt(AMINA_LETTER_UUID, None)])).await;
    w.after(MINUTE);
    amina.get(&format!("/fhir/Binary/{binary}")).await.opened();
    w.after(MINUTE);
    amina.get(&format!("/json/attachments/{binary}")).await.opened();
    told(json!([receipt(AMINA_LETTER_UUID, Some("2026-11-15T09:31:00.000Z"))])).await;
    let foreign = w.system_for_hillside().await.post(RECEIPTS, &asks_about(&[AMINA_LETTER_UUID])).await;
    assert_eq!(foreign.opened().json().get("parameter"), None);
}

/// 1 to 5000 `documentIdentifier`, each a valueString, in a Parameters resource.
// gaps: The two APIs > $read-receipt-query
#[tokio::test]
async fn a_read_receipt_query_holds_1_to_5000_identifiers() {
    let w = World::new().await;
    let lab = w.system().await;
    let many = vec![AMINA_LETTER_UUID; 5001];
    lab.post(RECEIPTS, &asks_about(&many[..5000])).await.opened();
    for wrong in [asks_about(&many), asks_about(&[]), letter(AMINA), json!({ "resourceType": "Parameters" })] {
        lab.post(RECEIPTS, &wrong).await.says(400, "BAD_REQUEST");
    }
}

/// `/metadata` is open, of FHIR R4, and names the OAuth endpoints; it needs no organisation either.
// gaps: The two APIs > FHIR version
// gaps: The two APIs > X-Org-Public-Id
#[tokio::test]
async fn metadata_is_open_and_says_which_fhir_and_which_endpoints() {
    let w = World::new().await;
    let lab = w.system().await;
    Caller { organisation: None, ..lab }.get("/fhir/metadata").await.opened();
    let reply = w.get("/fhir/metadata").await;
    assert_eq!((reply.status, reply.header("content-type")), (200, Some("application/fhir+json; charset=UTF-8")));
    assert_eq!(reply.json()["fhirVersion"], "4.0.1");
    for endpoint in ["/apiAuthorize.action", "/apiToken.action"] {
        assert!(reply.text().contains(&format!("{BASE}{endpoint}")), "{endpoint}");
    }
}

/// The custom REST operations that this service has: who I am, and the content of an attachment.
// gaps: The two APIs > Custom REST operations
// contract: What the service does > The full list of operations
#[tokio::test]
async fn the_custom_rest_api_tells_who_is_behind_a_session_and_hands_out_attachments() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    let myself = amina.get(REST_PATH).await;
    let myself = myself.opened().json();
    assert_eq!((&myself["firstName"], &myself["lastName"]), (&json!("Amina Noor"), &json!("Rahman")));
    assert_eq!((&myself["dob"], &myself["patient"]), (&json!("1984-02-29"), &json!(true)));
    assert_eq!(myself["nationalIds"][0]["value"], AMINA_NHS);
    for id in [letter_of(AMINA).0, letter_of(AMINA).1] {
        let reply = amina.get(&format!("/json/attachments/{id}")).await;
        assert_eq!(reply.opened().text(), LETTER_TEXT);
    }
    let foreign = amina.get(&format!("/json/attachments/{}", letter_of(BEN).1)).await;
    foreign.says_in_rest(404, "there is no attachment");
}

/// The ledger: every access, grant, rotation, replay and revocation, readable by the patient concerned.
// gaps: The two APIs > Events
// contract: Events > Events: not shown
#[tokio::test]
async fn the_patient_reads_who_did_what_with_their_record() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    app.refresh(&first).await.granted();
    app.refresh(&first).await.refused("invalid_grant");
    let okafor = w.dr_okafor().caller().await;
    okafor.get(&format!("/fhir/Patient/{AMINA}")).await.opened();
    let lab = w.system().await;
    lab.get(&format!("/fhir/Binary/{}", letter_of(AMINA).1)).await.opened();
    let log = w.amina().signs_in().await.sees("/access-log").await;
    for told in [
        "You gave this app access",
        "The app was connected",
        "The access was ended",
        "it may have been copied",
        "Sleep Diary",
    ] {
        assert!(log.html.contains(told), "{told} in {}", log.html);
    }
    for told in ["Opened your personal details", "Ward Round", "Opened a letter", "Lab Link", "for Riverside"] {
        assert!(log.html.contains(told), "{told} in {}", log.html);
    }
    assert!(!w.ben().signs_in().await.sees("/access-log").await.html.contains("Ward Round"), "nobody else's");
}
