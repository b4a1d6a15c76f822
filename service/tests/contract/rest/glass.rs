//! Broken glass by the custom REST API: who breaks one and how it is asked, what the token opens there, and its end.

use super::callers::{allergy, clinician, coordinator, patient};
use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN, observation};
use crate::kit::reply::Reply;
use crate::kit::{MINUTE, RIVERSIDE_TEAM, World};
use axum::http::Method;
use serde_json::{Value, json};
use store::people;

const HEADER: &str = "breaktheglass";
const OF_BEN: &str = "/json/v2/consents/BTG/ben";

async fn okafor_number(w: &World) -> String {
    people::find(&w.app.store, "okafor@riverside.example").await.unwrap().unwrap().id.0.to_string()
}

async fn breaks(by: &Caller<'_>) -> String {
    let reply = by.send(Method::POST, OF_BEN, &[], String::new()).await;
    reply.opened().json()["token"].as_str().unwrap().to_owned()
}

fn says(reply: &Reply, status: u16, code: &str) {
    assert_eq!((reply.status, &reply.json()["errorCode"]), (status, &json!(code)), "{}", reply.text());
}

#[tokio::test]
async fn a_clinician_is_told_until_when_in_the_words_that_clients_know() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let (okafor, number) = (clinician(&w).await, okafor_number(&w).await);
    let until = rules::calendar::instant(w.now().plus_seconds(30 * MINUTE));
    let told = okafor.send(Method::POST, OF_BEN, &[], String::new()).await.opened().json();
    assert_eq!(told["validUntil"], json!(until));
    let (day, time) = (&until[8..10], &until[11..19]);
    let whose = format!("patient (ben) for requestor ({number})");
    assert_eq!(told["message"], format!("Consent levels set to BTG against {whose} valid until {day}:{time}"));
    assert!(told["token"].as_str().unwrap().starts_with("rgg_"));
    for (path, kind, body) in [
        (format!("{OF_BEN}?userId={number}&reason=fall"), "application/json", String::new()),
        (OF_BEN.into(), "application/x-www-form-urlencoded", format!("userId={number}&reason=fall")),
        (OF_BEN.into(), "application/json", json!({ "userId": number, "reason": null }).to_string()),
    ] {
        okafor.send(Method::POST, &path, &[("content-type", kind)], body).await.opened();
    }
    for (path, body, status) in [
        (format!("{OF_BEN}?userId=12"), String::new(), 400),
        (format!("{OF_BEN}?user=12"), String::new(), 400),
        (OF_BEN.into(), r#"{"colour":1}"#.to_owned(), 400),
        (OF_BEN.into(), "[".into(), 400),
    ] {
        let reply = okafor.send(Method::POST, &path, &[("content-type", "application/json")], body).await;
        assert_eq!(reply.status, status, "{path}: {}", reply.text());
    }
    let text = okafor.send(Method::POST, OF_BEN, &[("content-type", "text/plain")], "because").await;
    assert_eq!(text.status, 415);
}

#[tokio::test]
async fn a_team_names_the_user_who_looks() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let (site, number) = (w.site().await, okafor_number(&w).await);
    let asked = async |members: Value| site.sends(Method::POST, OF_BEN, &members).await;
    asked(json!({})).await.says_in_rest(400, "missing member userId");
    for wrong in ["12", "nobody", "-"] {
        says(&asked(json!({ "userId": wrong })).await, 422, "UNPROCESSABLE");
    }
    let token = asked(json!({ "userId": number, "reason": "unconscious" })).await.opened().json()["token"].clone();
    let with = [(HEADER, token.as_str().unwrap())];
    site.get_with("/json/allergies/forPatient/ben", &with).await.opened();
}

#[tokio::test]
async fn others_break_none_and_learn_nothing_of_who_there_is() {
    let w = World::new().await;
    let okafor = clinician(&w).await;
    for path in [OF_BEN, "/json/v2/consents/BTG/nobody"] {
        says(&okafor.send(Method::POST, path, &[], String::new()).await, 403, "USER_TYPE_NOT_PERM");
    }
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    for other in [coordinator(&w).await, patient(&w).await] {
        for path in [OF_BEN, "/json/v2/consents/BTG/nobody"] {
            let reply = other.send(Method::POST, path, &[], String::new()).await;
            reply.says_in_rest(403, "User type");
        }
    }
    let nobody = okafor.send(Method::POST, "/json/v2/consents/BTG/nobody", &[], String::new()).await;
    nobody.says_in_rest(404, "Patient not found");
    store::patients::find(&w.app.store, BEN).await.unwrap().unwrap();
}

#[tokio::test]
async fn the_header_opens_one_record_to_the_whole_api_for_thirty_minutes() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let (app, tokens) = w.dr_okafor().approves("Ward Round").await;
    let of = |access: &str| Caller { world: &w, access: access.to_owned(), organisation: None };
    let okafor = of(&tokens.access);
    w.ben().caller().await.makes(&observation(BEN)).await;
    okafor.get("/json/allergies/forPatient/ben").await.says_in_rest(404, "Patient not found");
    let token = breaks(&okafor).await;
    let with = [(HEADER, token.as_str())];
    let seen = okafor.get_with("/json/users/ben", &with).await;
    assert!(seen.opened().header("record-view").unwrap().starts_with("glass; until="), "{:?}", seen.headers);
    let listed = okafor.get_with("/json/consents/byPatient/ben", &with).await;
    assert_eq!(listed.opened().json().as_array().unwrap().len(), 1, "all four labels");
    assert!(listed.header("record-view").unwrap().starts_with("glass; until="));
    let made = okafor
        .send(
            Method::POST,
            "/json/allergies/forPatient/ben",
            &[(HEADER, token.as_str()), ("content-type", "application/json")],
            allergy().to_string(),
        )
        .await;
    assert_eq!(made.status, 201, "{}", made.text());
    for foreign in [
        "/json/allergies/forPatient/amina",
        "/json/consents/byPatient/amina",
        "/json/users/amina",
        "/json/measurements/amina",
        "/json/measurements/nobody",
    ] {
        let reply = okafor.get_with(foreign, &with).await;
        reply.says_in_rest(403, "the breaktheglass token is not valid for this patient and session");
        says(&reply, 403, "BTG_INVALID");
    }
    let share = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "basis": "IMPLIED" });
    let shared = okafor
        .send(
            Method::POST,
            "/json/consents/forPatient/ben",
            &[(HEADER, token.as_str()), ("content-type", "application/json")],
            share.to_string(),
        )
        .await;
    says(&shared, 403, "BTG_INVALID");
    w.after(30 * MINUTE - 1);
    let okafor = of(&app.refresh(&tokens).await.granted().access);
    okafor.get_with("/json/allergies/forPatient/ben", &with).await.opened();
    w.after(1);
    says(&okafor.get_with("/json/allergies/forPatient/ben", &with).await, 403, "BTG_INVALID");
}

#[tokio::test]
async fn a_glass_is_handed_back_once_and_only_by_its_session() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let okafor = clinician(&w).await;
    let token = breaks(&okafor).await;
    let with = [(HEADER, token.as_str())];
    let hands_back = async |by: &Caller<'_>, path: &str, headers: &[(&'static str, &str)]| {
        by.send(Method::DELETE, path, headers, String::new()).await
    };
    says(&hands_back(&okafor, OF_BEN, &[]).await, 403, "BTG_INVALID");
    says(&hands_back(&okafor, "/json/consents/BTG/amina", &with).await, 403, "BTG_INVALID");
    for other in [clinician(&w).await, w.site().await] {
        says(&hands_back(&other, OF_BEN, &with).await, 403, "BTG_INVALID");
    }
    for made_up in ["rgg_x", "", "rga_x"] {
        says(&okafor.get_with("/json/users/self", &[(HEADER, made_up)]).await, 403, "BTG_INVALID");
    }
    assert_eq!(hands_back(&okafor, OF_BEN, &with).await.status, 204);
    says(&hands_back(&okafor, OF_BEN, &with).await, 403, "BTG_INVALID");
    says(&okafor.get_with("/json/users/ben", &with).await, 403, "BTG_INVALID");
    okafor.get(&format!("/json/allergies/forPatient/{AMINA}")).await.opened();
}
