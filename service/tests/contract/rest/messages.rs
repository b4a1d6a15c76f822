//! Messages and conversations: to whom one is begun, what becomes of drafts, and who has read what.

use super::callers::{clinician, patient};
use crate::kit::caller::Caller;
use crate::kit::records::BEN;
use crate::kit::{HILLSIDE_TEAM, RIVERSIDE_TEAM, SLEEP_TEAM, World};
use axum::http::Method;
use rules::labels::Labels;
use serde_json::{Value, json};

const MESSAGES: &str = "/json/messages";

fn to_team(team: &str, content: &str) -> Value {
    json!({ "subject": "Mask", "content": content, "recipients": [{ "type": "TEAM", "id": team }] })
}

async fn sends(caller: &Caller<'_>, message: &Value) -> Value {
    let reply = caller.sends(Method::POST, MESSAGES, message).await;
    assert_eq!(reply.status, 201, "{}", reply.text());
    reply.json()
}

fn at(message: &Value) -> String {
    format!("{MESSAGES}/{}", message["id"].as_str().unwrap())
}

fn status<'v>(messages: &'v Value, id: &Value) -> &'v Value {
    let all = messages.as_array().unwrap();
    &all.iter().find(|one| one["id"] == *id).unwrap()["status"]
}

#[tokio::test]
async fn a_message_is_sent_read_and_answered_and_each_has_the_own_mark() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    let sent = sends(&amina, &to_team(RIVERSIDE_TEAM, "The new mask leaks.")).await;
    assert_eq!((&sent["status"], &sent["sender"]["type"]), (&json!("SENT"), &json!("PATIENT")));
    let conversation = sent["conversationId"].as_str().unwrap();
    let path = format!("/json/conversations/{conversation}");
    assert_eq!(okafor.get(&path).await.opened().json()[0]["status"], "UNREAD");
    assert_eq!(okafor.get(&path).await.opened().json()[0]["status"], "UNREAD", "looking marks nothing");
    let read = okafor.sends(Method::POST, &format!("{}/read", at(&sent)), &json!({ "read": true })).await;
    assert_eq!((read.status, &read.json()["status"]), (200, &json!("READ")), "{}", read.text());
    assert_eq!(amina.get(&path).await.json()[0]["status"], "SENT");
    let answer = json!({ "patientId": "amina", "content": "Please come.", "inReplyTo": sent["id"],
        "recipients": [{ "type": "PATIENT", "id": "amina" }] });
    let answer = sends(&okafor, &answer).await;
    assert_eq!((&answer["conversationId"], &answer["sender"]["type"]), (&json!(conversation), &json!("TEAM")));
    let both = amina.get(&path).await.opened().json();
    assert_eq!(both.as_array().unwrap().len(), 2);
    assert_eq!((&both[0]["id"], status(&both, &answer["id"])), (&sent["id"], &json!("UNREAD")), "the oldest first");
    let listed = amina.get("/json/conversations").await.opened().json();
    assert_eq!((&listed[0]["conversationId"], &listed[0]["unread"]), (&json!(conversation), &json!(1)));
    let mark = async |is_read| {
        let path = format!("{}/read", at(&answer));
        amina.sends(Method::POST, &path, &json!({ "read": is_read })).await.json()
    };
    let first = mark(true).await;
    assert_eq!(first["status"], "READ");
    w.after(60);
    let unread = mark(false).await;
    assert_eq!((&unread["status"], &unread["firstRead"]), (&json!("UNREAD"), &first["firstRead"]));
    assert_eq!(mark(true).await["firstRead"], first["firstRead"], "once");
    let of_okafor = okafor.get("/json/conversations/forPatient/amina").await.opened().json();
    assert_eq!((&of_okafor[0]["unread"], of_okafor[0]["participants"].as_array().unwrap().len()), (&json!(0), 2));
    amina
        .sends(Method::POST, &format!("{}/read", at(&answer)), &json!({}))
        .await
        .says_in_rest(400, "missing member read");
}

#[tokio::test]
async fn a_draft_is_changed_and_dropped_by_its_author_until_it_is_sent() {
    let w = World::new().await;
    w.dr_silva().is_of(&[RIVERSIDE_TEAM]).await;
    let (amina, okafor, colleague) = (patient(&w).await, clinician(&w).await, w.dr_silva().caller().await);
    let mut draft = json!({ "patientId": "amina", "content": "Dear Amina", "status": "DRAFT",
        "recipients": [{ "type": "PATIENT", "id": "amina" }] });
    draft = sends(&okafor, &draft).await;
    assert_eq!(draft["status"], "DRAFT");
    for other in [&amina, &colleague] {
        other.sends(Method::PUT, &at(&draft), &draft).await.says_in_rest(404, "Message not found");
        other.delete(&at(&draft)).await.says_in_rest(404, "Message not found");
        let path = format!("/json/conversations/{}", draft["conversationId"].as_str().unwrap());
        other.get(&path).await.says_in_rest(404, "Conversation not found");
    }
    assert_eq!(amina.get("/json/conversations").await.json(), json!([]));
    draft["content"] = json!("Dear Ms Okafor");
    draft.as_object_mut().unwrap().remove("status");
    draft = okafor.sends(Method::PUT, &at(&draft), &draft).await.json();
    assert_eq!((&draft["status"], &draft["version"]), (&json!("DRAFT"), &json!(2)), "{draft}");
    draft["status"] = json!("SENT");
    let sent = okafor.sends(Method::PUT, &at(&draft), &draft).await;
    assert_eq!((sent.status, &sent.json()["status"]), (200, &json!("SENT")), "{}", sent.text());
    let mut again = sent.json();
    again["content"] = json!("I never said so.");
    let says = "a message that was sent cannot be changed or deleted";
    okafor.sends(Method::PUT, &at(&draft), &again).await.says_in_rest(409, says);
    okafor.delete(&at(&draft)).await.says_in_rest(409, says);
    amina.sends(Method::PUT, &at(&draft), &again).await.says_in_rest(404, "Message not found");
    assert_eq!(amina.get("/json/conversations").await.json()[0]["unread"], 1);
    let other = sends(
        &amina,
        &json!({ "content": "x", "status": "DRAFT", "recipients": [{ "type": "TEAM", "id": RIVERSIDE_TEAM }] }),
    )
    .await;
    assert_eq!((amina.delete(&at(&other)).await.status, amina.delete(&at(&other)).await.status), (204, 204));
}

#[tokio::test]
async fn a_conversation_begins_with_those_to_whom_the_record_is_open_and_goes_on_when_it_is_not() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    for closed in [SLEEP_TEAM, HILLSIDE_TEAM, "nobody"] {
        let reply = amina.sends(Method::POST, MESSAGES, &to_team(closed, "Hello")).await;
        reply.says_in_rest(403, "no consent");
        assert_eq!(reply.json()["errorCode"], "NO_CONSENT");
    }
    let sent = sends(&amina, &to_team(RIVERSIDE_TEAM, "Hello")).await;
    w.amina().is_of(&[]).await;
    amina.sends(Method::POST, MESSAGES, &to_team(RIVERSIDE_TEAM, "Anew")).await.says_in_rest(403, "no consent");
    let begins =
        json!({ "patientId": "amina", "content": "Anew", "recipients": [{ "type": "PATIENT", "id": "amina" }] });
    assert_eq!(okafor.sends(Method::POST, MESSAGES, &begins).await.status, 403);
    let mut answer = begins.clone();
    answer["inReplyTo"] = sent["id"].clone();
    let answered = sends(&okafor, &answer).await;
    let mut on = to_team(RIVERSIDE_TEAM, "Thank you");
    on["inReplyTo"] = answered["id"].clone();
    assert_eq!(sends(&amina, &on).await["conversationId"], sent["conversationId"]);
    let ben = w.ben().caller().await;
    on["inReplyTo"] = sent["id"].clone();
    ben.sends(Method::POST, MESSAGES, &on).await.says_in_rest(404, "Message not found");
    let path = format!("/json/conversations/{}", sent["conversationId"].as_str().unwrap());
    assert_eq!(ben.get(&path).await.status, 404);
    let page = amina.get(&format!("{path}?limit=2")).await;
    assert_eq!(page.json().as_array().unwrap().len(), 2);
    let link = page.header("link").unwrap();
    let next = link.trim_start_matches('<').split('>').next().unwrap();
    let next = next.split_once("/json").unwrap().1;
    assert_eq!(amina.get(&format!("/json{next}")).await.json()[0]["content"], "Thank you");
}

#[tokio::test]
async fn a_carer_takes_part_in_the_record_cared_for_and_has_the_own_mark() {
    let w = World::new().await;
    let team = w.team(RIVERSIDE_TEAM).await;
    w.opens(BEN, team, Labels::ALL).await;
    w.opens(BEN, w.amina().as_carer().await, Labels::ALL).await;
    let (_, tokens) = w.amina().cares_for(BEN).await;
    let carer = Caller { world: &w, access: tokens.access, organisation: None };
    let (ben, okafor) = (w.ben().caller().await, clinician(&w).await);
    let sent = sends(&carer, &to_team(RIVERSIDE_TEAM, "He sleeps badly.")).await;
    assert_eq!((&sent["patientId"], &sent["sender"]["type"]), (&json!(BEN), &json!("CARER")));
    let to_carer = json!([{ "type": "CARER", "id": sent["sender"]["id"] }]);
    let answer = json!({ "patientId": BEN, "content": "Since when?", "inReplyTo": sent["id"], "recipients": to_carer });
    let answer = sends(&okafor, &answer).await;
    let path = format!("/json/conversations/{}", sent["conversationId"].as_str().unwrap());
    let read = json!({ "read": true });
    assert_eq!(carer.sends(Method::POST, &format!("{}/read", at(&answer)), &read).await.json()["status"], "READ");
    assert_eq!(status(&carer.get(&path).await.opened().json(), &answer["id"]), "READ");
    assert_eq!(status(&ben.get(&path).await.opened().json(), &answer["id"]), "UNREAD", "the patient has the own mark");
    w.discharges(BEN, w.amina().as_carer().await).await;
    carer.get(&path).await.says_in_rest(404, "Conversation not found");
    carer
        .sends(Method::POST, MESSAGES, &to_team(RIVERSIDE_TEAM, "Still."))
        .await
        .says_in_rest(404, "Patient not found");
}

#[tokio::test]
async fn a_message_that_was_sent_gets_another_label_and_nothing_else_of_it_changes() {
    let w = World::new().await;
    let (amina, okafor) = (patient(&w).await, clinician(&w).await);
    let sent = sends(&amina, &to_team(RIVERSIDE_TEAM, "The new mask leaks.")).await;
    let told = async || okafor.get("/json/notices").await.opened().json().as_array().unwrap().len();
    let before = told().await;
    let path = format!("/json/privacyLabels/Communication/{}", sent["id"].as_str().unwrap());
    let relabelled = amina.sends(Method::PUT, &path, &json!({ "privacyLabel": "SEXUAL_HEALTH" })).await;
    assert_eq!((relabelled.status, &relabelled.json()["version"]), (200, &json!(2)), "{}", relabelled.text());
    let path = format!("/json/conversations/{}", sent["conversationId"].as_str().unwrap());
    let now = okafor.get(&path).await.opened().json()[0].clone();
    assert_eq!((&now["content"], &now["privacyLabel"]), (&sent["content"], &json!("SEXUAL_HEALTH")));
    assert_eq!((&now["recipients"], &now["sent"]), (&sent["recipients"], &sent["sent"]));
    assert_eq!(told().await, before, "nobody is told of it anew");
    let mut other = now.clone();
    other["content"] = json!("I never said so.");
    let says = "a message that was sent cannot be changed or deleted";
    amina.sends(Method::PUT, &at(&sent), &other).await.says_in_rest(409, says);
}
