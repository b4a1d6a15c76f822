//! What a team or an organisation holds back from the patient and carers for some days: told at once, opened when it is released.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, observation};
use crate::kit::{MINUTE, World};
use fhir::base64_binary::encode;
use rules::consent::notice::{NoticeKind, Recipient};
use serde_json::{Value, json};
use service::app::sweeper::Sweeper;
use store::patients;
use store::sharing::notices;

const DAY: i64 = 24 * 60 * MINUTE;
const DAYS: &str = "urn:recordgate:hidden-days";

fn delayed(resource: Value, days: i64) -> Value {
    let mut resource = resource;
    resource["extension"] = json!([{ "url": DAYS, "valueInteger": days }]);
    resource
}

fn letter(identifier: &str) -> Value {
    json!({ "resourceType": "DocumentReference", "status": "current", "identifier": [{ "value": identifier }],
        "subject": { "reference": format!("Patient/{AMINA}") },
        "content": [{ "attachment": { "contentType": "text/plain", "data": encode(b"All is well.") } }] })
}

fn report() -> Value {
    json!({ "resourceType": "DiagnosticReport", "status": "final", "code": { "text": "Blood" },
        "subject": { "reference": format!("Patient/{AMINA}") } })
}

/// A letter that was sent, and its Binary.
async fn sends(caller: &Caller<'_>, letter: &Value) -> (String, String) {
    let sent = caller.post("/fhir/DocumentReference", letter).await;
    assert_eq!(sent.status, 201, "{}", sent.text());
    let body = sent.json();
    let id = format!("/fhir/DocumentReference/{}", body["id"].as_str().unwrap());
    (id, format!("/fhir/{}", body["content"][0]["attachment"]["url"].as_str().unwrap()))
}

async fn releases(w: &World) {
    let sweeper = Sweeper::begin(w.app.clone()).await;
    while sweeper.release().await.unwrap() {}
}

/// What Amina was told of results.
async fn told(w: &World) -> Vec<String> {
    let amina = patients::find(&w.app.store, AMINA).await.unwrap().unwrap();
    let all = notices::of(&w.app.store, &[Recipient::Patient(amina)], None, false).await.unwrap();
    all.into_iter().filter(|notice| notice.kind == NoticeKind::ResultArrived).map(|notice| notice.text).collect()
}

async fn is_read(caller: &Caller<'_>, identifier: &str) -> Value {
    let asked = json!({ "resourceType": "Parameters",
        "parameter": [{ "name": "documentIdentifier", "valueString": identifier }] });
    let receipts = caller.post("/fhir/DocumentReference/$read-receipt-query", &asked).await.json();
    receipts["parameter"][0]["part"][1]["valueBoolean"].clone()
}

// consent.md, examples 20 and 21.
#[tokio::test]
async fn a_letter_shows_at_once_and_opens_when_it_is_released() {
    let w = World::new().await;
    let (amina, okafor, system) = (w.amina().caller().await, w.dr_okafor().caller().await, w.system().await);
    let (document, binary) = sends(&system, &delayed(letter("scan-1"), 14)).await;
    let id = document.rsplit('/').next().unwrap().to_owned();
    assert_eq!(amina.status(&document).await, 200);
    assert_eq!(amina.get("/fhir/DocumentReference?identifier=scan-1").await.found().len(), 1);
    let attachment = format!("/json/attachments/{id}");
    for caller in [&amina, &okafor] {
        let item = caller.get(&format!("/json/documents/{id}")).await.opened().json();
        assert_eq!(item["hiddenUntil"], service::formats::when::rfc3339(w.now().plus_seconds(14 * DAY)), "{item}");
    }
    for path in [&binary, &format!("{binary}/_history/1")] {
        let refused = amina.get(path).await;
        let words = refused.words(403, "NOT_YET_RELEASED");
        assert!(words.contains("can be read from 20"), "{words}");
    }
    let held = amina.get(&attachment).await;
    assert_eq!(held.status, 403, "{}", held.text());
    assert!(held.text().contains("can be read from 20"), "{}", held.text());
    assert_eq!(amina.get(&format!("/json/attachments/{}", binary.rsplit('/').next().unwrap())).await.status, 403);
    assert_eq!(okafor.get(&binary).await.status, 200, "professionals see all");
    assert_eq!(is_read(&system, "scan-1").await, false);
    assert_eq!(told(&w).await.len(), 1);
    let first = w.now();
    w.after(14 * DAY - 1);
    releases(&w).await;
    w.amina().caller().await.get(&binary).await.says(403, "NOT_YET_RELEASED");
    w.after(1);
    releases(&w).await;
    releases(&w).await;
    let (amina, system) = (w.amina().caller().await, w.system().await);
    let since = service::formats::when::rfc3339(first.plus_seconds(DAY));
    let found = amina.get(&format!("/fhir/DocumentReference?_lastUpdated=gt{since}")).await.found();
    assert_eq!(found.len(), 1);
    assert_eq!(amina.get(&document).await.json()["meta"]["versionId"], "2", "released once");
    assert_eq!(amina.get(&format!("/json/documents/{id}")).await.json()["hiddenUntil"], Value::Null);
    assert_eq!(amina.get(&binary).await.opened().text(), "All is well.");
    assert_eq!(is_read(&system, "scan-1").await, true);
}

#[tokio::test]
async fn results_are_absent_for_the_patient_until_they_are_released() {
    let w = World::new().await;
    for (of, sent) in [("Observation", delayed(observation(AMINA), 7)), ("DiagnosticReport", delayed(report(), 7))] {
        let (amina, okafor, system) = (w.amina().caller().await, w.dr_okafor().caller().await, w.system().await);
        let path = system.makes(&sent).await;
        let id = path.rsplit('/').next().unwrap().to_owned();
        let before = amina.get("/fhir/Patient/amina/$everything").await.text().to_owned();
        assert!(!before.contains(&id));
        amina.get(&path).await.says(404, "NOT_FOUND");
        amina.get(&format!("{path}/_history")).await.says(404, "NOT_FOUND");
        amina.get(&format!("{path}/_history/1")).await.says(404, "NOT_FOUND");
        for search in [format!("/fhir/{of}?_id={id}"), format!("/fhir/{of}?_id={id}&_summary=count")] {
            assert_eq!(amina.get(&search).await.json()["total"], 0, "{search}");
        }
        assert!(!amina.get(&format!("/fhir/{of}/_history")).await.text().contains(&id));
        assert_eq!(okafor.status(&path).await, 200);
        assert_eq!(okafor.get(&format!("/fhir/{of}?_id={id}")).await.found().len(), 1);
        w.after(7 * DAY);
        releases(&w).await;
        let amina = w.amina().caller().await;
        let released = amina.get(&path).await;
        assert_eq!((released.status, &released.json()["meta"]["versionId"]), (200, &json!("2")));
        assert_eq!(amina.get(&format!("/fhir/{of}?_id={id}")).await.found().len(), 1);
    }
    assert_eq!(told(&w).await.len(), 2);
}

#[tokio::test]
async fn sending_it_again_does_not_begin_a_delay_anew_and_another_number_of_days_does() {
    let w = World::new().await;
    let system = w.system().await;
    let path = system.makes(&delayed(observation(AMINA), 7)).await;
    let mut sent = system.get(&path).await.json();
    sent["status"] = json!("amended");
    assert_eq!(system.put(&path, &sent).await.status, 200);
    assert_eq!(told(&w).await.len(), 1, "the same delay is told once");
    w.after(7 * DAY);
    releases(&w).await;
    let (amina, system) = (w.amina().caller().await, w.system().await);
    assert_eq!(amina.status(&path).await, 200);
    sent["status"] = json!("corrected");
    assert_eq!(system.put(&path, &sent).await.status, 200);
    assert_eq!(amina.status(&path).await, 200, "what was released stays so");
    sent["extension"] = json!([{ "url": DAYS, "valueInteger": 3 }]);
    assert_eq!(system.put(&path, &sent).await.status, 200);
    assert_eq!(amina.status(&path).await, 404);
    sent["extension"] = json!([{ "url": DAYS, "valueInteger": 0 }]);
    assert_eq!(system.put(&path, &sent).await.status, 200);
    assert_eq!(amina.status(&path).await, 200, "its source may release it");
}

#[tokio::test]
async fn only_teams_and_organisations_hold_back_and_only_results_and_letters_for_thirty_days_at_most() {
    let w = World::new().await;
    let (amina, okafor, system) = (w.amina().caller().await, w.dr_okafor().caller().await, w.system().await);
    amina.post("/fhir/Observation", &delayed(observation(AMINA), 3)).await.says(422, "UNPROCESSABLE");
    for days in [-1, 31] {
        system.post("/fhir/Observation", &delayed(observation(AMINA), days)).await.says(422, "UNPROCESSABLE");
    }
    let condition = json!({ "resourceType": "Condition", "subject": { "reference": format!("Patient/{AMINA}") } });
    system.post("/fhir/Condition", &delayed(condition, 3)).await.says(422, "UNPROCESSABLE");
    let mut wrong = observation(AMINA);
    wrong["extension"] = json!([{ "url": DAYS, "valueString": "3" }]);
    assert_eq!(system.post("/fhir/Observation", &wrong).await.status, 422);
    for days in [0, 30] {
        okafor.makes(&delayed(observation(AMINA), days)).await;
    }
    assert_eq!(amina.get("/fhir/Observation?patient=amina").await.found().len(), 1);
}

#[tokio::test]
async fn the_patients_label_holds_through_a_release() {
    let w = World::new().await;
    let (amina, system) = (w.amina().caller().await, w.system().await);
    let (document, _) = sends(&system, &delayed(letter("scan-2"), 2)).await;
    let relabel = json!({ "resourceType": "Parameters", "parameter": [{ "name": "meta", "valueMeta": {
        "security": [{ "system": "urn:recordgate:privacy-label", "code": "MENTAL_HEALTH" }] } }] });
    assert_eq!(amina.post(&format!("{document}/$meta-add"), &relabel).await.status, 200);
    w.after(2 * DAY);
    releases(&w).await;
    let (amina, system) = (w.amina().caller().await, w.system().await);
    let mut sent = amina.get(&document).await.json();
    assert_eq!(sent["meta"]["versionId"], "3");
    sent["meta"] = json!({ "security": [{ "system": "urn:recordgate:privacy-label", "code": "GENERAL_HEALTH" }] });
    sent["status"] = json!("superseded");
    let again = system.put(&document, &sent).await.json();
    assert_eq!(again["meta"]["security"][0]["code"], "MENTAL_HEALTH", "{again}");
}

#[tokio::test]
async fn nobody_is_told_of_results_after_the_death_of_the_patient() {
    let w = World::new().await;
    crate::kit::records::amina_is_deceased(&w.app.store, w.now()).await;
    w.system().await.makes(&delayed(observation(AMINA), 3)).await;
    assert_eq!(told(&w).await, [] as [String; 0]);
}
