//! Broken glass: an emergency look at one record, for one session of a team that may, told to everybody concerned.

use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN, observation};
use crate::kit::{HILLSIDE_TEAM, MINUTE, RIVERSIDE_TEAM, World};
use rules::consent::notice::{NoticeKind, Recipient};
use serde_json::{Value, json};
use store::sharing::notices;
use store::{organisations, patients};

const HEADER: &str = "breaktheglass";

pub(super) async fn breaks(caller: &Caller<'_>, patient: &str) -> String {
    let asked =
        json!({ "resourceType": "Parameters", "parameter": [{ "name": "reason", "valueString": "unconscious" }] });
    let broken = caller.post(&format!("/fhir/Patient/{patient}/$break-glass"), &asked).await;
    assert_eq!(broken.status, 200, "{}", broken.text());
    let parameters = broken.json()["parameter"].clone();
    let value = |name: &str, kind: &str| {
        let all = parameters.as_array().unwrap();
        all.iter().find(|one| one["name"] == name).map(|one| one[kind].as_str().unwrap().to_owned()).unwrap()
    };
    let token = value("token", "valueString");
    assert!(token.starts_with("rgg_") && !value("validUntil", "valueInstant").is_empty());
    token
}

/// An item of Ben's that his own team sees, and Dr Okafor's does not.
async fn of_ben(w: &World) -> String {
    w.ben().caller().await.makes(&observation(BEN)).await
}

#[tokio::test]
async fn a_team_that_may_breaks_the_glass_of_one_patient_and_sees_by_it_for_thirty_minutes() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let (app, tokens) = w.dr_okafor().approves("Ward Round").await;
    let of = |access: &str| Caller { world: &w, access: access.to_owned(), organisation: None };
    let (okafor, item) = (of(&tokens.access), of_ben(&w).await);
    okafor.get(&item).await.says(404, "NOT_FOUND");
    let token = breaks(&okafor, BEN).await;
    let seen = okafor.get_with(&item, &[(HEADER, &token)]).await;
    assert_eq!(seen.status, 200, "{}", seen.text());
    assert!(seen.header("record-view").unwrap().starts_with("glass; until="), "{:?}", seen.headers);
    let found = okafor.get_with("/fhir/Observation?patient=ben", &[(HEADER, &token)]).await;
    assert_eq!(found.found().len(), 1);
    okafor.get(&item).await.says(404, "NOT_FOUND");
    w.after(30 * MINUTE - 1);
    let okafor = of(&app.refresh(&tokens).await.granted().access);
    assert_eq!(okafor.get_with(&item, &[(HEADER, &token)]).await.status, 200, "a second before its end");
    w.after(1);
    okafor.get_with(&item, &[(HEADER, &token)]).await.says(403, "BTG_INVALID");
}

#[tokio::test]
async fn a_token_opens_no_other_patient_nor_for_another_session_and_nothing_after_it_was_handed_back() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let (okafor, item) = (w.dr_okafor().caller().await, of_ben(&w).await);
    let token = breaks(&okafor, BEN).await;
    let with = [(HEADER, token.as_str())];
    for path in [
        "/fhir/Patient/amina",
        "/fhir/Patient/nobody",
        "/fhir/Observation?patient=amina",
        "/fhir/Observation?patient=nobody",
    ] {
        okafor.get_with(path, &with).await.says(403, "BTG_INVALID");
    }
    for other in [w.dr_okafor().caller().await, w.grace().caller().await, w.ben().caller().await] {
        other.get_with(&item, &with).await.says(403, "BTG_INVALID");
    }
    for made_up in ["rgg_x", "", "rga_x"] {
        okafor.get_with(&item, &[(HEADER, made_up)]).await.says(403, "BTG_INVALID");
    }
    let sent = [(HEADER, token.as_str()), ("content-type", "application/fhir+json")];
    let mended = okafor
        .send(axum::http::Method::POST, "/fhir/Patient/ben/$mend-glass", &sent, "{\"resourceType\":\"Parameters\"}")
        .await;
    assert_eq!(mended.status, 200, "{}", mended.text());
    okafor.get_with(&item, &with).await.says(403, "BTG_INVALID");
}

#[tokio::test]
async fn only_a_clinician_of_a_team_that_may_breaks_a_glass_and_nobody_else_learns_who_there_is() {
    let w = World::new().await;
    let nothing = json!({ "resourceType": "Parameters" });
    let path = |patient: &str| format!("/fhir/Patient/{patient}/$break-glass");
    for patient in [BEN, "nobody"] {
        w.dr_okafor().caller().await.post(&path(patient), &nothing).await.says(403, "USER_TYPE_NOT_PERM");
    }
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    for caller in [w.grace().caller().await, w.amina().caller().await, w.system().await] {
        for patient in [BEN, "nobody"] {
            caller.post(&path(patient), &nothing).await.says(403, "USER_TYPE_NOT_PERM");
        }
    }
    w.dr_okafor().caller().await.post(&path("nobody"), &nothing).await.says(404, "NOT_FOUND");
}

#[tokio::test]
async fn patient_teams_and_officers_are_told_before_the_token_is_given() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    breaks(&w.dr_okafor().caller().await, BEN).await;
    let store = &w.app.store;
    let ben = patients::find(store, BEN).await.unwrap().unwrap();
    let hillside = organisations::find_team(store, HILLSIDE_TEAM).await.unwrap().unwrap();
    let riverside = organisations::find_team(store, RIVERSIDE_TEAM).await.unwrap().unwrap();
    for recipient in
        [Recipient::Patient(ben), Recipient::Team(hillside.id), Recipient::Officers(riverside.organisation)]
    {
        let told = notices::of(store, &[recipient], None, false).await.unwrap();
        let told: Vec<_> = told.iter().filter(|notice| notice.kind == NoticeKind::GlassBroken).collect();
        assert_eq!(told.len(), 1, "{recipient:?}");
        assert_eq!(
            (told[0].patient.as_deref().unwrap_or_default(), told[0].reason.as_deref()),
            (BEN, Some("unconscious"))
        );
    }
    let amina = patients::find(store, AMINA).await.unwrap().unwrap();
    assert!(notices::of(store, &[Recipient::Patient(amina)], None, false).await.unwrap().is_empty());
}

#[tokio::test]
async fn what_is_seen_through_a_glass_is_written_for_the_team_and_never_exported() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let okafor = w.dr_okafor().caller().await;
    okafor.post("/fhir/Observation", &observation(BEN)).await.says(422, "UNPROCESSABLE");
    let token = breaks(&okafor, BEN).await;
    let headers = [(HEADER, token.as_str()), ("content-type", "application/fhir+json")];
    let written =
        okafor.send(axum::http::Method::POST, "/fhir/Observation", &headers, observation(BEN).to_string()).await;
    assert_eq!(written.status, 201, "{}", written.text());
    let made: Value = written.json();
    assert_eq!(
        okafor.status(&format!("/fhir/Observation/{}", made["id"].as_str().unwrap())).await,
        200,
        "as its source"
    );
    let asked = [(HEADER, token.as_str()), ("prefer", "respond-async"), ("accept", "application/fhir+json")];
    okafor.get_with("/fhir/$export", &asked).await.says(403, "BTG_INVALID");
}
