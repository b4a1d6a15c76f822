//! What belongs to several patients, to nobody here, or to another source; and what a label does to it.

use crate::kit::records::{AMINA, BEN, LETTER_BASE64, document, import, letter};
use crate::kit::{HILLSIDE, RIVERSIDE, World};
use serde_json::{Value, json};

const LABELS: &str = "urn:recordgate:privacy-label";

/// A document about Amina that Ben wrote, imported for Riverside.
fn of_both(id: &str) -> Value {
    let mut document = document(id, AMINA, "B-1", json!({ "contentType": "text/plain", "data": "SGk=" }));
    document["author"] = json!([{ "reference": "Patient/ben" }, { "reference": "Practitioner/okafor" }]);
    document
}

fn binary(id: &str) -> Value {
    json!({ "resourceType": "Binary", "id": id, "contentType": "text/plain", "data": LETTER_BASE64,
        "securityContext": { "reference": "Patient/amina" } })
}

/// A document of two patients is in the record of each, whole, and shows to whoever may see either of them.
// gaps: Records and reach > Compartments
#[tokio::test]
async fn a_document_of_two_patients_is_in_both_records_with_all_its_references() {
    let w = World::new().await;
    import(&w.app.store, RIVERSIDE, &[of_both("both")], w.now()).await;
    let henry = w.henry().caller().await;
    let riverside = w.system().await;
    for reader in [w.amina().caller().await, w.ben().caller().await, w.dr_okafor().caller().await, henry] {
        let found = reader.get("/fhir/DocumentReference/both").await;
        assert_eq!(found.opened().json()["author"], of_both("both")["author"]);
        assert_eq!(found.json()["subject"]["reference"], "Patient/amina");
        reader.get("/fhir/DocumentReference/both/_history/1").await.opened();
        assert_eq!(reader.get("/json/attachments/both").await.opened().text(), "Hi");
    }
    w.dr_silva().caller().await.get("/fhir/DocumentReference/both").await.says(404, "NOT_FOUND");
    w.system_for_hillside().await.get("/fhir/DocumentReference/both").await.says(404, "NOT_FOUND");
    w.ben().caller().await.get("/fhir/Patient/amina").await.says(404, "NOT_FOUND");
    riverside.get("/fhir/Patient/ben").await.opened();
}

/// In a patient's own session no search looks at anybody else's record, though it shares something with theirs.
// gaps: Records and reach > Patients whom a search names
#[tokio::test]
async fn a_patient_finds_what_is_shared_by_their_own_name_and_not_by_the_others() {
    let w = World::new().await;
    import(&w.app.store, RIVERSIDE, &[of_both("both")], w.now()).await;
    let (amina, ben) = (w.amina().caller().await, w.ben().caller().await);
    let of_amina =
        ["subject=Patient/amina", "patient=amina", "subject:Patient=amina&_sort=-date", "subject=amina&author=ben"];
    for query in of_amina {
        let path = format!("/fhir/DocumentReference?{query}&_total=accurate&identifier=B-1");
        assert_eq!(amina.get(&path).await.opened().json()["total"], u8::from(!query.contains("author")), "{query}");
        assert_eq!(ben.get(&path).await.opened().json()["total"], 0, "{query}");
    }
    let by_own_name = "/fhir/DocumentReference?author=Patient/ben&_total=accurate";
    assert_eq!(ben.get(by_own_name).await.opened().json()["total"], 1);
    let in_her_record = "/fhir/Patient/amina/DocumentReference?_total=accurate";
    assert_eq!(ben.get(in_her_record).await.opened().json()["total"], 0);
}

/// What another host has under the same path is nobody's here.
// gaps: Records and reach > Compartments
#[tokio::test]
async fn a_reference_to_another_hosts_patient_is_in_nobodys_record() {
    let w = World::new().await;
    let mut foreign = document("foreign", AMINA, "F-1", json!({ "contentType": "text/plain", "data": "SGk=" }));
    foreign["author"] = json!([{ "reference": "https://other.example/fhir/Patient/ben" }]);
    let nobodys = binary("nobodys");
    import(&w.app.store, RIVERSIDE, &[foreign, nobodys], w.now()).await;
    let (amina, ben, lab) = (w.amina().caller().await, w.ben().caller().await, w.system().await);
    let foreign = "/fhir/DocumentReference/foreign";
    assert_eq!((amina.status(foreign).await, ben.status(foreign).await), (200, 404));
    let nobodys = "/fhir/Binary/nobodys";
    assert_eq!((amina.status(nobodys).await, lab.status(nobodys).await), (404, 200));
    assert_eq!(w.dr_okafor().caller().await.status(nobodys).await, 404, "an organisation's is not its teams'");
}

/// A document opens a Binary of its own source only, whatever the Binary says in `securityContext`.
// gaps: Records and reach > Binary | Opens through a document
#[tokio::test]
async fn a_document_around_another_sources_binary_opens_nothing() {
    let w = World::new().await;
    import(&w.app.store, HILLSIDE, &[binary("scan")], w.now()).await;
    let around = json!({ "contentType": "text/plain", "url": "Binary/scan" });
    import(&w.app.store, RIVERSIDE, &[document("thief", AMINA, "T-1", around.clone())], w.now()).await;
    let (amina, riverside, hillside) = (w.amina().caller().await, w.system().await, w.system_for_hillside().await);
    for (caller, found) in [(&amina, 404), (&riverside, 404), (&w.dr_okafor().caller().await, 404), (&hillside, 200)] {
        for path in ["/fhir/Binary/scan", "/fhir/Binary/scan/_history/1", "/fhir/Binary/scan/_history"] {
            assert_eq!(caller.status(path).await, found, "{path}");
        }
    }
    for id in ["scan", "thief"] {
        amina.get(&format!("/json/attachments/{id}")).await.says_in_rest(404, "there is no attachment");
    }
    assert_eq!(amina.status("/fhir/DocumentReference/thief").await, 200, "the document itself is hers");
    let sent = document("x", AMINA, "T-2", around);
    for writer in [&riverside, &amina, &w.dr_okafor().caller().await] {
        let words = writer.post("/fhir/DocumentReference", &sent).await.words(422, "UNPROCESSABLE");
        assert!(words.contains("Binary/scan"), "{words}");
    }
}

/// A Binary that a team's session may see through a document of its organisation is not opened by the team's own document.
// gaps: Records and reach > Binary | Opens through a document
#[tokio::test]
async fn a_teams_document_around_its_organisations_binary_opens_it_to_nobody_else() {
    let w = World::new().await;
    w.ben().is_of(&[crate::kit::RIVERSIDE_TEAM]).await;
    let around = json!({ "contentType": "text/plain", "url": "Binary/letter-text-amina" });
    let made = w.dr_okafor().caller().await.creates(&document("x", BEN, "T-3", around)).await;
    let ben = w.ben().caller().await;
    assert_eq!(ben.status(&made).await, 200);
    assert_eq!(ben.status("/fhir/Binary/letter-text-amina").await, 404);
}

/// An item has one label at the most: two are refused by their names, however they are written.
#[tokio::test]
async fn two_privacy_labels_are_refused_by_their_names() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let labelled = |codings: Value| {
        let mut letter = letter(AMINA);
        letter["meta"] = json!({ "security": codings });
        letter
    };
    let psychiatry = json!({ "system": "http://terminology.hl7.org/CodeSystem/v3-ActCode", "code": "PSY" });
    for second in [json!({ "system": LABELS, "code": "MENTAL_HEALTH" }), psychiatry.clone()] {
        let two = json!([{ "system": LABELS, "code": "SOCIAL_CARE" }, second]);
        let words = okafor.post("/fhir/DocumentReference", &labelled(two)).await.words(422, "UNPROCESSABLE");
        assert!(words.contains("SOCIAL_CARE") && words.contains("MENTAL_HEALTH"), "{words}");
    }
    let same = json!([psychiatry, { "system": LABELS, "code": "MENTAL_HEALTH" }]);
    let made = okafor.creates(&labelled(same)).await;
    for reader in [w.amina().caller().await, w.dr_okafor().caller().await, w.grace().caller().await, w.site().await] {
        assert_eq!(reader.status(&made).await, 200, "a registration holds every label");
    }
    assert_eq!(w.system().await.status(&made).await, 200, "its team made it");
    let by_patient =
        w.amina().caller().await.creates(&labelled(json!([{ "system": LABELS, "code": "SEXUAL_HEALTH" }]))).await;
    assert_eq!(okafor.status(&by_patient).await, 200);
    assert_eq!(w.system().await.status(&by_patient).await, 404, "an association holds no label");
}

/// What is imported and only searched for has no address: nobody reads it by its id, the patient neither.
// gaps: Records and reach > Compartments
#[tokio::test]
async fn an_audit_event_is_for_its_patient_alone_and_a_result_for_those_who_share_the_record() {
    let w = World::new().await;
    let event = json!({ "resourceType": "AuditEvent", "id": "looked", "recorded": "2026-05-01T10:00:00Z",
        "type": { "system": "http://terminology.hl7.org/CodeSystem/audit-event-type", "code": "rest" },
        "source": { "observer": { "display": "Ward" } },
        "agent": [{ "who": { "reference": "Patient/amina" }, "requestor": true }] });
    let observation = json!({ "resourceType": "Observation", "id": "looked", "status": "final", "code": { "text": "x" },
        "subject": { "reference": "Patient/amina" } });
    import(&w.app.store, RIVERSIDE, &[event, observation], w.now()).await;
    for (caller, is_hers) in
        [(w.amina().caller().await, true), (w.dr_okafor().caller().await, false), (w.system().await, false)]
    {
        for rest in ["", "/_history", "/_history/1"] {
            let event = caller.status(&format!("/fhir/AuditEvent/looked{rest}")).await;
            assert_eq!(event, if is_hers { 200 } else { 404 });
            caller.get(&format!("/fhir/Observation/looked{rest}")).await.opened();
        }
        for kind in ["Patient", "DocumentReference", "Binary", "Provenance", "Consent"] {
            caller.get(&format!("/fhir/{kind}/looked")).await.says(404, "NOT_FOUND");
        }
        assert_eq!(
            caller.get("/json/attachments/looked").await.status,
            if caller.organisation.is_some() { 403 } else { 404 }
        );
    }
    w.ben().caller().await.get("/fhir/Observation/looked").await.says(404, "NOT_FOUND");
}
