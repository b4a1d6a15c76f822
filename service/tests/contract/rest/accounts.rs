//! Deactivating a patient's account: who may, what ends by it, and what stays.

use super::callers::{clinician, coordinator, patient};
use crate::kit::browser::Browser;
use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, AMINA_NHS, NHS_NUMBER};
use crate::kit::{HILLSIDE_TEAM, RIVERSIDE_TEAM, World};
use axum::http::Method;
use rules::labels::Labels;
use serde_json::{Value, json};
use service::app::access_writer;
use store::ledger::{self, Event, LedgerSpan, Line, NamedLine};

const AMINAS: &str = "/json/users/amina/deactivate";

fn why() -> Value {
    json!({ "reason": "has moved away" })
}

async fn is_registered(caller: &Caller<'_>) -> Value {
    let identifier = json!({ "system": NHS_NUMBER, "value": AMINA_NHS });
    let asked = json!({ "resourceType": "Parameters",
        "parameter": [{ "name": "patientIdentifier", "valueIdentifier": identifier }] });
    let told = caller.post("/fhir/Patient/$status-query", &asked).await.opened().json();
    let parts = told["parameter"][0]["part"].as_array().unwrap().clone();
    parts.iter().find(|part| part["name"] == "registered").unwrap()["valueBoolean"].clone()
}

#[tokio::test]
async fn nobody_signs_in_by_an_account_that_was_deactivated_and_the_record_stays() {
    let w = World::new().await;
    let (amina, okafor, grace) = (patient(&w).await, clinician(&w).await, coordinator(&w).await);
    let mut browser = w.amina().signs_in().await;
    let weight = json!({ "apiRef": "weight", "value": 64, "dateTaken": "2026-11-01" });
    assert_eq!(amina.sends(Method::POST, "/json/measurements", &weight).await.status, 201);
    assert_eq!(is_registered(&grace).await, json!(true));
    for _ in 0..2 {
        let done = grace.sends(Method::POST, AMINAS, &why()).await;
        assert_eq!((done.status, done.json()), (200, json!({ "id": AMINA, "active": false })), "{}", done.text());
    }
    amina.get("/json/measurements").await.says_in_rest(401, "session has been revoked");
    assert!(browser.sees("/").await.html.contains("href=\"/sign-in\""), "signed out");
    let account = w.amina().account;
    assert_eq!(Browser::new(&w).signs_in(account.username, account.password).await.status, 401);
    assert_eq!(is_registered(&grace).await, json!(false));
    let kept = okafor.get("/json/measurements/amina").await.opened().json();
    assert_eq!(kept.as_array().unwrap().len(), 1);
    let consents = okafor.get("/json/consents/byPatient/amina").await.opened().json();
    assert_eq!(consents[0]["discharged"], json!(false));
    let invited = grace.get("/json/users/amina/recordAccessToken").await;
    assert_eq!(invited.status, 200, "{}", invited.text());
}

#[tokio::test]
async fn it_stands_in_the_patients_log_with_its_reason() {
    let w = World::new().await;
    let site = w.site().await;
    assert_eq!(site.sends(Method::POST, AMINAS, &why()).await.status, 200);
    access_writer::flush(&w.app).await;
    let mut lines = Vec::new();
    let keep = |line: NamedLine| {
        lines.push(line);
        true
    };
    let is_it = |line: &Line| line.event == Event::AccountEnded;
    ledger::each(&w.app.store, LedgerSpan::ALL, is_it, keep).await.unwrap();
    let [line] = &lines[..] else { panic!("{lines:?}") };
    let account = w.amina().account.username;
    assert_eq!(line.detail.as_deref(), Some(format!("{account}: has moved away").as_str()));
    assert_eq!((line.team.as_deref(), line.username.as_deref()), (Some("Riverside Diabetes Team"), None));
}

#[tokio::test]
async fn an_account_is_ended_by_whose_team_alone_has_the_patient() {
    let w = World::new().await;
    let (amina, okafor, grace) = (patient(&w).await, clinician(&w).await, coordinator(&w).await);
    let words = "User type PATIENT can't execute API call requiring scope TEAMCOORD";
    amina.sends(Method::POST, AMINAS, &why()).await.says_in_rest(403, words);
    okafor.sends(Method::POST, AMINAS, &why()).await.says_in_rest(403, "User type CLINICIAN can't execute");
    for nobody in ["ben", "nobody", "%FF"] {
        let path = format!("/json/users/{nobody}/deactivate");
        grace.sends(Method::POST, &path, &why()).await.says_in_rest(404, "Patient not found");
    }
    let hillside = w.team(HILLSIDE_TEAM).await;
    w.opens(AMINA, hillside, Labels::ALL).await;
    let refused = grace.sends(Method::POST, AMINAS, &why()).await;
    refused.says_in_rest(409, "a team of another organisation has the patient");
    amina.get("/json/measurements").await.opened();
    w.discharges(AMINA, hillside).await;
    w.discharges(AMINA, w.team(RIVERSIDE_TEAM).await).await;
    let left = grace.sends(Method::POST, AMINAS, &why()).await.status;
    assert!([403, 404].contains(&left), "the team has let the patient go");
    amina.get("/json/measurements").await.opened();
}

#[tokio::test]
async fn a_reason_is_text_of_some_length() {
    let w = World::new().await;
    let (amina, grace) = (patient(&w).await, coordinator(&w).await);
    let sends = async |body: Value| grace.sends(Method::POST, AMINAS, &body).await;
    sends(json!({ "reason": 7 })).await.says_in_rest(400, "reason: must be a string");
    sends(json!({ "why": "x" })).await.says_in_rest(400, "unknown member why");
    sends(json!({ "reason": "x".repeat(501) })).await.says_in_rest(422, "reason: must be at most 500 bytes long");
    amina.get("/json/measurements").await.opened();
    assert_eq!(sends(json!({})).await.status, 200);
}
