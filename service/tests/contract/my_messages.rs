//! Messages on the pages of a record: what is new in which conversation, answering, beginning one, and what is refused.

use crate::kit::browser::Browser;
use crate::kit::caller::Caller;
use crate::kit::page::Page;
use crate::kit::reply::Reply;
use crate::kit::{HILLSIDE_TEAM, RIVERSIDE_TEAM, World, fields, with};
use crate::rest::callers::{clinician, patient};
use axum::http::Method;
use serde_json::{Value, json};

const NEW: &str = "/record/messages/new";

/// A message from the team, which begins a conversation; its id.
async fn from_team(clinician: &Caller<'_>, more: Value) -> String {
    let mut message = json!({ "patientId": "amina", "subject": "Mask", "content": "Please come on Friday.",
        "recipients": [{ "type": "PATIENT", "id": "amina" }] });
    message.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    let sent = clinician.sends(Method::POST, "/json/messages", &message).await;
    assert_eq!(sent.status, 201, "{}", sent.text());
    sent.json()["conversationId"].as_str().unwrap().to_owned()
}

fn at(conversation: &str) -> String {
    format!("/record/messages/{conversation}")
}

/// What the form of a page sends with this in it.
fn filled(page: &Page, action: &str, more: &[(&str, &str)]) -> Vec<(String, String)> {
    let mut sent = fields([("form", page.form(action).sealed.as_str())]);
    if page.html.contains("name=\"answers\"") {
        sent.push(("answers".into(), page.hidden("answers")));
    }
    sent.extend(more.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())));
    sent
}

async fn answers(browser: &mut Browser<'_>, conversation: &str, text: &str) -> Reply {
    let path = at(conversation);
    let page = browser.sees(&path).await;
    browser.post(&path, &filled(&page, &path, &[("text", text)])).await
}

/// The messages of a conversation, as the custom REST API tells them to its patient.
async fn told(w: &World, conversation: &str) -> Vec<Value> {
    let told = patient(w).await.get(&format!("/json/conversations/{conversation}")).await.opened().json();
    told.as_array().unwrap().clone()
}

// gaps: Pages > Messages
#[tokio::test]
async fn what_is_new_is_marked_until_its_conversation_is_opened_and_the_sender_sees_that() {
    let w = World::new().await;
    let doctor = clinician(&w).await;
    let conversation = from_team(&doctor, json!({})).await;
    let mut amina = w.amina().signs_in().await;
    let home = amina.sees("/record").await.html;
    assert!(home.contains("1 new, with Riverside Diabetes Team") && home.contains(&at(&conversation)), "{home}");
    let list = amina.sees("/record/messages").await.html;
    assert!(list.contains("1 new</strong>") && list.contains("With Riverside Diabetes Team"), "{list}");
    let head = w.send(amina.request(Method::HEAD, &at(&conversation), &[])).await;
    assert_eq!((head.status, told(&w, &conversation).await[0]["status"].as_str()), (200, Some("UNREAD")));
    let first = amina.sees(&at(&conversation)).await.html;
    for words in
        ["From Riverside Diabetes Team", "<strong class=\"new\">New</strong>", "Please come on Friday.", "To you"]
    {
        assert!(first.contains(words), "{words} in {first}");
    }
    let read = doctor.get(&format!("/json/conversations/{conversation}")).await.json();
    assert_eq!(read[0]["firstRead"], "2026-11-15T09:30:00.000Z", "{read}");
    assert!(!amina.sees(&at(&conversation)).await.html.contains("class=\"new\""));
    assert!(!amina.sees("/record/messages").await.html.contains("class=\"new\""));
    assert!(amina.sees("/record").await.html.contains("You have read all your messages."));
}

// gaps: Pages > Messages
#[tokio::test]
async fn an_answer_goes_to_all_who_take_part_and_is_sent_once_however_often_its_form_is() {
    let w = World::new().await;
    let doctor = clinician(&w).await;
    let conversation = from_team(&doctor, json!({})).await;
    let mut amina = w.amina().signs_in().await;
    let path = at(&conversation);
    let page = amina.sees(&path).await;
    assert!(page.html.contains("Your answer goes to Riverside Diabetes Team."), "{}", page.html);
    let sent = filled(&page, &path, &[("text", "Yes,\r\nI come.")]);
    for _ in 0..2 {
        let reply = amina.post(&path, &sent).await;
        assert_eq!(reply.header("location"), Some(format!("{path}?done=sent").as_str()), "{}", reply.text());
    }
    let both = told(&w, &conversation).await;
    assert_eq!(both.len(), 2, "{both:?}");
    assert_eq!((&both[1]["content"], &both[1]["inReplyTo"]), (&json!("Yes,\nI come."), &both[0]["id"]));
    assert_eq!(
        (&both[1]["recipients"][0]["type"], &both[1]["recipients"][0]["id"]),
        (&json!("TEAM"), &json!(RIVERSIDE_TEAM))
    );
    let after = amina.sees(&format!("{path}?done=sent")).await.html;
    assert!(after.contains("Your message is sent.") && after.contains("From you"), "{after}");
    // The same form with another text in it is another message.
    assert_eq!(amina.post(&path, &with(&sent, "text", "At nine.")).await.status, 303);
    assert_eq!(told(&w, &conversation).await.len(), 3);
    // Whoever takes part is answered, whatever became of the consent.
    w.amina().is_of(&[]).await;
    assert_eq!(answers(&mut amina, &conversation, "Goodbye.").await.status, 303);
}

#[tokio::test]
async fn an_answer_in_a_private_conversation_is_private_unless_its_writer_unticks_that() {
    let w = World::new().await;
    let conversation = from_team(&clinician(&w).await, json!({ "private": true })).await;
    let mut amina = w.amina().signs_in().await;
    let path = at(&conversation);
    let page = amina.sees(&path).await;
    assert!(page.html.contains("value=\"yes\" checked"), "{}", page.html);
    for (more, is_private) in [(&[("text", "a"), ("private", "yes")][..], true), (&[("text", "b")][..], false)] {
        assert_eq!(amina.post(&path, &filled(&page, &path, more)).await.status, 303);
        assert_eq!(told(&w, &conversation).await.last().unwrap()["private"], is_private);
    }
}

// gaps: Pages > Messages
#[tokio::test]
async fn a_patient_writes_to_those_with_whom_the_record_is_shared_once_a_form() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees(NEW).await;
    let to = format!("TEAM:{RIVERSIDE_TEAM}");
    assert!(page.html.contains(&format!("<option value=\"{to}\">Riverside Diabetes Team</option>")), "{}", page.html);
    assert!(!page.html.contains(HILLSIDE_TEAM), "{}", page.html);
    let sent = filled(&page, NEW, &[("to", &to), ("subject", "Mask"), ("text", "It leaks."), ("private", "yes")]);
    let first = amina.post(NEW, &sent).await;
    let again = amina.post(NEW, &sent).await;
    let path = first.header("location").unwrap().strip_suffix("?done=sent").unwrap();
    assert_eq!(first.header("location"), again.header("location"));
    let told = told(&w, path.rsplit_once('/').unwrap().1).await;
    assert_eq!(told.len(), 1, "{told:?}");
    let message = &told[0];
    assert_eq!((&message["subject"], &message["content"]), (&json!("Mask"), &json!("It leaks.")));
    assert_eq!((&message["private"], &message["status"]), (&json!(true), &json!("SENT")));
    assert!(amina.sees(path).await.html.contains("With Riverside Diabetes Team"));
    assert!(w.dr_okafor().signs_in().await.sees("/notices").await.html.contains("A message"));
}

// gaps: Pages > Messages
#[tokio::test]
async fn what_is_refused_is_said_on_the_page_and_nothing_that_was_typed_is_lost() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees(NEW).await;
    let open = format!("TEAM:{RIVERSIDE_TEAM}");
    for (to, text, field, words) in [
        (format!("TEAM:{HILLSIDE_TEAM}"), "My words.", "to", "No consent of this record lets a recipient read it"),
        ("TEAM:nobody".to_owned(), "My words.", "to", "No consent of this record lets a recipient read it"),
        ("TEAM:a b".to_owned(), "My words.", "to", ""),
        ("ROBOT:5".to_owned(), "My words.", "to", "Choose to whom you write."),
        (String::new(), "My words.", "to", "Choose to whom you write."),
        (open.clone(), " \r\n ", "text", "Write something, in plain text."),
        (open.clone(), "a\u{1}b", "text", "Write something, in plain text."),
    ] {
        let sent = filled(&page, NEW, &[("to", &to), ("subject", "<b>Mask</b>"), ("text", text)]);
        let refused = amina.post(NEW, &sent).await;
        assert_eq!(refused.status, 422, "{}", refused.text());
        let html = refused.text();
        assert!(html.contains(&format!("id=\"{field}-fault\"")) && html.contains(words), "{to} {text:?}: {html}");
        assert!(html.contains("value=\"&#60;b&#62;Mask&#60;/b&#62;\"") && html.contains(text.trim()), "{html}");
    }
    assert_eq!(patient(&w).await.get("/json/conversations").await.json(), json!([]));
    let conversation = from_team(&clinician(&w).await, json!({})).await;
    let refused = answers(&mut amina, &conversation, "a\u{1}b").await;
    assert_eq!(refused.status, 422, "{}", refused.text());
    assert!(refused.text().contains("Please come on Friday.") && refused.text().contains("id=\"text-fault\""));
}

// gaps: Pages > Messages
#[tokio::test]
async fn a_message_of_markup_is_words_on_the_page_whoever_wrote_it() {
    let w = World::new().await;
    let doctor = clinician(&w).await;
    let hostile = "<script>alert(1)</script>\" onload=\"x";
    let plain = from_team(&doctor, json!({ "subject": hostile, "content": hostile })).await;
    let html = from_team(&doctor, json!({ "html": true, "content": "<p>Bring the <b>mask</b> &amp; tube</p>" })).await;
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees(&at(&plain)).await.html;
    assert!(!page.contains("<script") && page.contains("&#60;script&#62;alert(1)"), "{page}");
    let page = amina.sees(&at(&html)).await.html;
    assert!(page.contains("Bring the mask &#38; tube") && !page.contains("<b>mask"), "{page}");
    for path in ["/record", "/record/messages"] {
        let page = amina.sees(path).await.html;
        assert!(!page.contains("<script") && !page.contains("onload=\"x"), "{page}");
    }
}

/// FHIR lets the id of a conversation be any text.
#[tokio::test]
async fn a_conversation_is_opened_and_answered_whatever_its_id_is() {
    let w = World::new().await;
    let id = "urn:a/b?c=%41#\"<x>\u{4f60}";
    let message = json!({ "resourceType": "Communication", "status": "completed", "sent": "2026-11-14T10:00:00Z",
        "subject": { "reference": "Patient/amina" }, "recipient": [{ "reference": "Patient/amina" }],
        "sender": { "reference": format!("Organization/{RIVERSIDE_TEAM}"), "display": "The <b>team</b>" },
        "extension": [{ "url": "urn:recordgate:conversation-id", "valueString": id }],
        "payload": [{ "contentString": "Hello" }] });
    let made = clinician(&w).await.post("/fhir/Communication", &message).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let mut amina = w.amina().signs_in().await;
    let list = amina.sees("/record/messages").await;
    assert!(list.html.contains("With The &#60;b&#62;team&#60;/b&#62;"), "{}", list.html);
    let path = list.link("/record/messages/urn").unwrap();
    let page = amina.sees(&path).await;
    let sent = filled(&page, &path, &[("text", "Good morning")]);
    let reply = amina.post(&path, &sent).await;
    assert_eq!(reply.header("location"), Some(format!("{path}?done=sent").as_str()), "{}", reply.text());
    assert!(amina.sees(&path).await.html.contains("Good morning"));
}

#[tokio::test]
async fn a_long_text_is_sent_whole() {
    let w = World::new().await;
    let conversation = from_team(&clinician(&w).await, json!({})).await;
    let mut amina = w.amina().signs_in().await;
    let long = "\u{4f60}".repeat(5000);
    assert_eq!(answers(&mut amina, &conversation, &long).await.status, 303);
    assert_eq!(told(&w, &conversation).await[1]["content"], json!(long));
    answers(&mut amina, &conversation, &"x".repeat(25_000)).await.error_page(413);
}

#[tokio::test]
async fn nobody_reads_or_answers_in_a_conversation_of_others_or_by_a_form_for_another() {
    let w = World::new().await;
    let doctor = clinician(&w).await;
    let (one, other) = (from_team(&doctor, json!({})).await, from_team(&doctor, json!({ "subject": "Tube" })).await);
    let (mut amina, mut ben) = (w.amina().signs_in().await, w.ben().signs_in().await);
    for id in [one.as_str(), "none", "a%20b"] {
        ben.get(&at(id)).await.error_page(404);
    }
    let form = filled(&amina.sees(&at(&one)).await, &at(&one), &[("text", "x")]);
    ben.post(&at(&one), &form).await.error_page(400);
    amina.post(&at(&other), &form).await.error_page(400);
    amina.post(NEW, &form).await.error_page(400);
    amina.post(&at(&one), &with(&form, "form", "rgf_000000_x")).await.error_page(400);
    assert_eq!(told(&w, &one).await.len() + told(&w, &other).await.len(), 2);
    let mut okafor = w.dr_okafor().signs_in().await;
    okafor.get(&at(&one)).await.error_page(403);
    amina.get("/record/messages?after=x").await.error_page(400);
    amina.get("/record/attachments/none").await.error_page(404);
}

#[tokio::test]
async fn a_long_conversation_is_read_page_by_page() {
    let w = World::new().await;
    let conversation = from_team(&clinician(&w).await, json!({ "content": "number 0." })).await;
    let mut amina = w.amina().signs_in().await;
    let path = at(&conversation);
    let page = amina.sees(&path).await;
    for at in 1..60 {
        w.after(1);
        assert_eq!(amina.post(&path, &filled(&page, &path, &[("text", &format!("number {at}."))])).await.status, 303);
    }
    let newest = amina.sees(&path).await;
    assert!(
        newest.html.contains("number 59.") && newest.html.contains("number 10.") && !newest.html.contains("number 9.")
    );
    let earlier = newest.link("before=").unwrap();
    let first = amina.sees(&earlier).await.html;
    assert!(first.contains("number 0.") && first.contains("number 9.") && !first.contains("number 10."), "{first}");
}
