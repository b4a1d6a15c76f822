//! A privacy officer sees who looked and with whom records are shared, sets the states of a record, and sees no item of one.

use crate::kit::browser::Browser;
use crate::kit::records::AMINA_NHS;
use crate::kit::reply::Reply;
use crate::kit::{RIVERSIDE_TEAM, SLEEP_TEAM, World, fields};
use crate::rest::callers::{clinician, patient};
use axum::http::Method;
use serde_json::json;

const AMINA: &str = "/officer/patients/amina";

/// Dr Okafor opens Amina's record in an emergency and reads her journal, which has an entry of mental health.
async fn emergency(w: &World) {
    let entry = json!({ "title": "Felt very low", "text": "x", "date": "2026-11-02", "privacyLabel": "MENTAL_HEALTH" });
    let amina = patient(w).await;
    assert_eq!(amina.sends(Method::POST, "/json/journal", &entry).await.status, 201);
    let less = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "mentalHealthConsentGranted": false });
    amina.sends(Method::POST, "/json/consents/forPatient/amina", &less).await.opened();
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let mut doctor = w.dr_okafor().signs_in().await;
    let record = format!("/teams/{RIVERSIDE_TEAM}/patients/amina");
    let path = format!("{record}/emergency");
    let form = doctor.sees(&path).await.form(&path);
    let filled = fields([("form", form.sealed.as_str()), ("reason", "Unconscious in the <waiting room>")]);
    assert_eq!(doctor.post(&path, &filled).await.status, 303);
    assert!(doctor.sees(&format!("{record}/journal")).await.html.contains("Felt very low"));
}

async fn sets(browser: &mut Browser<'_>, decision: &str, reason: &str) -> Reply {
    let form = browser.sees(AMINA).await.forms().into_iter().find(|form| form.action.ends_with("/state")).unwrap();
    let filled = fields([("form", form.sealed.as_str()), ("decision", decision), ("reason", reason)]);
    browser.post(&form.action, &filled).await
}

// gaps: Pages > Oversight
#[tokio::test]
async fn an_officer_sees_the_emergency_looks_of_the_own_organisation_with_what_was_seen_and_no_item() {
    let w = World::new().await;
    let mut olive = w.officer().signs_in().await;
    assert!(olive.sees("/officer").await.html.contains("No team of Riverside has looked in an emergency."));
    emergency(&w).await;
    let page = olive.sees("/officer").await;
    assert!(page.html.contains("Unconscious in the &#60;waiting room&#62;") && page.html.contains("Dr Okafor"));
    let one = page.link("/officer/emergencies/").unwrap();
    let seen = olive.sees(&one).await.html;
    for told in ["Riverside Diabetes Team", "<code>amina</code>", "test results, measurements, symptoms and journal"] {
        assert!(seen.contains(told), "{told} in {seen}");
    }
    assert!(!seen.contains("Felt very low"), "{seen}");
    olive.get("/officer/emergencies/1").await.error_page(404);
    olive.get("/officer/emergencies/x").await.error_page(404);
    let mut other = w.hillside_officer().signs_in().await;
    other.get(&one).await.error_page(404);
    assert!(!other.sees("/officer").await.html.contains("Unconscious"));
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    assert!(log.contains("A privacy officer of Riverside looked up"), "{log}");
}

// gaps: Pages > Oversight
#[tokio::test]
async fn a_patient_is_found_by_an_exact_number_and_those_of_others_are_as_those_who_never_were() {
    let w = World::new().await;
    let mut olive = w.officer().signs_in().await;
    let find = olive.sees("/officer").await.form("/officer/find");
    let mut asks = async |number: &str| {
        olive.post("/officer/find", &fields([("form", find.sealed.as_str()), ("number", number)])).await
    };
    for number in [AMINA_NHS, "amina"] {
        assert_eq!(asks(number).await.header("location"), Some(AMINA), "{number}");
    }
    for number in ["9990000026", "ben", "nobody", "", "Rahman", "999"] {
        let reply = asks(number).await;
        assert_eq!(reply.status, 422, "{number}");
        assert!(reply.text().contains("nothing to do with anybody of this number"), "{number}");
    }
    for rest in ["", "/looks", "/looks.csv"] {
        for one in ["ben", "nobody"] {
            olive.get(&format!("/officer/patients/{one}{rest}")).await.error_page(404);
        }
    }
}

// gaps: Pages > Oversight
#[tokio::test]
async fn an_officer_reads_how_the_sharing_came_and_the_patient_sees_that() {
    let w = World::new().await;
    let one = json!({ "actorType": "TEAM", "actorId": SLEEP_TEAM, "mentalHealthConsentGranted": true });
    assert_eq!(patient(&w).await.sends(Method::POST, "/json/consents/forPatient/amina", &one).await.status, 201);
    let mut olive = w.officer().signs_in().await;
    let page = olive.sees(AMINA).await.html;
    for told in ["Sharing of Amina Noor Rahman", "Riverside Sleep Clinic", "mental health", "may see more now"] {
        assert!(page.contains(told), "{told} in {page}");
    }
    let log = w.amina().signs_in().await.sees("/access-log").await.html;
    assert!(log.contains("A privacy officer of Riverside looked up with whom the record is shared"), "{log}");
    let account = log.split("<h3>Your account").nth(1).unwrap_or_default().split("<h3>").next().unwrap();
    assert!(!account.contains("officer"), "{account}");
}

// gaps: Pages > Oversight
#[tokio::test]
async fn an_officer_sees_who_of_the_own_organisation_looked_and_has_it_as_a_table() {
    let w = World::new().await;
    let okafor = clinician(&w).await;
    okafor.get("/fhir/Patient/amina").await.opened();
    patient(&w).await.get("/fhir/Patient/amina").await.opened();
    let mut olive = w.officer().signs_in().await;
    let page = olive.sees(&format!("{AMINA}/looks")).await.html;
    assert!(page.contains("Dr Okafor") && page.contains("Opened personal details"), "{page}");
    assert!(!page.contains("<span class=\"by\">Amina Rahman</span>"), "her own looks are hers: {page}");
    let table = olive.get(&format!("{AMINA}/looks.csv")).await;
    assert_eq!(table.header("content-type"), Some("text/csv; charset=utf-8"));
    let text = table.text();
    let (head, rows) = text.split_once("\r\n").unwrap();
    assert!(head.starts_with("\"moment\",\"patient\",\"person\""), "{head}");
    assert!(
        rows.contains("\"amina\",\"Dr Okafor\",\"okafor@riverside.example\",\"Riverside Diabetes Team\""),
        "{rows}"
    );
}

// gaps: Pages > Oversight
#[tokio::test]
async fn an_officer_freezes_a_record_and_disables_sharing_with_a_reason_that_the_patient_is_told() {
    let w = World::new().await;
    let mut olive = w.officer().signs_in().await;
    let mut amina = w.amina().signs_in().await;
    for (decision, reason) in [("freeze", " "), ("disable", "")] {
        let reply = sets(&mut olive, decision, reason).await;
        assert_eq!(reply.status, 422);
        assert!(reply.text().contains("Give the reason"), "{}", reply.text());
    }
    assert_eq!(sets(&mut olive, "else", "x").await.status, 400);
    let done = |reply: &Reply| reply.header("location").unwrap().split("done=").nth(1).unwrap().to_owned();
    assert_eq!(done(&sets(&mut olive, "disable", "a court <order>").await), "disabled");
    assert_eq!(done(&sets(&mut olive, "disable", "again").await), "nothing");
    let notices = amina.sees("/notices").await.html;
    assert!(notices.contains("a court &#60;order&#62;"), "{notices}");
    clinician(&w).await.get("/json/allergies/forPatient/amina").await.opened();
    let page = olive.sees(AMINA).await.html;
    assert!(page.contains("Sharing is disabled") && page.contains("The care has ended"), "{page}");
    assert!(page.contains("The sharing of the record was disabled: a court &#60;order&#62;"), "{page}");
    assert_eq!(done(&sets(&mut olive, "enable", "it was lifted").await), "enabled");
    assert_eq!(done(&sets(&mut olive, "freeze", "a threat").await), "frozen");
    assert_eq!(amina.get("/record").await.redirect().to, "/sign-in", "the account of a frozen record is out");
    assert_eq!(done(&sets(&mut olive, "unfreeze", "it is over").await), "unfrozen");
}

/// A form is one officer's, for one record, sent from our own page.
// gaps: Pages > Oversight
#[tokio::test]
async fn the_forms_of_an_officer_are_their_own() {
    let w = World::new().await;
    let mut olive = w.officer().signs_in().await;
    let page = olive.sees(AMINA).await;
    let sealed = page.forms().into_iter().find(|form| form.action.ends_with("/state")).unwrap().sealed;
    let filled = fields([("form", sealed.as_str()), ("decision", "freeze"), ("reason", "x"), ("number", "amina")]);
    olive.post("/officer/find", &filled).await.error_page(400);
    olive.post("/officer/patients/ben/state", &filled).await.error_page(400);
    let path = format!("{AMINA}/state");
    Browser { fetch_site: Some("cross-site"), ..olive.clone() }.post(&path, &filled).await.error_page(403);
    w.hillside_officer().signs_in().await.post(&path, &filled).await.error_page(400);
    assert!(olive.sees(AMINA).await.html.contains("Not frozen"));
}
