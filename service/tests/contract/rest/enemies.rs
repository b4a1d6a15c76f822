//! What nobody should send: each is named in the answer, and nothing is stored.

use super::callers::{clinician, patient};
use crate::kit::World;
use axum::http::Method;
use futures_util::future::join_all;
use serde_json::{Value, json};

#[tokio::test]
async fn a_limit_is_from_1_to_1000() {
    let w = World::new().await;
    let patient = patient(&w).await;
    for limit in ["0", "-1", "10000000", "1001", "", "x", "%2B1", "1e2", "99999999999999999999999"] {
        let reply = patient.get(&format!("/json/measurements?limit={limit}")).await;
        reply.says_in_rest(400, "parameter limit: must be from 1 to 1000");
    }
    patient.get("/json/measurements?limit=1&limit=2").await.says_in_rest(400, "parameter limit: was sent twice");
}

#[tokio::test]
async fn of_64_equal_posts_at_once_with_one_external_id_one_makes_an_item_of_one_version() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let sent = json!({ "apiRef": "weight", "value": 64, "dateTaken": "2026-11-01", "externalId": "watch-1" });
    for (caller, path) in [(&patient, "/json/measurements"), (&clinician, "/json/measurements/amina")] {
        let replies = join_all((0..64).map(|_| caller.sends(Method::POST, path, &sent))).await;
        let made = replies.iter().filter(|reply| reply.status == 201).count();
        assert!(made == 1 && replies.iter().all(|reply| [200, 201].contains(&reply.status)), "{made} were made");
        assert!(replies.iter().all(|reply| reply.json()["id"] == replies[0].json()["id"]));
        assert!(replies.iter().all(|reply| reply.json()["version"] == 1));
    }
    assert_eq!(patient.get("/json/measurements").await.json().as_array().unwrap().len(), 2, "one of each source");
}

#[tokio::test]
async fn a_page_link_is_for_its_caller_and_its_list() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    for value in [1, 2] {
        let sent = json!({ "apiRef": "weight", "value": value, "dateTaken": "2026-11-01" });
        assert_eq!(patient.sends(Method::POST, "/json/measurements", &sent).await.status, 201);
    }
    let page = patient.get("/json/measurements?limit=1").await;
    let link = page.header("link").expect("a link").to_owned();
    let after = link.split("after=").nth(1).unwrap().split('>').next().unwrap().to_owned();
    patient.get(&format!("/json/measurements?limit=1&after={after}")).await.opened();
    let words = "parameter after: must be taken from a Link of this list";
    clinician.get(&format!("/json/measurements/amina?limit=1&after={after}")).await.says_in_rest(400, words);
    patient.get(&format!("/json/symptoms?limit=1&after={after}")).await.says_in_rest(400, words);
    for wrong in ["x", "rgl_0_x", &after[..after.len() - 2]] {
        patient.get(&format!("/json/measurements?limit=1&after={wrong}")).await.says_in_rest(400, words);
    }
    patient.get("/json/measurements?after=").await.says_in_rest(400, "parameter after: must not be empty");
}

#[tokio::test]
async fn unknown_parameters_and_members_and_wrong_types_are_told_all_at_once() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let reply = patient.get("/json/measurements?colour=red&form=x&limit=0").await;
    let told = reply.json()["errorMessage"].as_str().unwrap().to_owned();
    let parts = ["unknown parameter colour; known: from, to, since,", "unknown parameter form;", "parameter limit:"];
    assert!(reply.status == 400 && parts.iter().all(|part| told.contains(part)), "{told}");
    let sent = json!({ "apiRef": 3, "value": "x", "value2": [], "unit": {}, "dateTaken": true, "comment": 1, "colour": 1,
        "version": "1", "privacyLabel": 5, "externalId": [] });
    let reply = patient.sends(Method::POST, "/json/measurements", &sent).await;
    let told = reply.json()["errorMessage"].as_str().unwrap().to_owned();
    assert_eq!(reply.status, 400);
    for member in
        ["apiRef:", "value:", "value2:", "unit:", "dateTaken:", "comment:", "unknown member colour", "version:"]
    {
        assert!(told.contains(member), "{member} in {told}");
    }
    patient.sends(Method::POST, "/json/measurements?x=1", &sent).await.says_in_rest(400, "unknown parameter x");
}

#[tokio::test]
async fn values_that_cannot_be_are_422() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let right = json!({ "apiRef": "painScore", "value": 3, "dateTaken": "2026-11-01" });
    let with = |member: &str, value: Value| {
        let mut sent = right.clone();
        sent[member] = value;
        sent
    };
    let wrong = [
        ("value", json!(11), "value: must be from 0 to 10"),
        ("dateTaken", json!("2026-02-30"), "dateTaken: must be a date"),
        ("dateTaken", json!("2126-01-01"), "dateTaken: must not be more than a day in the future"),
        ("unit", json!("kg"), "unit: must be one of {score}"),
        ("comment", json!(" "), "comment: must not be empty"),
        ("privacyLabel", json!("SECRET"), "privacyLabel: must be one of"),
        ("externalId", json!("x".repeat(5000)), "externalId: must be at most"),
    ];
    for (member, value, words) in wrong {
        patient.sends(Method::POST, "/json/measurements", &with(member, value)).await.says_in_rest(422, words);
    }
    assert_eq!(patient.get("/json/measurements").await.json(), json!([]));
}

#[tokio::test]
async fn a_body_is_json_and_says_so() {
    let w = World::new().await;
    let patient = patient(&w).await;
    let send = async |media: &'static str, body: &'static str| {
        patient.send(Method::POST, "/json/measurements", &[("content-type", media)], body).await
    };
    send("text/plain", "{}").await.says_in_rest(415, "send JSON, with Content-Type: application/json");
    for body in ["", "{", "[1", "NaN", "{\"a\":1,\"a\":2}"] {
        assert_eq!(send("application/json", body).await.status, 400, "{body}");
    }
    send("application/json", "7").await.says_in_rest(400, "the body: must be an object");
    let forty = r#"{"apiRef":"weight","value":1234567890123456789012345678901234567890.5,"dateTaken":"2026-11-01"}"#;
    assert!([201, 422].contains(&send("application/json; charset=utf-8", forty).await.status));
}

#[tokio::test]
async fn a_method_that_is_not_offered_is_told_with_those_that_are() {
    let w = World::new().await;
    let (patient, clinician) = (patient(&w).await, clinician(&w).await);
    let reply = patient.delete("/json/allergies").await;
    reply.says_in_rest(405, "DELETE is not offered here; GET, HEAD, POST are");
    assert_eq!(reply.header("allow"), Some("GET,HEAD,POST"));
    let entry = json!({ "text": "x", "date": "2026-11-01" });
    clinician
        .sends(Method::POST, "/json/journal/forPatient/amina", &entry)
        .await
        .says_in_rest(405, "POST is not offered");
}
