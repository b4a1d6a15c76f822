//! Labels that are changed: by the patient, whose choice holds, and by whoever made the item; through both APIs.

use super::consents;
use super::labels::{ACT_CODE, CONFIDENTIALITY, LABELS, OBSERVATION, coding, made, ours, path, read, saying, security};
use crate::kit::caller::Caller;
use crate::kit::{RIVERSIDE_TEAM, World};
use axum::http::Method;
use serde_json::{Value, json};
use store::ledger::{self, Event, LedgerSpan, NamedLine};

/// What the ledger says of labels that were changed.
async fn relabellings(w: &World) -> Vec<String> {
    ledger::add(&w.app.store, w.now()).await.unwrap();
    let mut lines: Vec<String> = Vec::new();
    let keep = |line: NamedLine| {
        lines.extend(line.detail);
        true
    };
    ledger::each(&w.app.store, LedgerSpan::ALL, |line| line.event == Event::Relabelled, keep).await.unwrap();
    lines
}

/// Sets a label through FHIR.
fn meta_add(system: &str, code: &str) -> Value {
    json!({ "resourceType": "Parameters",
        "parameter": [{ "name": "meta", "valueMeta": { "security": [coding(system, code)] } }] })
}

/// Sets a label through the custom REST API, and gives what is answered.
async fn sets(caller: &Caller<'_>, item: &Value, label: &str) -> Value {
    let path = format!("/json/privacyLabels/Observation/{}", item["id"].as_str().unwrap());
    let set = caller.sends(Method::PUT, &path, &json!({ "privacyLabel": label })).await;
    assert_eq!(set.status, 200, "{}", set.text());
    set.json()
}

// consent.md, example 18 and 19.
#[tokio::test]
async fn the_patients_choice_holds_against_the_feed_and_closes_the_past_with_the_present() {
    let w = World::new().await;
    let (amina, okafor, system) = (w.amina().caller().await, w.dr_okafor().caller().await, w.system().await);
    let item = made(&system, &saying(&[(LABELS, "GENERAL_HEALTH")])).await;
    consents::gives(&amina, RIVERSIDE_TEAM, &["GENERAL_HEALTH"]).await;
    assert_eq!(okafor.status(&path(&item)).await, 200);
    assert_eq!(okafor.status(&format!("{}/_history/1", path(&item))).await, 200);
    let set = sets(&amina, &item, "MENTAL_HEALTH").await;
    let reference = path(&item).replace("/fhir/", "");
    assert_eq!(set, json!({ "fhirReference": reference, "privacyLabel": "MENTAL_HEALTH", "version": 2 }));
    for gone in [path(&item), format!("{}/_history/1", path(&item))] {
        okafor.get(&gone).await.says(404, "NOT_FOUND");
    }
    assert_eq!(okafor.get(&format!("{OBSERVATION}?patient=amina")).await.found().len(), 0);
    let mut again = saying(&[(CONFIDENTIALITY, "N"), (LABELS, "GENERAL_HEALTH")]);
    again["id"] = item["id"].clone();
    again["status"] = json!("amended");
    let answered = system.put(&path(&item), &again).await;
    assert_eq!(answered.status, 200, "{}", answered.text());
    assert_eq!(security(&answered.json()), ours("MENTAL_HEALTH"), "what says another label is gone");
    assert_eq!((&answered.json()["meta"]["versionId"], &answered.json()["status"]), (&json!("3"), &json!("amended")));
    okafor.get(&path(&item)).await.says(404, "NOT_FOUND");
    // The same once more is no new version.
    assert_eq!(system.put(&path(&item), &again).await.json()["meta"]["versionId"], "3");
    // A transaction and an import are the same feed.
    again["status"] = json!("corrected");
    let entry = json!({ "resource": again, "request": { "method": "PUT", "url": reference } });
    let other = json!({ "resource": saying(&[]), "request": { "method": "POST", "url": "Observation" } });
    let both = json!({ "resourceType": "Bundle", "type": "transaction", "entry": [entry, other] });
    assert_eq!(system.post("/fhir", &both).await.status, 200);
    assert_eq!(security(&read(&amina, &path(&item)).await), ours("MENTAL_HEALTH"));
    // The patient may change it again.
    sets(&amina, &item, "GENERAL_HEALTH").await;
    assert_eq!(okafor.status(&path(&item)).await, 200);
}

#[tokio::test]
async fn a_label_is_changed_through_both_doors_and_content_and_source_stay() {
    let w = World::new().await;
    let (amina, system) = (w.amina().caller().await, w.system().await);
    let item = made(&system, &saying(&[(ACT_CODE, "PSY")])).await;
    let door = format!("{}/$meta-add", path(&item));
    let set = amina.post(&door, &meta_add(LABELS, "SOCIAL_CARE")).await;
    assert_eq!(set.status, 200, "{}", set.text());
    let meta = &set.json()["parameter"][0]["valueMeta"];
    assert_eq!((&meta["security"], &meta["versionId"]), (&json!(ours("SOCIAL_CARE")), &json!("2")));
    let now = read(&amina, &path(&item)).await;
    assert_eq!(now["meta"]["source"], item["meta"]["source"]);
    assert_eq!((&now["code"], &now["subject"]), (&item["code"], &item["subject"]));
    let past = read(&amina, &format!("{}/_history/1", path(&item))).await;
    assert_eq!(security(&past), [coding(ACT_CODE, "PSY"), coding(LABELS, "MENTAL_HEALTH")]);
    // Again: nothing changes.
    assert_eq!(sets(&amina, &item, "SOCIAL_CARE").await["version"], 2);
    for wrong in [
        json!({ "resourceType": "Parameters", "parameter": [{ "name": "meta", "valueMeta": {} }] }),
        meta_add(CONFIDENTIALITY, "R"),
        meta_add(LABELS, "NONE"),
        json!({ "resourceType": "Parameters", "parameter": [{ "name": "meta",
            "valueMeta": { "security": ours("GENERAL_HEALTH"), "tag": [coding("urn:x", "y")] } }] }),
    ] {
        amina.post(&door, &wrong).await.says(422, "UNPROCESSABLE");
    }
    amina.post(&door, &json!({ "resourceType": "Parameters" })).await.says(400, "BAD_REQUEST");
    let expected = format!("{}/_history/2 MENTAL_HEALTH SOCIAL_CARE", path(&item).replace("/fhir/", ""));
    assert_eq!(relabellings(&w).await, [expected]);
}

#[tokio::test]
async fn others_change_the_labels_of_what_they_made_alone() {
    let w = World::new().await;
    let (amina, okafor, site, system, grace) = (
        w.amina().caller().await,
        w.dr_okafor().caller().await,
        w.site().await,
        w.system().await,
        w.grace().caller().await,
    );
    let (of_amina, of_team, of_feed) =
        (made(&amina, &saying(&[])).await, made(&okafor, &saying(&[])).await, made(&system, &saying(&[])).await);
    for (caller, own) in [(&okafor, &of_team), (&site, &of_team), (&system, &of_feed)] {
        let set = caller.post(&format!("{}/$meta-add", path(own)), &meta_add(LABELS, "SEXUAL_HEALTH")).await;
        assert_eq!((set.status, security(&read(caller, &path(own)).await)), (200, ours("SEXUAL_HEALTH")));
    }
    assert_eq!(sets(&okafor, &of_team, "GENERAL_HEALTH").await["privacyLabel"], "GENERAL_HEALTH");
    for (caller, others) in [(&okafor, &of_amina), (&okafor, &of_feed), (&site, &of_feed), (&system, &of_team)] {
        caller
            .post(&format!("{}/$meta-add", path(others)), &meta_add(LABELS, "SOCIAL_CARE"))
            .await
            .says(403, "NOT_SOURCE");
    }
    // Of what the organisation made itself it does not see the patient's own.
    system
        .post(&format!("{}/$meta-add", path(&of_amina)), &meta_add(LABELS, "SOCIAL_CARE"))
        .await
        .says(404, "NOT_FOUND");
    grace
        .post(&format!("{}/$meta-add", path(&of_team)), &meta_add(LABELS, "SOCIAL_CARE"))
        .await
        .says(403, "USER_TYPE_NOT_PERM");
    let ben = w.ben().caller().await;
    ben.post(&format!("{}/$meta-add", path(&of_amina)), &meta_add(LABELS, "SOCIAL_CARE")).await.says(404, "NOT_FOUND");
    for nothing in ["Patient/amina", "Observation/none"] {
        let answer = amina.post(&format!("/fhir/{nothing}/$meta-add"), &meta_add(LABELS, "SOCIAL_CARE")).await;
        assert!([404, 422].contains(&answer.status), "{}", answer.text());
    }
    let path = format!("/json/privacyLabels/Observation/{}", of_team["id"].as_str().unwrap());
    let sent = json!({ "privacyLabel": "SOCIAL_CARE" });
    assert_eq!(ben.sends(Method::PUT, &path, &sent).await.status, 404);
    assert_eq!(okafor.sends(Method::PUT, &path, &json!({ "privacyLabel": "X" })).await.status, 422);
    assert_eq!(okafor.sends(Method::PUT, &path, &json!({})).await.status, 400);
    assert_eq!(okafor.sends(Method::PUT, "/json/privacyLabels/Nothing/1", &sent).await.status, 404);
    // Whoever made it sets another after the patient has chosen: the patient's stays, and is answered.
    sets(&amina, &of_team, "MENTAL_HEALTH").await;
    assert_eq!(sets(&okafor, &of_team, "GENERAL_HEALTH").await["privacyLabel"], "MENTAL_HEALTH");
}

#[tokio::test]
async fn relabelling_while_the_feed_writes_loses_neither() {
    let w = World::new().await;
    let (amina, system) = (w.amina().caller().await, w.system().await);
    let item = made(&system, &saying(&[])).await;
    let mut feed = saying(&[(LABELS, "GENERAL_HEALTH")]);
    feed["id"] = item["id"].clone();
    let mut requests = Vec::new();
    for status in ["amended", "corrected", "final", "amended"] {
        feed["status"] = json!(status);
        requests.push(system.put_request(&path(&item), &feed));
    }
    requests.push(amina.post_request(&format!("{}/$meta-add", path(&item)), &meta_add(LABELS, "SEXUAL_HEALTH")));
    let replies = w.shoots(requests).await;
    let relabelled = replies.last().unwrap().status;
    assert!(
        replies.iter().rev().skip(1).all(|reply| reply.status == 200),
        "{:?}",
        replies.iter().map(|one| one.status)
    );
    assert!([200, 409].contains(&relabelled), "{relabelled}");
    sets(&amina, &item, "SEXUAL_HEALTH").await;
    feed["status"] = json!("preliminary");
    let last = system.put(&path(&item), &feed).await.json();
    assert_eq!((security(&last), &last["status"]), (ours("SEXUAL_HEALTH"), &json!("preliminary")));
}
