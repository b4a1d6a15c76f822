//! Versions of items, and what the ledger tells of them.

use super::callers::{allergy, clinician, patient};
use crate::kit::World;
use axum::http::Method;
use futures_util::future::join_all;
use serde_json::json;

#[tokio::test]
async fn a_version_that_was_sent_must_be_the_current_one() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let item = patient.sends(Method::POST, "/json/allergies", &allergy()).await.json();
    let at = format!("/json/allergies/{}", item["id"].as_str().unwrap());
    let mut next = item.clone();
    next["substance"] = json!("Nuts");
    let changed = patient.sends(Method::PUT, &at, &next).await;
    assert_eq!((changed.status, &changed.json()["version"]), (200, &json!(2)));
    assert_eq!(changed.json()["dateEntered"], item["dateEntered"]);
    next["substance"] = json!("Eggs");
    let reply = patient.sends(Method::PUT, &at, &next).await;
    reply.says_in_rest(409, "version 2 is current; 1 was sent");
    assert_eq!(reply.json()["errorCode"], "CONFLICT");
    next.as_object_mut().unwrap().remove("version");
    assert_eq!(patient.sends(Method::PUT, &at, &next).await.json()["version"], 3, "none was demanded");
}

#[tokio::test]
async fn of_many_who_change_one_version_one_does() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let item = patient.sends(Method::POST, "/json/allergies", &allergy()).await.json();
    let at = format!("/json/allergies/{}", item["id"].as_str().unwrap());
    let changes = (0..8).map(|number| {
        let mut next = item.clone();
        next["substance"] = json!(format!("Nuts {number}"));
        let (patient, at) = (&patient, &at);
        async move { patient.sends(Method::PUT, at, &next).await.status }
    });
    let mut statuses = join_all(changes).await;
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 409, 409, 409, 409, 409, 409, 409]);
}

#[tokio::test]
async fn what_was_listed_is_in_the_patients_log() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    assert_eq!(patient.sends(Method::POST, "/json/allergies", &allergy()).await.status, 201);
    clinician.get("/json/allergies/forPatient/amina").await.opened();
    let mut page = w.amina().signs_in().await;
    let mut log = String::new();
    // Looks are written down a moment later.
    while !log.contains("AllergyIntolerance") {
        log = page.get("/access-log.json").await.text();
        tokio::task::yield_now().await;
    }
    assert!(log.contains("Okafor"), "{log}");
}
