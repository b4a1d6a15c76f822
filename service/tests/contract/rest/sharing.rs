//! Consents by the custom REST API: who may widen, narrow, discharge and lock whose, and that both APIs show one consent.

use super::callers::{clinician, coordinator, patient};
use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN, observation};
use crate::kit::reply::Reply;
use crate::kit::{RIVERSIDE_TEAM, SLEEP_TEAM, World};
use axum::http::Method;
use rules::consent::notice::Recipient;
use serde_json::{Value, json};
use store::sharing::notices;
use store::{patients, people};

const LABELS: [&str; 4] = ["generalHealth", "mentalHealth", "sexualHealth", "socialCare"];

fn granted(label: &str) -> String {
    format!("{label}ConsentGranted")
}

/// What is sent of a team's consent: these labels granted, and the others not.
fn team(team: &str, labels: &[&str]) -> Value {
    let mut body = json!({ "actorType": "TEAM", "actorId": team });
    LABELS.iter().for_each(|label| body[granted(label)] = labels.contains(label).into());
    body
}

/// The same with members beside.
fn with(mut body: Value, members: &Value) -> Value {
    members.as_object().unwrap().iter().for_each(|(name, value)| body[name] = value.clone());
    body
}

fn explicit() -> Value {
    json!({ "basis": "EXPLICIT", "reason": "PATIENT_CONSENTED" })
}

fn implied() -> Value {
    json!({ "basis": "IMPLIED", "reason": "IN_TREATMENT" })
}

async fn shares(by: &Caller<'_>, patient: &str, body: &Value) -> Reply {
    by.sends(Method::POST, &format!("/json/v1/consents/forPatient/{patient}"), body).await
}

async fn consents(by: &Caller<'_>, query: &str) -> Vec<Value> {
    let reply = by.get(&format!("/json/consents/byPatient/{AMINA}{query}")).await;
    reply.opened().json().as_array().unwrap().clone()
}

fn labels_of(consent: &Value) -> Vec<&'static str> {
    LABELS.into_iter().filter(|label| consent[granted(label)] == json!(true)).collect()
}

async fn refused(by: &Caller<'_>, body: &Value, status: u16, code: &str) {
    let reply = shares(by, AMINA, body).await;
    assert_eq!((reply.status, &reply.json()["errorCode"]), (status, &json!(code)), "{}", reply.text());
}

async fn told(w: &World) -> usize {
    let amina = patients::find(&w.app.store, AMINA).await.unwrap().unwrap();
    notices::of(&w.app.store, &[Recipient::Patient(amina)], None, false).await.unwrap().len()
}

#[tokio::test]
async fn a_patient_shares_with_a_team_label_by_label_and_what_is_left_out_stays() {
    let w = World::new().await;
    let amina = patient(&w).await;
    let made = shares(&amina, AMINA, &team(SLEEP_TEAM, &["generalHealth"])).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let consent = made.json();
    assert_eq!((labels_of(&consent), &consent["state"]), (vec!["generalHealth"], &json!("ACTIVE")));
    assert_eq!(
        (&consent["actorName"], &consent["basis"], &consent["reason"]),
        (&json!("Riverside Sleep Clinic"), &json!("EXPLICIT"), &json!("PATIENT_CONSENTED"))
    );
    assert_eq!(consent["socialCareConsentGrantedReason"], "PATIENT_CONSENTED");
    assert_eq!(consent["patientId"], AMINA);
    let place = made.header("location").unwrap();
    assert!(place.ends_with(&format!("/fhir/Consent/{}", consent["id"].as_str().unwrap())), "{place}");
    let one = json!({ "actorType": "TEAM", "actorId": SLEEP_TEAM, "mentalHealthConsentGranted": true });
    let wider = shares(&amina, AMINA, &one).await;
    assert_eq!((wider.status, labels_of(&wider.json())), (200, vec!["generalHealth", "mentalHealth"]));
    assert_eq!(wider.header("record-view"), Some("self"));
    // A consent of which nothing is said opens what the team's default_access has.
    let silent = json!({ "actorType": "TEAM", "actorId": crate::kit::HILLSIDE_TEAM });
    let silent = shares(&amina, AMINA, &silent).await;
    assert_eq!((silent.status, labels_of(&silent.json())), (201, vec!["generalHealth"]), "{}", silent.text());
}

#[tokio::test]
async fn a_body_that_changes_nothing_makes_no_version_and_no_notice() {
    let w = World::new().await;
    let amina = patient(&w).await;
    let first = shares(&amina, AMINA, &team(SLEEP_TEAM, &["generalHealth"])).await.json();
    let (path, before) = (format!("/fhir/Consent/{}", first["id"].as_str().unwrap()), told(&w).await);
    let version = amina_reads(&w, &path).await["meta"]["versionId"].clone();
    w.after(60);
    for body in [team(SLEEP_TEAM, &["generalHealth"]), first.clone()] {
        let again = shares(&amina, AMINA, &body).await;
        assert_eq!((again.status, &again.json()), (200, &first), "what was shown can be sent back");
    }
    assert_eq!(amina_reads(&w, &path).await["meta"]["versionId"], version);
    assert_eq!(told(&w).await, before);
    shares(&amina, AMINA, &team(SLEEP_TEAM, &[])).await.opened();
    assert_eq!(told(&w).await, before + 1);
}

async fn amina_reads(w: &World, path: &str) -> Value {
    w.amina().caller().await.get(path).await.opened().json()
}

#[tokio::test]
async fn one_consent_is_changed_through_both_apis() {
    let w = World::new().await;
    let (rest, fhir) = (patient(&w).await, w.amina().caller().await);
    let made = shares(&rest, AMINA, &team(SLEEP_TEAM, &["socialCare"])).await.json();
    let path = format!("/fhir/Consent/{}", made["id"].as_str().unwrap());
    let mut shown = fhir.get(&path).await.opened().json();
    assert_eq!(shown["provision"]["provision"].as_array().unwrap().len(), 1);
    shown["provision"].as_object_mut().unwrap().remove("provision");
    assert_eq!(fhir.put(&path, &shown).await.status, 200);
    let all = consents(&rest, "").await;
    let same = all.iter().find(|one| one["id"] == made["id"]).unwrap();
    assert_eq!((labels_of(same), &same["dateAdded"]), (vec![], &made["dateAdded"]));
    let again = json!({ "actorType": "TEAM", "actorId": SLEEP_TEAM, "sexualHealthConsentGranted": true });
    shares(&rest, AMINA, &again).await.opened();
    let shown = fhir.get(&path).await.opened().json();
    assert_eq!(shown["provision"]["provision"][0]["securityLabel"][0]["code"], "SEXUAL_HEALTH");
}

#[tokio::test]
async fn two_changes_of_one_consent_at_once_are_both_made() {
    let w = World::new().await;
    let amina = patient(&w).await;
    shares(&amina, AMINA, &team(SLEEP_TEAM, &[])).await;
    let one = |label: &str| {
        let body = with(json!({ "actorType": "TEAM", "actorId": SLEEP_TEAM }), &json!({ granted(label): true }));
        let request = crate::kit::requests::request(Method::POST, "/json/consents/forPatient/amina")
            .header("authorization", format!("Bearer {}", amina.access))
            .header("content-type", "application/json");
        request.body(body.to_string().into()).unwrap()
    };
    let replies = w.shoots(LABELS.iter().map(|label| one(label)).collect()).await;
    replies.iter().for_each(|reply| assert_eq!(reply.status, 200, "{}", reply.text()));
    let all = consents(&amina, "").await;
    let sleep = all.iter().find(|one| one["actorId"] == json!(SLEEP_TEAM)).unwrap();
    assert_eq!(labels_of(sleep), LABELS.to_vec());
}

// consent.md 13, examples 9, 10 and 11.
#[tokio::test]
async fn after_the_patient_withdrew_implied_does_not_reopen_and_explicit_does() {
    let w = World::new().await;
    let (amina, okafor, grace) = (patient(&w).await, clinician(&w).await, coordinator(&w).await);
    let own = w.dr_okafor().caller().await.makes(&observation(AMINA)).await;
    shares(&amina, AMINA, &team(RIVERSIDE_TEAM, &[])).await.opened();
    let seen = w.dr_okafor().caller().await.get(&own).await;
    assert_eq!((seen.status, seen.header("record-view")), (200, Some("own")));
    let created = okafor.sends(Method::POST, "/json/allergies/forPatient/amina", &super::callers::allergy()).await;
    assert_eq!((created.status, &created.json()["errorCode"]), (403, &json!("NO_CONSENT")), "{}", created.text());
    let again = team(RIVERSIDE_TEAM, &["generalHealth"]);
    for by in [&grace, &okafor] {
        refused(by, &with(again.clone(), &implied()), 403, "NO_CONSENT").await;
    }
    let reopened = shares(&okafor, AMINA, &with(again, &explicit())).await;
    assert_eq!(labels_of(&reopened.opened().json()), ["generalHealth"]);
}

// consent.md 13, example 23.
#[tokio::test]
async fn only_a_professional_ends_the_care_of_a_team() {
    let w = World::new().await;
    let (amina, grace) = (patient(&w).await, coordinator(&w).await);
    let over = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "discharged": true });
    refused(&amina, &over, 403, "USER_TYPE_NOT_PERM").await;
    let ended = shares(&grace, AMINA, &over).await.opened().json();
    assert_eq!((&ended["state"], &ended["discharged"]), (&json!("DISCHARGED"), &json!(true)));
    assert_eq!(labels_of(&ended), LABELS.to_vec(), "they are kept, without effect");
    assert_eq!(consents(&amina, "?state=ACTIVE").await.len(), 0);
    assert_eq!(consents(&amina, "?state=DISCHARGED").await.len(), 1);
    amina.get("/json/consents/byPatient/amina?state=GONE").await.says_in_rest(400, "parameter state: must be one of");
}

// consent.md 13, example 24.
#[tokio::test]
async fn a_locked_consent_is_changed_by_professionals_only() {
    let w = World::new().await;
    let (amina, okafor, grace) = (patient(&w).await, clinician(&w).await, coordinator(&w).await);
    let lock = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "professionalEditOnly": true });
    refused(&amina, &lock, 403, "NO_CONSENT").await;
    refused(&grace, &lock, 403, "NO_CONSENT").await;
    refused(&okafor, &lock, 422, "UNPROCESSABLE").await;
    let locked = shares(&okafor, AMINA, &with(lock, &json!({ "reasonText": "a court said so" }))).await;
    assert_eq!(locked.opened().json()["professionalEditOnly"], true);
    let narrower = team(RIVERSIDE_TEAM, &["generalHealth"]);
    let reply = shares(&amina, AMINA, &narrower).await;
    reply.says_in_rest(403, "only professionals may change this consent");
    assert_eq!(reply.json()["errorCode"], "CONSENT_LOCKED");
    assert_eq!(labels_of(&shares(&okafor, AMINA, &narrower).await.opened().json()), ["generalHealth"]);
    let unlock = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "professionalEditOnly": false,
        "reason": "COURT_ORDER" });
    shares(&okafor, AMINA, &unlock).await.opened();
    shares(&amina, AMINA, &team(RIVERSIDE_TEAM, &[])).await.opened();
}

/// Who asks, what is asked, and what comes of it.
type Cell<'c> = (&'c Caller<'c>, Value, u16, &'c str);

// consent.md 4, the table of rights: widening.
#[tokio::test]
async fn who_widens_whose_consent() {
    let w = World::new().await;
    let (okafor, grace, site) = (clinician(&w).await, coordinator(&w).await, w.site().await);
    let amina = patient(&w).await;
    shares(&amina, AMINA, &team(RIVERSIDE_TEAM, &["generalHealth"])).await.opened();
    let okafor_user = people::find(&w.app.store, "okafor@riverside.example").await.unwrap().unwrap().id.0.to_string();
    let wide = team(RIVERSIDE_TEAM, &["generalHealth", "mentalHealth"]);
    let carer = |labels: &[&str]| with(team(BEN, labels), &json!({ "actorType": "CARER" }));
    let attested = |body: Value| with(body, &json!({ "userId": okafor_user }));
    let cells: Vec<Cell<'_>> = vec![
        (&okafor, wide.clone(), 422, "UNPROCESSABLE"),
        (&okafor, with(wide.clone(), &implied()), 403, "NO_CONSENT"),
        (&grace, with(wide.clone(), &implied()), 403, "NO_CONSENT"),
        (&grace, with(wide.clone(), &explicit()), 403, "NO_CONSENT"),
        (&site, with(wide.clone(), &explicit()), 422, "UNPROCESSABLE"),
        (&site, attested(with(wide.clone(), &implied())), 403, "NO_CONSENT"),
        (&site, with(with(wide.clone(), &explicit()), &json!({ "userId": "12" })), 422, "UNPROCESSABLE"),
        (&okafor, with(with(wide.clone(), &explicit()), &json!({ "userId": "12" })), 400, "BAD_REQUEST"),
        // Another team, also of the own organisation.
        (&okafor, with(team(SLEEP_TEAM, &["generalHealth"]), &explicit()), 403, "NO_CONSENT"),
        (&grace, with(team(SLEEP_TEAM, &["generalHealth"]), &implied()), 403, "NO_CONSENT"),
        // Carers: labels that the team holds, and only with EXPLICIT.
        (&okafor, with(carer(&["mentalHealth"]), &explicit()), 403, "NO_CONSENT"),
        (&grace, with(carer(&["generalHealth"]), &implied()), 403, "NO_CONSENT"),
        // OTHER is told in words.
        (&amina, with(wide.clone(), &json!({ "reason": "OTHER" })), 422, "UNPROCESSABLE"),
    ];
    for (by, body, status, code) in cells {
        refused(by, &body, status, code).await;
    }
    let wider = shares(&site, AMINA, &attested(with(wide, &explicit()))).await;
    assert_eq!(labels_of(&wider.opened().json()), ["generalHealth", "mentalHealth"]);
    let invited = shares(&grace, AMINA, &with(carer(&["generalHealth"]), &explicit())).await;
    assert_eq!((invited.status, &invited.json()["state"]), (201, &json!("PENDING")), "{}", invited.text());
    let more = shares(&okafor, AMINA, &with(carer(&["generalHealth", "mentalHealth"]), &explicit())).await;
    assert_eq!(more.status, 200, "{}", more.text());
}

// The same table: narrowing and discharging.
#[tokio::test]
async fn who_narrows_and_discharges_whose_consent() {
    let w = World::new().await;
    let (amina, okafor, grace, site) = (patient(&w).await, clinician(&w).await, coordinator(&w).await, w.site().await);
    shares(&amina, AMINA, &team(SLEEP_TEAM, &["generalHealth", "socialCare"])).await;
    let ben = json!({ "actorType": "CARER", "actorId": BEN, "generalHealthConsentGranted": true });
    assert_eq!(shares(&amina, AMINA, &ben).await.status, 201);
    let of_ben = |members: Value| with(json!({ "actorType": "CARER", "actorId": BEN }), &members);
    for by in [&okafor, &grace, &site] {
        refused(by, &team(SLEEP_TEAM, &["generalHealth"]), 403, "NO_CONSENT").await;
        let away = json!({ "actorType": "TEAM", "actorId": SLEEP_TEAM, "discharged": true });
        refused(by, &away, 403, "NO_CONSENT").await;
        refused(by, &of_ben(json!({ "generalHealthConsentGranted": false })), 403, "NO_CONSENT").await;
        refused(by, &of_ben(json!({ "discharged": true })), 403, "NO_CONSENT").await;
    }
    let mut left = LABELS.to_vec();
    for by in [&okafor, &grace, &site] {
        left.pop();
        assert_eq!(labels_of(&shares(by, AMINA, &team(RIVERSIDE_TEAM, &left)).await.opened().json()), left);
    }
    let gone = shares(&amina, AMINA, &of_ben(json!({ "discharged": true }))).await.opened().json();
    assert_eq!(gone["state"], "DISCHARGED");
    let over = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "discharged": true });
    assert_eq!(shares(&site, AMINA, &over).await.opened().json()["state"], "DISCHARGED");
}

#[tokio::test]
async fn who_may_not_know_a_patient_hears_the_same_of_one_who_never_was() {
    let w = World::new().await;
    let body = with(team(RIVERSIDE_TEAM, &["generalHealth"]), &implied());
    for by in [patient(&w).await, clinician(&w).await, coordinator(&w).await, w.site().await] {
        for other in [BEN, "nobody", "%62en", "a%2Fb"] {
            shares(&by, other, &body).await.says_in_rest(404, "Patient not found");
            let list = by.get(&format!("/json/consents/byPatient/{other}")).await;
            list.says_in_rest(404, "Patient not found");
        }
        let elsewhere = with(body.clone(), &json!({ "patientId": BEN }));
        shares(&by, AMINA, &elsewhere).await.says_in_rest(404, "Patient not found");
    }
}

#[tokio::test]
async fn a_grantee_sees_its_own_consent_and_who_holds_all_labels_sees_all() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    shares(&amina, AMINA, &team(SLEEP_TEAM, &["generalHealth"])).await;
    assert_eq!(consents(&amina, "").await.len(), 2);
    assert_eq!(consents(&okafor, "").await.len(), 2, "with four labels");
    shares(&amina, AMINA, &team(RIVERSIDE_TEAM, &["generalHealth", "mentalHealth"])).await.opened();
    let own = consents(&okafor, "").await;
    assert_eq!((own.len(), &own[0]["actorId"]), (1, &json!(RIVERSIDE_TEAM)));
    let reply = okafor.get("/json/consents/byPatient/amina").await;
    assert_eq!(reply.header("record-view"), Some(r#"consent; labels="GENERAL_HEALTH MENTAL_HEALTH""#));
}

#[tokio::test]
async fn a_carer_is_invited_by_id_or_by_address_and_sees_nothing_before_accepting() {
    let w = World::new().await;
    let amina = patient(&w).await;
    let by_address =
        json!({ "actorType": "CARER", "actorEmail": "Ben@example.org", "generalHealthConsentGranted": true });
    let invited = shares(&amina, AMINA, &by_address).await;
    assert_eq!(invited.status, 201, "{}", invited.text());
    let consent = invited.json();
    assert_eq!((&consent["state"], &consent["actorEmail"]), (&json!("PENDING"), &json!("Ben@example.org")));
    let again = json!({ "actorType": "CARER", "actorId": BEN, "manages": true });
    let same = shares(&amina, AMINA, &again).await.opened().json();
    assert_eq!((&same["id"], &same["manages"], &same["actorId"]), (&consent["id"], &json!(true), &json!(BEN)));
    let by_relation = json!({ "actorType": "CARER", "actorId": consent["id"], "manages": false });
    assert_eq!(shares(&amina, AMINA, &by_relation).await.opened().json()["id"], consent["id"]);
    let person =
        w.amina().caller().await.get(&format!("/fhir/RelatedPerson/{}", consent["id"].as_str().unwrap())).await;
    assert_eq!(person.opened().json()["active"], false);
    w.ben().caller().await.get("/fhir/Patient/amina").await.says(404, "NOT_FOUND");
    for nobody in [
        json!({ "actorType": "CARER", "actorId": AMINA }),
        json!({ "actorType": "CARER", "actorId": "nobody" }),
        json!({ "actorType": "CARER", "actorEmail": "amina@example.org" }),
        json!({ "actorType": "CARER", "actorEmail": "grace@riverside.example" }),
        json!({ "actorType": "TEAM", "actorId": BEN }),
        json!({ "actorType": "PROFESSIONAL", "actorId": "7" }),
    ] {
        refused(&amina, &nobody, 422, "UNPROCESSABLE").await;
    }
}

#[tokio::test]
async fn all_that_is_wrong_with_a_consent_is_told_at_once() {
    let w = World::new().await;
    let amina = patient(&w).await;
    let wrong = json!({ "actorType": 1, "generalHealthConsentGranted": "yes", "colour": 1 });
    let reply = shares(&amina, AMINA, &wrong).await;
    for fault in [
        "unknown member colour",
        "actorType: must be a string",
        "missing member actorId or actorEmail",
        "generalHealthConsentGranted: must be a boolean",
    ] {
        assert!(reply.text().contains(fault), "{fault}: {}", reply.text());
    }
    reply.says_in_rest(400, "");
    let late = with(team(SLEEP_TEAM, &[]), &json!({ "endsAt": "2026-13-01", "basis": "MAYBE" }));
    let reply = shares(&amina, AMINA, &late).await;
    reply.says_in_rest(422, "");
    assert!(reply.text().contains("endsAt: must be a moment") && reply.text().contains("EXPLICIT, IMPLIED"));
    let many = json!([team(SLEEP_TEAM, &[])]);
    shares(&amina, AMINA, &many).await.says_in_rest(400, "the body: must be an object");
}

#[tokio::test]
async fn a_consent_ends_at_its_moment() {
    let w = World::new().await;
    let amina = patient(&w).await;
    let end = rules::calendar::instant(w.now().plus_seconds(60));
    let body = with(team(SLEEP_TEAM, &["generalHealth"]), &json!({ "endsAt": end }));
    assert_eq!(shares(&amina, AMINA, &body).await.json()["endsAt"], json!(end));
    w.after(59);
    assert_eq!(consents(&amina, "?state=ENDED").await.len(), 0);
    w.after(1);
    let ended = consents(&amina, "?state=ENDED").await;
    assert_eq!((ended.len(), &ended[0]["actorId"]), (1, &json!(SLEEP_TEAM)));
}
