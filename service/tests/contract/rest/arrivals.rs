//! What was stored since somebody asked last: messages and documents by the moment of storing, of which none is missed.

use super::callers::{clinician, coordinator, patient};
use crate::kit::caller::Caller;
use crate::kit::records::BEN;
use crate::kit::{RIVERSIDE_TEAM, World};
use axum::http::Method;
use futures_util::future::join_all;
use serde_json::{Value, json};
use std::cell::Cell;
use std::collections::BTreeSet;

fn message(content: &str) -> Value {
    json!({ "content": content, "recipients": [{ "type": "TEAM", "id": RIVERSIDE_TEAM }] })
}

async fn sends(caller: &Caller<'_>, path: &str, body: &Value) -> Value {
    let reply = caller.sends(Method::POST, path, body).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}

async fn stores_document(caller: &Caller<'_>, title: &'static str) -> Value {
    let kept = caller.send(Method::POST, "/json/attachments", &[("content-type", "text/plain")], title).await;
    assert_eq!(kept.status, 201, "{}", kept.text());
    let document = json!({ "title": title, "date": "2026-11-02", "attachments": [kept.json()["id"]] });
    sends(caller, "/json/documents", &document).await
}

fn ids(items: &Value) -> Vec<&str> {
    items.as_array().unwrap().iter().map(|one| one["id"].as_str().unwrap()).collect()
}

fn after(time: &Value, more: &str) -> String {
    format!("/json/messages/after/{}{more}", time.as_str().unwrap())
}

#[tokio::test]
async fn messages_and_documents_come_in_the_order_of_storing_from_the_moment_that_is_named() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    // There are letters from before.
    w.after(1);
    let first = sends(&amina, "/json/messages", &message("one")).await;
    w.after(1);
    let second = sends(&amina, "/json/messages", &message("two")).await;
    w.after(1);
    let letter = stores_document(&amina, "letter").await;
    for caller in [&amina, &okafor] {
        let all = caller.get(&after(&first["dateUpdated"], "")).await.opened().json();
        assert_eq!(ids(&all["messages"]), [first["id"].as_str().unwrap(), second["id"].as_str().unwrap()]);
        assert_eq!(ids(&all["documents"]), [letter["id"].as_str().unwrap()]);
        assert_eq!(all["nextTime"], letter["dateUpdated"]);
        let later = caller.get(&after(&second["dateUpdated"], "")).await.opened().json();
        assert_eq!(ids(&later["messages"]), [second["id"].as_str().unwrap()], "at or after");
        let again = caller.get(&after(&all["nextTime"], "")).await.opened().json();
        assert_eq!((ids(&again["messages"]), ids(&again["documents"])), (vec![], ids(&all["documents"])));
        assert_eq!(again["nextTime"], all["nextTime"]);
        let nothing = caller.get("/json/messages/after/2030-01-01T00:00:00%2B01:00").await.json();
        let expected = json!({ "messages": [], "documents": [], "nextTime": "2029-12-31T23:00:00.000Z" });
        assert_eq!(nothing, expected);
    }
    assert_eq!(okafor.get("/json/messages/after/0").await.json()["messages"][0]["status"], "UNREAD");
    assert_eq!(amina.get("/json/messages/after/0").await.json()["messages"][0]["status"], "SENT");
    let ben = w.ben().caller().await;
    let none = ben.get(&after(&first["dateUpdated"], "")).await.json();
    assert_eq!(none, json!({ "messages": [], "documents": [], "nextTime": first["dateUpdated"] }));
}

#[tokio::test]
async fn a_page_ends_between_two_moments_and_the_next_begins_there() {
    let w = World::new().await;
    let amina = patient(&w).await;
    w.after(1);
    let mut sent = Vec::new();
    for (content, seconds) in [("a", 0), ("b", 1), ("c", 0), ("d", 0), ("e", 1)] {
        w.after(seconds);
        sent.push(sends(&amina, "/json/messages", &message(content)).await);
    }
    let at = |index: usize| sent[index]["dateUpdated"].as_str().unwrap();
    let (mut time, mut pages) = (sent[0]["dateUpdated"].clone(), Vec::new());
    for _ in 0..3 {
        let page = amina.get(&after(&time, "?limit=2")).await.opened().json();
        time = page["nextTime"].clone();
        pages.push((page["messages"].as_array().unwrap().len(), time.as_str().unwrap().to_owned()));
    }
    // b, c and d were stored in one millisecond, and so two of them are never without the third.
    let of = |count: usize, at: &str| (count, at.to_owned());
    assert_eq!(pages, [of(4, at(4)), of(1, at(4)), of(1, at(4))]);
}

#[tokio::test]
async fn it_is_asked_of_one_patient_or_of_all_in_reach_and_of_nobody_else() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    let sent = sends(&amina, "/json/messages", &message("one")).await;
    let of_amina = okafor.get("/json/messages/after/0?patientId=amina").await;
    assert_eq!(ids(&of_amina.opened().json()["messages"]), [sent["id"].as_str().unwrap()]);
    okafor.get("/json/messages/after/0?patientId=ben").await.says_in_rest(404, "Patient not found");
    amina.get("/json/messages/after/0?patientId=ben").await.says_in_rest(404, "Patient not found");
    amina.get("/json/messages/after/0?patientId=amina").await.opened();
    let words = "User type TEAMCOORD can't execute API call requiring scope PATIENT or CLINICIAN";
    coordinator(&w).await.get("/json/messages/after/0").await.says_in_rest(403, words);
    w.opens(BEN, w.amina().as_carer().await, rules::labels::Labels::ALL).await;
    let (_, tokens) = w.amina().cares_for(BEN).await;
    let carer = Caller { world: &w, access: tokens.access, organisation: None };
    let of_ben = carer.get("/json/messages/after/0").await.opened().json();
    assert_eq!(of_ben["messages"], json!([]), "the record cared for, and not the own one");
    for wrong in ["yesterday", "2026-11-15", "-1", "1e3", "2026-11-15T10:00:00", "99999999999999999", "%20"] {
        let reply = amina.get(&format!("/json/messages/after/{wrong}")).await;
        reply.says_in_rest(400, "parameter time: must be a moment: YYYY-MM-DDThh:mm:ss with a time zone");
    }
    amina.get("/json/messages/after/0?since=x").await.says_in_rest(400, "unknown parameter since");
}

#[tokio::test]
async fn who_sends_next_time_or_the_newest_since_misses_none_of_what_64_write_at_once() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    let under_way = Cell::new(64);
    let writer = async |number: i64| {
        // Whoever writes last may have begun first.
        w.after(i64::from(number % 3 == 0));
        let sent = sends(&amina, "/json/messages", &message(&number.to_string())).await;
        let entry = sends(&amina, "/json/journal", &json!({ "text": number.to_string(), "date": "2026-11-01" })).await;
        under_way.set(under_way.get() - 1);
        [sent, entry].map(|one| one["id"].as_str().unwrap().to_owned())
    };
    let messages = async {
        let (mut seen, mut time) = (BTreeSet::new(), json!("0"));
        loop {
            let is_last = under_way.get() == 0;
            let page = okafor.get(&after(&time, "?limit=5")).await.opened().json();
            seen.extend(ids(&page["messages"]).into_iter().map(String::from));
            if is_last && page["nextTime"] == time {
                return seen;
            }
            time = page["nextTime"].clone();
        }
    };
    let journal = async {
        let (mut seen, mut since) = (BTreeSet::new(), "1970-01-01T00:00:00Z".to_owned());
        loop {
            let is_last = under_way.get() == 0;
            let new = okafor.get(&format!("/json/journal/forPatient/amina?since={since}")).await.opened().json();
            seen.extend(ids(&new).into_iter().map(String::from));
            let newest = new.as_array().unwrap().iter().filter_map(|one| one["dateUpdated"].as_str()).max();
            since = newest.map_or(since, String::from);
            if is_last {
                return seen;
            }
        }
    };
    let (sent, messages, journal) = tokio::join!(join_all((0..64).map(writer)), messages, journal);
    let of = |index: usize| sent.iter().map(|one| one[index].clone()).collect::<BTreeSet<_>>();
    assert_eq!((messages, journal), (of(0), of(1)));
}
