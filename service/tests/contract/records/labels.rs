//! Privacy labels: which one what is new gets, and what stays over what is there.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, import, observation};
use crate::kit::{HILLSIDE, RIVERSIDE, RIVERSIDE_TEAM, World};
use axum::http::Method;
use serde_json::{Value, json};
use store::world::{self, WantedOrganisation, WantedTeam, World as Declared};

pub const LABELS: &str = "urn:recordgate:privacy-label";
const ELSEWHERE: &str = "http://fhir.patientsknowbest.com/codesystem/privacy-label";
pub const CONFIDENTIALITY: &str = "http://terminology.hl7.org/CodeSystem/v3-Confidentiality";
pub const ACT_CODE: &str = "http://terminology.hl7.org/CodeSystem/v3-ActCode";
pub const OBSERVATION: &str = "/fhir/Observation";

pub fn coding(system: &str, code: &str) -> Value {
    json!({ "system": system, "code": code })
}

/// An observation of Amina that says this of its labels.
pub fn saying(security: &[(&str, &str)]) -> Value {
    let mut sent = observation(AMINA);
    if !security.is_empty() {
        let codings: Vec<Value> = security.iter().map(|(system, code)| coding(system, code)).collect();
        sent["meta"] = json!({ "security": codings });
    }
    sent
}

pub fn security(body: &Value) -> Vec<Value> {
    body["meta"]["security"].as_array().cloned().unwrap_or_default()
}

pub fn ours(label: &str) -> Vec<Value> {
    vec![coding(LABELS, label)]
}

pub async fn made(caller: &Caller<'_>, sent: &Value) -> Value {
    let made = caller.post(OBSERVATION, sent).await;
    assert_eq!(made.status, 201, "{}", made.text());
    made.json()
}

pub fn path(item: &Value) -> String {
    format!("{OBSERVATION}/{}", item["id"].as_str().unwrap())
}

pub async fn read(caller: &Caller<'_>, path: &str) -> Value {
    let read = caller.get(path).await;
    assert_eq!(read.status, 200, "{path}: {}", read.text());
    read.json()
}

/// The default labels of Riverside and of its team.
async fn default_labels(w: &World, organisation: Option<rules::labels::Label>, team: rules::labels::Label) {
    let organisations = vec![WantedOrganisation {
        default_label: Some(organisation),
        ..WantedOrganisation::of(RIVERSIDE, "Riverside")
    }];
    let teams =
        vec![WantedTeam { default_label: Some(team), ..WantedTeam::of(RIVERSIDE_TEAM, "Riverside Team", RIVERSIDE) }];
    world::apply(&w.app.store, Declared { organisations, teams, ..Declared::default() }, w.now()).await.unwrap();
}

#[tokio::test]
async fn what_is_sent_without_a_label_gets_that_of_its_source() {
    let w = World::new().await;
    let (amina, okafor, site, system) =
        (w.amina().caller().await, w.dr_okafor().caller().await, w.site().await, w.system().await);
    for caller in [&amina, &okafor, &site, &system] {
        let item = made(caller, &saying(&[])).await;
        assert_eq!(security(&item), ours("GENERAL_HEALTH"));
        assert_eq!(security(&read(&amina, &path(&item)).await), ours("GENERAL_HEALTH"));
    }
    default_labels(&w, None, rules::labels::Label::SocialCare).await;
    assert_eq!(security(&made(&okafor, &saying(&[])).await), ours("SOCIAL_CARE"));
    assert_eq!(security(&made(&site, &saying(&[])).await), ours("SOCIAL_CARE"));
    assert_eq!(security(&made(&system, &saying(&[])).await), [] as [Value; 0], "the organisation's default is none");
    assert_eq!(security(&made(&amina, &saying(&[])).await), ours("GENERAL_HEALTH"));
}

#[tokio::test]
async fn every_door_gives_a_label() {
    let w = World::new().await;
    let (amina, okafor) = (w.amina().caller().await, w.dr_okafor().caller().await);
    let transaction = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [
        { "resource": saying(&[]), "request": { "method": "POST", "url": "Observation" } },
        { "resource": saying(&[(LABELS, "MENTAL_HEALTH")]), "request": { "method": "POST", "url": "Observation" } } ] });
    let done = okafor.post("/fhir", &transaction).await;
    assert_eq!(done.status, 200, "{}", done.text());
    for (at, label) in ["GENERAL_HEALTH", "MENTAL_HEALTH"].into_iter().enumerate() {
        let location = done.json()["entry"][at]["response"]["location"].as_str().unwrap().to_owned();
        let place = location.split("/_history").next().unwrap().to_owned();
        let place = format!("/fhir/{}", place.rsplit_once("/fhir/").map_or(place.as_str(), |(_, place)| place));
        assert_eq!(security(&read(&amina, &place).await), ours(label));
    }
    let symptom = json!({ "name": "Headache", "dateStarted": "2026-11-01" });
    let symptom = amina.sends(Method::POST, "/json/symptoms", &symptom).await.json();
    assert_eq!(symptom["privacyLabel"], "GENERAL_HEALTH");
    let place = format!("/fhir/{}", symptom["fhirReference"].as_str().unwrap());
    assert_eq!(security(&read(&amina, &place).await), ours("GENERAL_HEALTH"));
    let moved = amina
        .patch(
            &place,
            "application/json-patch+json",
            &json!([{ "op": "replace", "path": "/status", "value": "amended" }]),
        )
        .await;
    assert_eq!((moved.status, security(&moved.json())), (200, ours("GENERAL_HEALTH")));
    let found = amina.get(&format!("{OBSERVATION}?patient=amina&_security={LABELS}|GENERAL_HEALTH")).await.found();
    assert_eq!(found.len(), 2);
}

#[tokio::test]
async fn what_is_understood_stays_as_it_was_sent_and_is_found_by_both() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for (system, code, label) in [
        (ELSEWHERE, "SEXUAL_HEALTH", "SEXUAL_HEALTH"),
        (CONFIDENTIALITY, "N", "GENERAL_HEALTH"),
        (ACT_CODE, "PSY", "MENTAL_HEALTH"),
        (ACT_CODE, "MH", "MENTAL_HEALTH"),
        (ACT_CODE, "SEX", "SEXUAL_HEALTH"),
    ] {
        let item = made(&amina, &saying(&[(system, code)])).await;
        assert_eq!(security(&item), [coding(system, code), coding(LABELS, label)]);
        for asked in [format!("{system}|{code}"), format!("{LABELS}|{label}")] {
            let found =
                amina.get(&format!("{OBSERVATION}?_id={}&_security={asked}", item["id"].as_str().unwrap())).await;
            assert_eq!(found.found().len(), 1, "{asked}");
        }
        // What was read can be sent again, and changes nothing.
        let again = amina.put(&path(&item), &item).await;
        assert_eq!((again.status, &again.json()["meta"]["versionId"]), (200, &json!("1")), "{}", again.text());
    }
}

#[tokio::test]
async fn another_sensitivity_without_a_label_needs_all_four_and_two_labels_are_refused() {
    let w = World::new().await;
    let amina = w.amina().caller().await;
    for (system, code) in [(CONFIDENTIALITY, "R"), (CONFIDENTIALITY, "V"), (ACT_CODE, "HIV"), (ACT_CODE, "SPI")] {
        assert_eq!(security(&made(&amina, &saying(&[(system, code)])).await), [coding(system, code)]);
    }
    let both = saying(&[(CONFIDENTIALITY, "R"), (LABELS, "MENTAL_HEALTH")]);
    assert_eq!(security(&made(&amina, &both).await).len(), 2);
    for two in [
        [(LABELS, "GENERAL_HEALTH"), (LABELS, "MENTAL_HEALTH")],
        [(CONFIDENTIALITY, "N"), (ACT_CODE, "PSY")],
        [(ELSEWHERE, "SOCIAL_CARE"), (LABELS, "SEXUAL_HEALTH")],
    ] {
        let words = amina.post(OBSERVATION, &saying(&two)).await.words(422, "UNPROCESSABLE");
        assert!(words.contains("two privacy labels"), "{words}");
    }
    amina.post(OBSERVATION, &saying(&[(LABELS, "DENTAL_HEALTH")])).await.says(422, "UNPROCESSABLE");
}

#[tokio::test]
async fn an_update_by_its_source_without_a_label_keeps_the_one_that_is_there() {
    let w = World::new().await;
    let okafor = w.dr_okafor().caller().await;
    let item = made(&okafor, &saying(&[(LABELS, "MENTAL_HEALTH")])).await;
    let mut without = saying(&[]);
    without["id"] = item["id"].clone();
    without["status"] = json!("amended");
    let updated = okafor.put(&path(&item), &without).await.json();
    assert_eq!(security(&updated), ours("MENTAL_HEALTH"));
    without["meta"] = json!({ "security": ours("SOCIAL_CARE") });
    assert_eq!(security(&okafor.put(&path(&item), &without).await.json()), ours("SOCIAL_CARE"));
    without["meta"] = json!({ "security": [coding(CONFIDENTIALITY, "R")] });
    assert_eq!(security(&okafor.put(&path(&item), &without).await.json()), [coding(CONFIDENTIALITY, "R")]);
}

#[tokio::test]
async fn what_is_no_item_of_a_record_has_no_label_of_its_own() {
    let w = World::new().await;
    let system = w.system().await;
    let location = json!({ "resourceType": "Location", "name": "Ward 3" });
    let made = system.post("/fhir/Location", &location).await;
    assert_eq!((made.status, security(&made.json())), (201, vec![]));
    let list = json!({ "resourceType": "List", "status": "current", "mode": "working" });
    assert_eq!(security(&system.post("/fhir/List", &list).await.json()), [] as [Value; 0]);
    let mut foreign = observation(AMINA);
    foreign["id"] = json!("imported");
    import(&w.app.store, HILLSIDE, &[foreign], w.now()).await;
}
