//! A resource that its source takes out of a patient's record: gone from there, with its past for those who saw it.

use super::bundles::asks;
use crate::kit::caller::Caller;
use crate::kit::records::{AMINA, BEN, document, import, observation};
use crate::kit::{HILLSIDE, RIVERSIDE, World};
use serde_json::{Value, json};

fn result(patient: &str) -> Value {
    let mut result = observation(patient);
    result["id"] = json!("moved");
    result
}

async fn there(caller: &Caller<'_>) -> Vec<u16> {
    let mut statuses = Vec::new();
    for path in ["", "/_history/1", "/_history/2", "/_history"] {
        statuses.push(caller.status(&format!("/fhir/Observation/moved{path}")).await);
    }
    statuses
}

// gaps: Records and reach > A resource leaves a patient's record
#[tokio::test]
async fn what_leaves_a_record_is_gone_from_there_and_its_past_stays_with_those_who_saw_it() {
    let w = World::new().await;
    import(&w.app.store, HILLSIDE, &[result(BEN)], w.now()).await;
    let (amina, ben, hillside) = (w.amina().caller().await, w.ben().caller().await, w.system_for_hillside().await);
    let (okafor, henry) = (w.dr_okafor().caller().await, w.henry().caller().await);
    assert_eq!(there(&amina).await, [404, 404, 404, 404], "it was never hers");
    import(&w.app.store, HILLSIDE, &[result(AMINA)], w.now()).await;
    for former in [&ben, &henry] {
        assert_eq!(there(former).await, [410, 200, 404, 200]);
        let words = former.get("/fhir/Observation/moved").await.words(410, "GONE");
        assert!(words.contains("version 1") && words.contains("_history") && !words.contains(AMINA), "{words}");
        let history = former.get("/fhir/Observation/moved/_history").await.opened().json();
        assert_eq!(history["entry"].as_array().unwrap().len(), 1);
        assert_eq!(former.get("/fhir/Observation?_id=moved").await.found(), Vec::<String>::new());
        former.is_refused(&[asks("GET", "Observation/moved")], 410).await;
        let changes = former.get("/fhir/Observation/_history").await.opened().json();
        assert_eq!(changes["entry"].as_array().unwrap().len(), 1, "{changes}");
    }
    for of_now in [&amina, &okafor] {
        assert_eq!(there(of_now).await, [200, 404, 200, 200]);
    }
    assert_eq!(there(&hillside).await, [200, 200, 200, 200], "who made both");
    assert_eq!(hillside.delete("/fhir/Observation/moved").await.status, 204);
    assert_eq!(there(&ben).await, [410, 200, 404, 200], "what becomes of it elsewhere is not told");
    import(&w.app.store, HILLSIDE, &[result(BEN)], w.now()).await;
    assert_eq!(there(&ben).await, [200, 200, 404, 200], "and it can come back");
}

// gaps: Records and reach > A resource leaves a patient's record
#[tokio::test]
async fn leaving_is_a_line_of_the_log_of_the_patient_that_it_left() {
    let w = World::new().await;
    let about = |patient| document("moved", patient, "M-1", json!({ "contentType": "text/plain", "data": "SGk=" }));
    let mut both = about(AMINA);
    both["author"] = json!([{ "reference": "Patient/ben" }]);
    import(&w.app.store, RIVERSIDE, &[both], w.now()).await;
    import(&w.app.store, RIVERSIDE, &[about(AMINA)], w.now()).await;
    store::ledger::add(&w.app.store, w.now()).await.unwrap();
    let words = "Took a letter away: it is no longer about you";
    assert!(w.ben().signs_in().await.sees("/access-log").await.html.contains(words));
    assert!(!w.amina().signs_in().await.sees("/access-log").await.html.contains(words));
}

/// Its source may, over the API, where both patients are its own.
// gaps: Records and reach > A resource leaves a patient's record
#[tokio::test]
async fn its_source_changes_whom_it_is_about_and_nobody_else_does() {
    let w = World::new().await;
    let system = w.system().await;
    let other = system.makes(&json!({ "resourceType": "Patient" })).await;
    let other = other.rsplit('/').next().unwrap();
    let path = system.makes(&observation(AMINA)).await;
    let mut moved = system.get(&path).await.json();
    moved["subject"]["reference"] = json!(format!("Patient/{other}"));
    w.amina().caller().await.put(&path, &moved).await.says(403, "NOT_SOURCE");
    system.put(&path, &moved).await.opened();
    w.amina().caller().await.get(&path).await.says(410, "GONE");
    w.amina().caller().await.get(&format!("{path}/_history/1")).await.opened();
}
