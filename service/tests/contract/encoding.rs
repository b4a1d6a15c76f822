//! What is no text is refused, and what the page accepts can be answered.

use crate::kit::token_reply::TokenReply;
use crate::kit::{World, encoded, request, with, without};
use axum::body::Body;
use axum::http::{Method, Request, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;

fn form(path: &str, body: impl Into<Body>) -> Request<Body> {
    let form = request(Method::POST, path).header(header::CONTENT_TYPE, "application/x-www-form-urlencoded");
    form.body(body.into()).unwrap()
}

/// Bytes that are no UTF-8, as a URL and a form may carry them.
const NO_TEXT: [&str; 4] = ["%FF", "a%C3", "%ED%A0%80", "%C0%AF"];

#[tokio::test]
async fn what_is_no_utf_8_is_an_invalid_authorization_request() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let asked = encoded(&without(&app.asks(), "state"));
    for bytes in NO_TEXT {
        for sent in [format!("{asked}&state={bytes}"), format!("{asked}&other={bytes}"), format!("{asked}&{bytes}=x")] {
            let shown = w.get(&format!("/apiAuthorize.action?{sent}")).await.error_page(400);
            assert!(shown.contains("is not text in UTF-8"), "{sent}: {shown}");
            w.send(form("/apiAuthorize.action", sent)).await.error_page(400);
        }
    }
    let raw = [asked.as_bytes(), b"&state=\xFF"].concat();
    let shown = w.send(form("/apiAuthorize.action", raw)).await.error_page(400);
    assert!(shown.contains("The parameter state is not text in UTF-8."), "{shown}");
}

#[tokio::test]
async fn what_is_no_utf_8_is_an_invalid_token_request_and_burns_nothing() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    let body = encoded(&app.redemption(&code));
    for bytes in NO_TEXT {
        let reply = TokenReply::of(w.send(form("/apiToken.action", format!("{body}&audience={bytes}"))).await);
        reply.refused("invalid_request");
        assert_eq!(reply.0.json()["error_description"], "the parameter audience is not UTF-8");
    }
    let raw = [body.as_bytes(), b"&audience=\xFF"].concat();
    TokenReply::of(w.send(form("/apiToken.action", raw)).await).refused("invalid_request");
    app.redeem(&code).await.granted();
}

#[tokio::test]
async fn what_is_no_utf_8_inside_http_basic_is_no_client() {
    let w = World::new().await;
    for credentials in [&b"lab-link:%FF"[..], b"%FF:x", b"lab-link:\xFF", b"lab%C3:x"] {
        let mut asked = form("/apiToken.action", "grant_type=client_credentials");
        let basic = format!("Basic {}", STANDARD.encode(credentials));
        asked.headers_mut().insert(header::AUTHORIZATION, basic.parse().unwrap());
        let reply = TokenReply::of(w.send(asked).await);
        reply.refused_as(401, "invalid_client");
        let words = reply.0.json()["error_description"].as_str().unwrap().to_owned();
        assert_eq!(words, "the Authorization header is not well-formed HTTP Basic");
    }
}

#[tokio::test]
async fn what_is_no_utf_8_in_the_address_of_a_page_is_said() {
    let w = World::new().await;
    w.get("/sign-in?next=%FF").await.error_page(400);
    let mut amina = w.amina().signs_in().await;
    for path in ["/connected-apps?revoked=%FF", "/access-log?before=%FF"] {
        amina.get(path).await.error_page(400);
    }
    let mut grace = w.grace().signs_in().await;
    grace.get("/coordinator/api-access?revoked=%FF").await.error_page(400);
}

/// Whatever `state` the page is shown for comes back, by Approve and by Deny, however long it is when it is encoded.
// contract: 1. Authorization endpoint > state | string
#[tokio::test]
async fn a_state_that_the_page_accepts_comes_back() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    for state in
        ["\"".repeat(2048), "\\".repeat(2048), "é".repeat(1024), "\u{10ffff}".repeat(512), "%FF\u{fffd}".into()]
    {
        for decision in ["approve", "deny"] {
            let page = app.sends_to_page(&with(&app.asks(), "state", &state)).await;
            let redirect = w.amina().decides(&page, decision).await.redirect();
            assert_eq!(redirect.get("state"), Some(state.as_str()), "{decision}");
        }
    }
}

#[tokio::test]
async fn a_state_with_control_characters_is_an_invalid_request() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    for state in ["a\0b", "\r\nset-cookie: a=b", "\u{7f}", "\u{85}", &"\u{1}".repeat(2048)] {
        let asked = with(&app.asks(), "state", state);
        let shown = w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
        assert!(shown.contains("The parameter state must not have control characters."), "{shown}");
    }
}

/// RFC 8707 2: a client may name several resources.
// gaps: Token endpoint > Body
#[tokio::test]
async fn resource_may_be_sent_more_than_once_at_both_endpoints() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let two = "&resource=https%3A%2F%2Fa.example&resource=https%3A%2F%2Fb.example";
    let shown = w.get(&format!("/apiAuthorize.action?{}{two}", encoded(&app.asks()))).await;
    assert_eq!(shown.status, 200, "{}", shown.text());
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    let body = format!("{}{two}", encoded(&app.redemption(&code)));
    TokenReply::of(w.send(form("/apiToken.action", body)).await).granted();
}
