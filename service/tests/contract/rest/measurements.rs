//! Measurements: by type, several at once, and under ids that apps give.

use super::callers::{clinician, patient};
use crate::kit::World;
use axum::http::Method;
use futures_util::future::join_all;
use serde_json::{Value, json};

fn weight(value: i64, date: &str) -> Value {
    json!({ "apiRef": "weight", "value": value, "dateTaken": date })
}

#[tokio::test]
async fn the_types_are_told_to_everybody_under_every_prefix() {
    let w = World::new().await;
    for prefix in ["", "/v1", "/v2", "/v2-beta"] {
        let types = w.get(&format!("/json{prefix}/measurements/apiRefs")).await.json();
        assert_eq!(types.as_array().unwrap().len(), 19);
        assert_eq!((&types[0]["apiRef"], &types[0]["units"]), (&json!("weight"), &json!(["kg", "[lb_av]"])));
    }
}

#[tokio::test]
async fn a_list_has_the_types_that_it_names() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let pressure = json!({ "apiRef": "bloodPressure", "value": 124, "value2": 81, "dateTaken": "2026-11-03" });
    let sent = json!([weight(64, "2026-11-01"), weight(65, "2026-11-02"), pressure]);
    let made = clinician.sends(Method::POST, "/json/measurements/amina", &sent).await;
    assert_eq!((made.status, made.json().as_array().unwrap().len()), (201, 3), "{}", made.text());
    let values = |list: Value| list.as_array().unwrap().iter().map(|one| one["value"].clone()).collect::<Vec<_>>();
    let of = |path: &'static str| patient.get(path);
    assert_eq!(values(of("/json/measurements").await.json()), [124, 65, 64]);
    assert_eq!(values(of("/json/measurements/byType/weight").await.json()), [65, 64]);
    assert_eq!(values(of("/json/measurements?apiRefs=bloodPressure,height").await.json()), [124]);
    assert_eq!(values(clinician.get("/json/measurements/amina?apiRefs=weight&limit=1").await.json()), [65]);
    of("/json/measurements/byType/mood").await.says_in_rest(400, "parameter type: must be one of");
    of("/json/measurements?apiRefs=mood").await.says_in_rest(400, "parameter apiRefs: must be one of");
    let found = patient.get("/fhir/Observation?code=http://loinc.org%7C29463-7&value-quantity=65").await.found();
    assert_eq!(found.len(), 1);
}

#[tokio::test]
async fn a_hundred_of_which_the_last_is_wrong_are_none() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let mut sent: Vec<Value> = (0..100).map(|at| weight(50 + at, "2026-11-01")).collect();
    sent[99]["unit"] = "[degF]".into();
    let reply = patient.sends(Method::POST, "/json/measurements", &json!(sent)).await;
    reply.says_in_rest(422, "[99].unit: must be one of kg, [lb_av]");
    assert_eq!(patient.get("/json/measurements").await.json(), json!([]));
    sent[99]["unit"] = "kg".into();
    assert_eq!(patient.sends(Method::POST, "/json/measurements", &json!(sent)).await.status, 201);
    assert_eq!(patient.get("/json/measurements").await.json().as_array().unwrap().len(), 100);
    sent.push(weight(1, "2026-11-01"));
    patient
        .sends(Method::POST, "/json/measurements", &json!(sent))
        .await
        .says_in_rest(400, "an array must have 1 to 100");
    patient
        .sends(Method::POST, "/json/measurements", &json!([]))
        .await
        .says_in_rest(400, "an array must have 1 to 100");
}

#[tokio::test]
async fn an_external_id_names_one_item_of_its_source_and_kind() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let named =
        |value| json!({ "apiRef": "weight", "value": value, "dateTaken": "2026-11-01", "externalId": "watch|8,8" });
    let first = patient.sends(Method::POST, "/json/measurements", &named(64)).await;
    assert_eq!((first.status, &first.json()["externalId"]), (201, &json!("watch|8,8")));
    let again = patient.sends(Method::POST, "/json/measurements", &named(64)).await;
    assert_eq!((again.status, again.json()), (200, first.json()), "alike bodies make no version");
    let other = patient.sends(Method::POST, "/json/measurements", &named(66)).await;
    assert_eq!((other.status, &other.json()["id"]), (200, &first.json()["id"]));
    assert_eq!((&other.json()["value"], &other.json()["version"]), (&json!(66), &json!(2)));
    assert_eq!(other.json()["dateEntered"], first.json()["dateEntered"]);
    let of_team = clinician.sends(Method::POST, "/json/measurements/amina", &named(70)).await;
    assert_eq!(of_team.status, 201, "another source has ids of its own: {}", of_team.text());
    let symptom = json!({ "name": "Ache", "dateStarted": "2026-11-01", "externalId": "watch|8,8" });
    assert_eq!(patient.sends(Method::POST, "/json/symptoms", &symptom).await.status, 201, "and so has another kind");
    let twice = patient.sends(Method::POST, "/json/measurements", &json!([named(1), named(2)])).await;
    twice.says_in_rest(422, "[1].externalId: was sent twice");
}

#[tokio::test]
async fn an_external_id_in_many_equal_requests_at_once_is_one_item() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let sent = json!({ "apiRef": "weight", "value": 64, "dateTaken": "2026-11-01", "externalId": "watch-1" });
    let all = join_all((0..32).map(|_| patient.sends(Method::POST, "/json/measurements", &sent))).await;
    let statuses: Vec<u16> = all.iter().map(|reply| reply.status).collect();
    assert!(statuses.iter().all(|status| [200, 201].contains(status)), "{statuses:?}");
    assert_eq!(statuses.iter().filter(|status| **status == 201).count(), 1);
    let listed = patient.get("/json/measurements").await.json();
    assert_eq!((listed.as_array().unwrap().len(), &listed[0]["version"]), (1, &json!(1)));
}

/// A FHIR client may keep an external id in what it changes, and forges no other identifier of ours.
#[tokio::test]
async fn identifiers_of_the_service_are_still_the_services() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let sent = json!({ "apiRef": "weight", "value": 64, "dateTaken": "2026-11-01", "externalId": "watch-1" });
    let id = patient.sends(Method::POST, "/json/measurements", &sent).await.json()["id"].as_str().unwrap().to_owned();
    let at = format!("/fhir/Observation/{id}");
    let mut stored = patient.get(&at).await.json();
    stored["note"] = json!([{ "text": "after lunch" }]);
    assert_eq!(patient.put(&at, &stored).await.status, 200);
    assert_eq!(patient.get("/json/measurements").await.json()[0]["comment"], "after lunch");
    stored["identifier"] = json!([{ "system": "urn:recordgate:ledger", "value": "1" }]);
    patient.put(&at, &stored).await.says(403, "LEDGER_ONLY");
}
