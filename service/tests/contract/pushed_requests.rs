//! Pushed authorization requests (RFC 9126): a client proves who it is, has its request checked, and sends people to the page with a
//! name for it that is good for a minute, for one decision, and for nobody else.

use crate::kit::client_app::{ClientApp, STATE};
use crate::kit::page::Page;
use crate::kit::token_reply::TokenReply;
use crate::kit::{BASE, MINUTE, World, encoded, fields, with, without};
use rules::authorize::REQUEST_URI_PREFIX;

const PATH: &str = "/apiPar.action";

/// What such a request is named.
async fn pushes(app: &ClientApp<'_>, asked: &[(String, String)]) -> String {
    let reply = app.posts(PATH, asked).await.0;
    assert_eq!(reply.status, 201, "{}", reply.text());
    let body = reply.json();
    assert_eq!((body.as_object().unwrap().len(), &body["expires_in"]), (2, &60.into()));
    let name = body["request_uri"].as_str().unwrap().to_owned();
    assert!(name.starts_with(REQUEST_URI_PREFIX) && !name.contains(STATE), "{name}");
    name
}

/// The address of the page of a request with this name.
fn address(client_id: &str, name: &str) -> String {
    format!("/apiAuthorize.action?{}", encoded(&fields([("client_id", client_id), ("request_uri", name)])))
}

async fn page(app: &ClientApp<'_>, name: &str) -> Page {
    let reply = app.world.get(&address(app.registration.client_id, name)).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    Page::of(&reply)
}

// gaps: Authorization endpoint > Pushed requests
#[tokio::test]
async fn a_pushed_request_leads_to_the_page_and_from_there_to_tokens_as_any_other() {
    let w = World::new().await;
    for product in ["Sleep Diary", "Ward Round", "Pill Box"] {
        let app = w.client(product);
        let person = if product == "Ward Round" { w.dr_okafor() } else { w.amina() };
        let name = pushes(&app, &app.asks()).await;
        let plain = app.sends_to_page(&app.asks()).await;
        let page = page(&app, &name).await;
        let masked = |page: &Page| page.html.replace(page.hidden_form(), "…");
        assert_eq!(masked(&page), masked(&plain), "{product}");
        let back = person.decides(&page, "approve").await.redirect();
        assert_eq!((back.get("state"), back.get("iss")), (Some(STATE), Some(BASE)));
        app.redeem(&back.code()).await.granted();
    }
}

/// Loading the page again is fine, and shows the same form: whichever is sent first decides.
// gaps: Authorization endpoint > Pushed requests
#[tokio::test]
async fn one_decision_is_made_about_a_pushed_request_however_often_its_page_is_opened() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let name = pushes(&app, &app.asks()).await;
    let (one, other) = (page(&app, &name).await, page(&app, &name).await);
    let back = w.amina().decides(&one, "approve").await.redirect();
    w.amina().decides(&other, "approve").await.error_page(400);
    w.amina().decides(&page(&app, &name).await, "approve").await.error_page(400);
    app.redeem(&back.code()).await.granted();
}

#[tokio::test]
async fn a_name_is_good_for_a_minute_and_a_page_that_it_opened_for_as_long_as_any() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let name = pushes(&app, &app.asks()).await;
    w.after(59);
    let opened = page(&app, &name).await;
    w.after(1);
    let said = w.get(&address("sleep-diary", &name)).await.error_page(400);
    assert!(said.contains("older than 60 seconds"), "{said}");
    w.after(20 * MINUTE);
    w.amina().decides(&opened, "approve").await.redirect().code();
}

#[tokio::test]
async fn a_name_leads_nowhere_for_another_client_or_without_one_or_when_it_is_made_up() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let name = pushes(&app, &app.asks()).await;
    let mut altered = name.clone();
    altered.pop();
    let not_given = "not one that this app was given";
    let sealed = page(&app, &name).await.hidden_form().to_owned();
    for (client, named, words) in [
        ("pill-box", name.as_str(), not_given),
        ("", name.as_str(), "client_id is missing"),
        ("sleep-diary", altered.as_str(), not_given),
        ("sleep-diary", REQUEST_URI_PREFIX, not_given),
        ("sleep-diary", "https://sleep.example/request.jwt", not_given),
        ("sleep-diary", &format!("{REQUEST_URI_PREFIX}{sealed}"), not_given),
    ] {
        let said = w.get(&address(client, named)).await.error_page(400);
        assert!(said.contains(words), "{words} in {said}");
    }
    let long = w.get(&address("sleep-diary", &"x".repeat(25 * 1024))).await.error_page(400);
    assert!(long.contains("request_uri is too long"), "{long}");
}

/// What is in the URL beside the name was written by nobody who has proven who they are.
#[tokio::test]
async fn what_is_sent_beside_a_name_is_passed_over() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let name = pushes(&app, &app.asks()).await;
    let beside = fields([("redirect_uri", "https://evil.example/"), ("state", "evil"), ("scope", "CLINICIAN")]);
    let reply = w.get(&format!("{}&{}", address("sleep-diary", &name), encoded(&beside))).await;
    let back = w.amina().decides(&Page::of(&reply), "approve").await.redirect();
    assert_eq!(back.get("state"), Some(STATE));
    assert_eq!(app.redeem(&back.code()).await.granted().scope, "patient");
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_told_to_the_client_that_pushes_it() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let good = app.asks();
    for (asked, error, words) in [
        (without(&good, "response_type"), "invalid_request", "response_type is missing"),
        (with(&good, "redirect_uri", "https://evil.example/"), "invalid_request", "not one that is registered"),
        (with(&good, "request_uri", "urn:x"), "invalid_request", "request_uri cannot be in a request"),
        (with(&good, "state", "a\u{1}b"), "invalid_request", "state must not have control characters"),
        (with(&good, "scope", "TEAMCOORD"), "invalid_scope", "not registered for the scope TEAMCOORD"),
        (with(&good, "scope", "everything"), "invalid_scope", "scope must be PATIENT"),
        (with(&good, "client_id", "nobody"), "invalid_client", ""),
    ] {
        let reply = TokenReply::of(w.post_form(PATH, &asked).await);
        reply.refused(error);
        assert!(reply.0.json()["error_description"].as_str().unwrap().contains(words), "{}", reply.0.text());
    }
    w.client("Post Room").posts(PATH, &without(&good, "client_id")).await.refused("unauthorized_client");
    TokenReply::of(w.post_form(&format!("{PATH}?client_id=sleep-diary"), &good).await).refused("invalid_request");
}

/// A confidential client's requests are its own: nobody pushes in its name without its secret.
#[tokio::test]
async fn a_client_with_a_secret_pushes_with_it_or_not_at_all() {
    let w = World::new().await;
    let app = w.client("Ward Round");
    let named = with(&app.asks(), "client_id", "ward-round");
    TokenReply::of(w.post_form(PATH, &named).await).refused("invalid_client");
    TokenReply::of(w.post_form(PATH, &with(&named, "client_secret", "wrong-wrong-wrong-wrong")).await)
        .refused("invalid_client");
    pushes(&app, &app.asks()).await;
}

// gaps: Authorization endpoint > Pushed requests
#[tokio::test]
async fn a_client_that_must_push_shows_no_page_otherwise() {
    let w = World::new().await;
    w.change("Sleep Diary", |client| client.require_par = true).await;
    let app = w.client("Sleep Diary");
    let said = w.get(&format!("/apiAuthorize.action?{}", encoded(&app.asks()))).await.error_page(400);
    assert!(said.contains("must push its requests"), "{said}");
    w.post_form("/apiAuthorize.action", &app.asks()).await.error_page(400);
    let name = pushes(&app, &app.asks()).await;
    let back = w.amina().decides(&page(&app, &name).await, "approve").await.redirect();
    app.redeem(&back.code()).await.granted();
}

/// All that a request can hold fits into its name, and the name into the address of a page.
#[tokio::test]
async fn the_longest_request_is_named_and_its_page_is_shown() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let long = ["state", "nonce", "login_hint", "prompt", "max_age"];
    let asked = long.iter().fold(app.asks(), |asked, name| with(&asked, name, &"x".repeat(2048)));
    let name = pushes(&app, &asked).await;
    page(&app, &name).await;
}
