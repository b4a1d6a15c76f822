//! Teams by the custom REST API: the caller's own, the patients in their care, and inviting one of these.

use super::callers::{clinician, coordinator, patient};
use crate::kit::caller::Caller;
use crate::kit::records::AMINA;
use crate::kit::{RIVERSIDE, RIVERSIDE_TEAM, SLEEP_TEAM, World};
use crate::records::invitations::{registers, with_carla};
use axum::http::Method;
use rules::limits::INVITATION_SECONDS;
use serde_json::{Value, json};

async fn of_team(by: &Caller<'_>, query: &str) -> Vec<Value> {
    let reply = by.get(&format!("/json/teams/{RIVERSIDE_TEAM}/patients{query}")).await;
    reply.opened().json().as_array().unwrap().clone()
}

fn ids(patients: &[Value]) -> Vec<&str> {
    patients.iter().map(|patient| patient["id"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn a_team_is_told_with_its_organisation_and_its_settings() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let team = json!({ "id": RIVERSIDE_TEAM, "name": "Riverside Diabetes Team",
        "organisation": { "id": RIVERSIDE, "name": "Riverside" }, "defaultLabel": "GENERAL_HEALTH",
        "defaultAccess": ["GENERAL_HEALTH"], "breakGlass": true });
    for by in [clinician(&w).await, coordinator(&w).await, w.site().await] {
        assert_eq!(by.get("/json/teams/mine").await.opened().json(), json!([team]));
    }
    patient(&w).await.get("/json/teams/mine").await.says_in_rest(403, "User type PATIENT");
}

#[tokio::test]
async fn the_patients_of_a_team_are_those_in_its_care_and_those_who_were() {
    let w = with_carla().await;
    let (okafor, amina) = (clinician(&w).await, patient(&w).await);
    let all = of_team(&okafor, "").await;
    assert_eq!(ids(&all), ["carla", AMINA], "whoever came last is first");
    assert_eq!((&all[1]["lastName"], &all[1]["discharged"]), (&json!("Rahman"), &json!(false)));
    assert_eq!(all[1]["labels"].as_array().unwrap().len(), 4);
    assert_eq!((&all[1]["email"], all[1]["dateAdded"].as_str().is_some()), (&Value::Null, true));
    let none = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "mentalHealthConsentGranted": false });
    amina.sends(Method::POST, "/json/consents/forPatient/amina", &none).await.opened();
    assert_eq!(of_team(&okafor, "").await[1]["labels"].as_array().unwrap().len(), 3);
    let over = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "discharged": true });
    okafor.sends(Method::POST, "/json/consents/forPatient/amina", &over).await.opened();
    assert_eq!(ids(&of_team(&okafor, "?state=CURRENT").await), ["carla"]);
    assert_eq!(ids(&of_team(&okafor, "?state=PAST").await), [AMINA]);
    assert_eq!(ids(&of_team(&okafor, "?state=ALL").await), ["carla", AMINA]);
}

#[tokio::test]
async fn patients_of_a_team_come_page_by_page_and_each_is_looked_at() {
    let w = with_carla().await;
    let (okafor, amina) = (clinician(&w).await, patient(&w).await);
    let path = format!("/json/teams/{RIVERSIDE_TEAM}/patients?limit=1");
    let first = okafor.get(&path).await;
    assert_eq!(ids(first.opened().json().as_array().unwrap()), ["carla"]);
    let link = first.header("link").unwrap().trim_start_matches('<').split('>').next().unwrap().to_owned();
    let second = okafor.get(&link[link.find("/json").unwrap()..]).await;
    assert_eq!((ids(second.opened().json().as_array().unwrap()), second.header("link")), (vec![AMINA], None));
    let log = amina.get("/json/accessLog?section=DEMOGRAPHICS").await.opened().json();
    let looks: Vec<_> = log.as_array().unwrap().iter().filter(|line| line["action"] == "READ").collect();
    assert_eq!((looks.len(), &looks[0]["who"]["name"]), (1, &json!("Dr Okafor")), "{log:#}");
    for wrong in ["state=GONE", "limit=0", "after=x", "from=2026"] {
        okafor.get(&format!("/json/teams/{RIVERSIDE_TEAM}/patients?{wrong}")).await.says_in_rest(400, "");
    }
}

#[tokio::test]
async fn the_patients_of_another_team_are_nobodys_to_list() {
    let w = World::new().await;
    for by in [clinician(&w).await, coordinator(&w).await, w.site().await] {
        for other in [SLEEP_TEAM, crate::kit::HILLSIDE_TEAM, "nobody"] {
            by.get(&format!("/json/teams/{other}/patients")).await.says_in_rest(404, "Team not found");
        }
    }
    let own = format!("/json/teams/{RIVERSIDE_TEAM}/patients");
    patient(&w).await.get(&own).await.says_in_rest(403, "User type PATIENT");
}

#[tokio::test]
async fn a_patient_is_invited_by_a_pair_of_thirty_days_and_a_new_one_ends_it() {
    let w = with_carla().await;
    let path = "/json/v1/users/carla/recordAccessToken";
    let mut codes = Vec::new();
    for (by, method) in
        [(clinician(&w).await, Method::GET), (coordinator(&w).await, Method::POST), (w.site().await, Method::POST)]
    {
        let told = by.send(method, path, &[], String::new()).await.opened().json();
        let expiry = rules::calendar::instant(w.now().plus_seconds(INVITATION_SECONDS));
        assert_eq!(told["expiry"], json!(expiry));
        let (code, url) = (told["invitationCode"].as_str().unwrap(), told["url"].as_str().unwrap());
        assert!(url.contains(&format!("/join?t1={code}&t2={}", told["token"].as_str().unwrap())), "{url}");
        codes.push(service::secrets::invitation::plain(code));
    }
    for (at, code) in codes.iter().enumerate() {
        let found = store::invitations::find(&w.app.store, code).await.unwrap();
        assert_eq!(found.is_some(), at == 2, "the last one alone");
    }
}

#[tokio::test]
async fn who_cannot_be_invited_is_told_with_the_reason() {
    let w = with_carla().await;
    let okafor = clinician(&w).await;
    let refused = async |patient: &str| {
        let path = format!("/json/users/{patient}/recordAccessToken");
        okafor.send(Method::POST, &path, &[], String::new()).await
    };
    refused(AMINA).await.says_in_rest(422, "the patient has an account");
    for other in ["ben", "nobody"] {
        refused(other).await.says_in_rest(404, "Patient not found");
    }
    registers(&w, "carla", &[]).await;
    refused("carla").await.says_in_rest(422, "the patient has no current registration");
    let amina = patient(&w).await;
    amina.get("/json/users/amina/recordAccessToken").await.says_in_rest(403, "User type PATIENT");
}
