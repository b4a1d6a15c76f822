//! The access log by the custom REST API: who did what, which of it is wanted, page by page, and for the patient alone.

use super::callers::{allergy, clinician, coordinator, patient};
use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, observation};
use crate::kit::{RIVERSIDE_TEAM, World};
use axum::http::Method;
use serde_json::{Value, json};

async fn lines(by: &Caller<'_>, query: &str) -> Vec<Value> {
    by.get(&format!("/json/accessLog{query}")).await.opened().json().as_array().unwrap().clone()
}

fn of<'l>(lines: &'l [Value], action: &str, section: &str) -> Vec<&'l Value> {
    lines.iter().filter(|line| line["action"] == action && line["section"] == section).collect()
}

#[tokio::test]
async fn a_patient_reads_who_looked_and_who_wrote_and_why_they_could() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    let made = okafor.sends(Method::POST, "/json/allergies/forPatient/amina", &allergy()).await;
    assert_eq!(made.status, 201, "{}", made.text());
    w.dr_okafor().caller().await.get("/fhir/Patient/amina").await.opened();
    let all = lines(&amina, "").await;
    let written = of(&all, "CREATE", "ALLERGIES");
    assert_eq!(written.len(), 1, "{all:#?}");
    let reference = format!("AllergyIntolerance/{}", made.json()["id"].as_str().unwrap());
    assert!(written[0]["fhirReferences"][0].as_str().unwrap().starts_with(&reference));
    assert_eq!(
        (&written[0]["who"]["type"], &written[0]["who"]["name"], &written[0]["app"]["product"]),
        (&json!("PROFESSIONAL"), &json!("Dr Okafor"), &json!("Ward Round"))
    );
    let read = of(&all, "READ", "DEMOGRAPHICS");
    assert_eq!(
        (&read[0]["right"], &read[0]["team"]),
        (&json!("consent"), &json!("Riverside Diabetes Team")),
        "{read:#?}"
    );
    let moments: Vec<&str> = all.iter().map(|line| line["when"].as_str().unwrap()).collect();
    assert!(moments.is_sorted_by(|one, other| one >= other), "the newest first: {moments:?}");
}

#[tokio::test]
async fn what_the_own_account_did_is_told_to_who_asks_for_it() {
    let w = World::new().await;
    let amina = patient(&w).await;
    w.amina().caller().await.makes(&observation(AMINA)).await;
    let is_own = |line: &Value| line["who"]["type"] == "PATIENT";
    assert!(!lines(&amina, "").await.iter().any(is_own));
    let own = lines(&amina, "?own=true").await;
    let grants: Vec<_> = own.iter().filter(|line| line["action"] == "GRANT" && is_own(line)).collect();
    assert!(!grants.is_empty() && grants.iter().all(|line| line["who"]["id"] == AMINA), "{own:#?}");
    assert!(own.iter().any(|line| line["action"] == "CREATE" && is_own(line)));
}

#[tokio::test]
async fn a_broken_glass_and_a_change_of_a_consent_are_lines_with_their_reasons() {
    let w = World::new().await;
    w.may_break_the_glass(RIVERSIDE_TEAM).await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    let path = "/json/v2/consents/BTG/amina?reason=unconscious";
    okafor.send(Method::POST, path, &[], String::new()).await.opened();
    let body = json!({ "actorType": "TEAM", "actorId": RIVERSIDE_TEAM, "sexualHealthConsentGranted": false });
    okafor.sends(Method::POST, "/json/consents/forPatient/amina", &body).await.opened();
    let all = lines(&amina, "").await;
    let broken: Vec<_> = all.iter().filter(|line| line["action"] == "GLASS").collect();
    assert_eq!((broken.len(), &broken[0]["reason"]), (1, &json!("unconscious")), "{all:#?}");
    let shared = lines(&amina, "?section=SHARING").await;
    assert!(shared.iter().any(|line| line["action"] == "SHARE" && line["who"]["name"] == "Dr Okafor"), "{shared:#?}");
    assert!(shared.iter().all(|line| line["section"] == "SHARING"));
}

#[tokio::test]
async fn pages_of_the_log_have_every_line_once() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    for _ in 0..5 {
        okafor.sends(Method::POST, "/json/allergies/forPatient/amina", &allergy()).await;
        w.after(2);
    }
    let whole = lines(&amina, "?section=ALLERGIES").await;
    let (mut path, mut paged) = ("/json/accessLog?section=ALLERGIES&limit=2".to_owned(), Vec::new());
    loop {
        let reply = amina.get(&path).await;
        let page = reply.opened().json().as_array().unwrap().clone();
        assert!(page.len() <= 2);
        paged.extend(page);
        let Some(link) = reply.header("link") else { break };
        let address = link.trim_start_matches('<').split('>').next().unwrap();
        path = address[address.find("/json").unwrap()..].to_owned();
    }
    assert_eq!(paged, whole);
    assert!(whole.len() >= 5, "{whole:#?}");
    let (_, other) = w.ben().approves("Sleep Diary").await;
    let ben = Caller { world: &w, access: other.access, organisation: None };
    let stolen = &path[path.find("after=").unwrap_or(path.len())..];
    ben.get(&format!("/json/accessLog?{stolen}")).await.says_in_rest(400, "parameter after: must be taken from");
}

#[tokio::test]
async fn the_log_is_a_table_to_who_accepts_one_and_is_asked_for_days() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    okafor.sends(Method::POST, "/json/allergies/forPatient/amina", &allergy()).await;
    let table = amina.get_with("/json/accessLog", &[("accept", "text/csv")]).await;
    assert_eq!(table.header("content-type"), Some("text/csv; charset=utf-8"));
    assert!(table.text().starts_with("\"when\",\"action\",\"section\",\"count\""), "{}", table.text());
    assert!(table.text().contains("\"CREATE\",\"ALLERGIES\""), "{}", table.text());
    let today = rules::calendar::instant(w.now())[..10].to_owned();
    assert!(!lines(&amina, &format!("?from={today}&to={today}")).await.is_empty());
    assert!(lines(&amina, "?to=2001").await.is_empty());
    for wrong in ["section=TEETH", "own=maybe", "limit=0", "limit=1001", "from=soon", "since=2026", "after=x"] {
        amina.get(&format!("/json/accessLog?{wrong}")).await.says_in_rest(400, "");
    }
}

#[tokio::test]
async fn the_log_is_for_the_patient_alone() {
    let w = World::new().await;
    for by in [clinician(&w).await, coordinator(&w).await, w.site().await] {
        by.get("/json/accessLog").await.says_in_rest(403, "User type");
    }
}
