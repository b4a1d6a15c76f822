//! Notices by the custom REST API: who is told what, what is new, and what was seen.

use super::callers::{clinician, coordinator, patient};
use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN};
use crate::kit::{MINUTE, RIVERSIDE_TEAM, SLEEP_TEAM, World};
use axum::http::Method;
use serde_json::{Value, json};
use service::app::sweeper::Sweeper;

async fn told(by: &Caller<'_>, query: &str) -> Vec<Value> {
    by.get(&format!("/json/notices{query}")).await.opened().json().as_array().unwrap().clone()
}

fn kinds(notices: &[Value]) -> Vec<&str> {
    notices.iter().map(|notice| notice["kind"].as_str().unwrap()).collect()
}

async fn shares(by: &Caller<'_>, body: &Value) {
    let reply = by.sends(Method::POST, "/json/consents/forPatient/amina", body).await;
    assert!([200, 201].contains(&reply.status), "{}", reply.text());
}

fn team(members: Value) -> Value {
    let mut body = json!({ "actorType": "TEAM", "actorId": SLEEP_TEAM });
    members.as_object().unwrap().iter().for_each(|(name, value)| body[name] = value.clone());
    body
}

async fn ben(w: &World) -> Caller<'_> {
    let (_, tokens) = w.ben().approves("Sleep Diary").await;
    Caller { world: w, access: tokens.access, organisation: None }
}

#[tokio::test]
async fn a_patient_is_told_of_every_change_of_a_consent_and_by_whom() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    assert_eq!(told(&amina, "").await.len(), 0);
    shares(&amina, &team(json!({ "generalHealthConsentGranted": true }))).await;
    w.after(60);
    shares(&amina, &team(json!({ "generalHealthConsentGranted": false }))).await;
    w.after(60);
    let over = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "discharged": true });
    shares(&okafor, &over).await;
    let all = told(&amina, "").await;
    assert_eq!(kinds(&all), ["DISCHARGED", "CONSENT_CHANGED", "ADDED_TO_TEAM"], "the newest first");
    assert_eq!((&all[0]["by"]["type"], &all[0]["by"]["name"]), (&json!("PROFESSIONAL"), &json!("Dr Okafor")));
    assert_eq!((&all[2]["by"]["type"], &all[2]["by"]["id"]), (&json!("PATIENT"), &json!(AMINA)));
    assert!(all[2]["text"].as_str().unwrap().contains("Riverside Sleep Clinic"), "{}", all[2]);
    assert_eq!((&all[0]["patientId"], &all[0]["seen"]), (&json!(AMINA), &Value::Null));
    let since = all[1]["when"].as_str().unwrap().to_owned();
    assert_eq!(kinds(&told(&amina, &format!("?since={since}")).await), ["DISCHARGED", "CONSENT_CHANGED"]);
    amina.get("/json/notices?since=yesterday").await.says_in_rest(400, "parameter since: must be a moment");
    amina.get("/json/notices?limit=1").await.says_in_rest(400, "unknown parameter limit; known: since, unseen");
}

#[tokio::test]
async fn the_first_time_that_a_notice_is_seen_counts() {
    let w = World::new().await;
    let amina = patient(&w).await;
    shares(&amina, &team(json!({ "generalHealthConsentGranted": true }))).await;
    let id = told(&amina, "?unseen=true").await[0]["id"].as_str().unwrap().to_owned();
    let path = format!("/json/v2/notices/{id}/seen");
    let first = amina.send(Method::POST, &path, &[], String::new()).await.opened().json();
    assert_eq!(first["seen"], json!(rules::calendar::instant(w.now())));
    w.after(60);
    let again = amina.send(Method::POST, &path, &[], String::new()).await.opened().json();
    assert_eq!(again, first);
    assert_eq!((told(&amina, "?unseen=true").await.len(), told(&amina, "?unseen=false").await), (0, vec![first]));
}

#[tokio::test]
async fn a_notice_of_somebody_else_is_one_that_never_was() {
    let w = World::new().await;
    let (amina, ben, okafor) = (patient(&w).await, ben(&w).await, clinician(&w).await);
    shares(&amina, &team(json!({ "generalHealthConsentGranted": true }))).await;
    let id = told(&amina, "").await[0]["id"].as_str().unwrap().to_owned();
    for by in [&ben, &okafor] {
        assert_eq!(told(by, "").await.len(), 0);
        for other in [id.as_str(), "7", "nobody", "-1"] {
            let reply = by.send(Method::POST, &format!("/json/notices/{other}/seen"), &[], String::new()).await;
            reply.says_in_rest(404, "Notice not found");
        }
    }
    assert_eq!(told(&amina, "?unseen=true").await.len(), 1);
}

#[tokio::test]
async fn patient_and_team_are_told_of_a_broken_glass_with_its_reason() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    // Amina's record is in the care of the team of Grace.
    let okafor = clinician(&w).await;
    let path = format!("/json/v2/consents/BTG/{AMINA}?reason=unconscious");
    okafor.send(Method::POST, &path, &[], String::new()).await.opened();
    for by in [patient(&w).await, coordinator(&w).await, w.site().await] {
        let all = told(&by, "").await;
        assert_eq!(kinds(&all), ["GLASS_BROKEN"]);
        assert_eq!((&all[0]["reason"], &all[0]["by"]["name"]), (&json!("unconscious"), &json!("Dr Okafor")));
    }
    assert_eq!(told(&ben(&w).await, "").await.len(), 0);
}

#[tokio::test]
async fn a_carer_is_told_of_the_invitation_and_of_nothing_else_in_the_own_session() {
    let w = World::new().await;
    let amina = patient(&w).await;
    let invited = json!({ "actorType": "CARER", "actorId": BEN, "generalHealthConsentGranted": true });
    shares(&amina, &invited).await;
    let all = told(&ben(&w).await, "").await;
    assert_eq!((kinds(&all), &all[0]["patientId"]), (vec!["CARER_INVITED"], &json!(AMINA)));
    assert_eq!(kinds(&told(&amina, "").await), ["CONSENT_CHANGED"]);
}

#[tokio::test]
async fn notices_are_kept_for_as_long_as_the_operator_says() {
    let w = World::with(|settings| settings.notice_days = 30).await;
    let amina = patient(&w).await;
    shares(&amina, &team(json!({ "generalHealthConsentGranted": true }))).await;
    let month = 30 * 24 * 60 * MINUTE;
    w.after(month - 30);
    let amina = patient(&w).await;
    shares(&amina, &team(json!({ "generalHealthConsentGranted": false }))).await;
    Sweeper::begin(w.app.clone()).await.sweep().await.unwrap();
    assert_eq!(told(&amina, "").await.len(), 2);
    w.after(31);
    Sweeper::begin(w.app.clone()).await.sweep().await.unwrap();
    assert_eq!(kinds(&told(&amina, "").await), ["CONSENT_CHANGED"]);
}

#[tokio::test]
async fn an_operator_can_ask_for_a_reason_to_break_the_glass() {
    let w = World::with(|settings| settings.glass_needs_reason = true).await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let okafor = clinician(&w).await;
    let path = "/json/v2/consents/BTG/ben";
    okafor.send(Method::POST, path, &[], String::new()).await.says_in_rest(422, "this service asks for a reason");
    okafor.send(Method::POST, &format!("{path}?reason=fall"), &[], String::new()).await.opened();
}
