//! Clients whose keys are at a URL: fetched when they sign, kept for as long as their server says, and from nowhere else.

use crate::kit::key_server::{KeyAnswer, KeyServer, key_set_url};
use crate::kit::signer::{ASSERTION_TYPE, Signer, claims};
use crate::kit::token_reply::TokenReply;
use crate::kit::{HOUR, RIVERSIDE, World, fields, form_request, with};
use rules::limits::KEY_BODY_BYTES;
use serde_json::json;
use std::pin::pin;
use std::sync::atomic::Ordering;
use store::clients::KeySetUrl;

const NOT_FETCHED: &str = "could not be fetched from its jwks_url";

/// The client of this product has its keys there from now on.
async fn registers(w: &World, product: &str, at: KeySetUrl) {
    w.change(product, move |client| (client.jwks_url, client.secret) = (Some(at), None)).await;
}

/// A world in which the keys of Lab Link, a System Client, are on a server of its own.
async fn world_with(answer: KeyAnswer) -> (World, KeyServer) {
    let (w, server) = (World::new().await, KeyServer::new(answer).await);
    registers(&w, "Lab Link", server.registered()).await;
    (w, server)
}

fn signed(body: &[(String, String)], assertion: &str) -> Vec<(String, String)> {
    with(&with(body, "client_assertion_type", ASSERTION_TYPE), "client_assertion", assertion)
}

fn credentials(assertion: &str) -> Vec<(String, String)> {
    signed(&fields([("grant_type", "client_credentials")]), assertion)
}

/// Lab Link asks for a token, signed by this key.
async fn asks(w: &World, signer: &Signer) -> TokenReply {
    let body = credentials(&signer.assertion(w, "lab-link"));
    TokenReply::of(w.post_form("/apiToken.action", &body).await)
}

fn says(reply: &TokenReply, words: &str) {
    reply.refused("invalid_client");
    let description = reply.0.json()["error_description"].as_str().unwrap().to_owned();
    assert!(description.contains(words), "{description}");
    assert!(!description.contains("127.0.0.1"), "{description}");
}

// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn a_backend_service_gets_a_token_by_the_keys_at_its_url() {
    let signer = Signer::called("one");
    let (w, server) = world_with(KeyAnswer::keys("", &[&signer])).await;
    let tokens = asks(&w, &signer).await.granted();
    assert_eq!((tokens.expires_in, tokens.refresh), (HOUR, None));
    w.calls_fhir_for(RIVERSIDE, &tokens.access).await.opened();
    asks(&w, &signer).await.granted();
    assert_eq!(server.asked(), 1, "the second by what is kept");
    says(&asks(&w, &Signer::called("one")).await, "could not be authenticated");
}

/// Wherever a client proves who it is, and however.
#[tokio::test]
async fn every_endpoint_for_clients_takes_keys_at_a_url() {
    let (w, signer) = (World::new().await, Signer::called("ward"));
    let server = KeyServer::new(KeyAnswer::keys("", &[&signer])).await;
    registers(&w, "Ward Round", server.registered()).await;
    w.change("Ward Round", |client| client.may_introspect = true).await;
    let app = w.client("Ward Round");
    let proof = |body: &[(String, String)]| signed(body, &signer.assertion(&w, "ward-round"));
    let pushed = w.post_form("/apiPar.action", &proof(&with(&app.asks(), "scope", "CLINICIAN"))).await;
    assert_eq!(pushed.status, 201, "{}", pushed.text());
    let page = app.sends_to_page(&with(&app.asks(), "scope", "CLINICIAN")).await;
    let code = w.dr_okafor().decides(&page, "approve").await.redirect().code();
    let redeemed = w.post_form("/apiToken.action", &proof(&app.redemption(&code))).await;
    let tokens = TokenReply::of(redeemed).granted();
    let asked = proof(&fields([("token", tokens.access.as_str())]));
    assert_eq!(w.post_form("/apiIntrospect.action", &asked).await.json()["active"], true);
    let revoked = w.post_form("/apiRevoke.action", &proof(&fields([("token", tokens.access.as_str())]))).await;
    assert_eq!((revoked.status, server.asked()), (200, 1));
    let bare = w.post_form("/apiToken.action", &app.redemption(&code)).await;
    TokenReply::of(bare).refused("invalid_client");
}

// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn a_new_key_is_found_at_once_and_looked_for_once_a_minute() {
    let (old, new, stranger) = (Signer::called("old"), Signer::called("new"), Signer::called("stranger"));
    let (w, server) = world_with(KeyAnswer::keys("", &[&old])).await;
    asks(&w, &old).await.granted();
    server.answers(KeyAnswer::keys("", &[&new]));
    asks(&w, &new).await.granted();
    assert_eq!(server.asked(), 2);
    says(&asks(&w, &old).await, "could not be authenticated");
    says(&asks(&w, &stranger).await, "could not be authenticated");
    w.after(59);
    says(&asks(&w, &stranger).await, "could not be authenticated");
    assert_eq!(server.asked(), 2, "no stranger makes us ask more often");
    w.after(1);
    says(&asks(&w, &stranger).await, "could not be authenticated");
    asks(&w, &new).await.granted();
    assert_eq!(server.asked(), 3);
}

// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn a_key_that_was_taken_away_ends_when_the_answer_is_over() {
    let (old, new) = (Signer::called("old"), Signer::called("new"));
    for (head, seconds) in
        [("", 300), ("cache-control: max-age=30\r\n", 30), ("Cache-Control: max-age=9999999\r\n", 86_400)]
    {
        let (w, server) = world_with(KeyAnswer::keys(head, &[&old])).await;
        asks(&w, &old).await.granted();
        server.answers(KeyAnswer::keys(head, &[&new]));
        w.after(seconds - 1);
        asks(&w, &old).await.granted();
        w.after(1);
        says(&asks(&w, &old).await, "could not be authenticated");
        asks(&w, &new).await.granted();
    }
}

/// Not even while the server is away; and it is not asked again and again.
// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn no_key_is_used_past_its_time_though_its_server_is_away() {
    let signer = Signer::called("one");
    let (w, server) = world_with(KeyAnswer::keys("cache-control: max-age=30\r\n", &[&signer])).await;
    asks(&w, &signer).await.granted();
    server.answers(KeyAnswer::Says("HTTP/1.1 500 Oh\r\ncontent-length: 0\r\n\r\n".into()));
    w.after(29);
    asks(&w, &signer).await.granted();
    w.after(1);
    says(&asks(&w, &signer).await, NOT_FETCHED);
    for (pause, asked) in [(0, 2), (9, 2), (2, 3), (19, 3), (2, 4), (39, 4), (2, 5), (58, 5), (3, 6)] {
        w.after(pause);
        says(&asks(&w, &signer).await, NOT_FETCHED);
        assert_eq!(server.asked(), asked, "after {pause}");
    }
    server.answers(KeyAnswer::keys("", &[&signer]));
    w.after(61);
    asks(&w, &signer).await.granted();
}

#[tokio::test]
async fn an_answer_that_is_not_to_be_kept_is_asked_for_again_but_not_twice_in_a_second() {
    let signer = Signer::called("one");
    let (w, server) = world_with(KeyAnswer::keys("cache-control: no-store\r\n", &[&signer])).await;
    for asked in 1..4 {
        asks(&w, &signer).await.granted();
        asks(&w, &signer).await.granted();
        assert_eq!(server.asked(), asked);
        w.after(2);
    }
}

// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn forty_assertions_at_once_are_one_fetch() {
    let (signer, stranger) = (Signer::called("one"), Signer::called("two"));
    for head in ["", "cache-control: no-store\r\n"] {
        let (w, server) = world_with(KeyAnswer::keys(head, &[&signer])).await;
        let bodies = (0..40).map(|_| credentials(&signer.assertion(&w, "lab-link")));
        let requests = bodies.map(|body| form_request("/apiToken.action", &body)).collect();
        let replies = w.shoots(requests).await;
        assert!(replies.iter().all(|reply| reply.status == 200));
        assert_eq!(server.asked(), 1);
    }
    let (w, server) = world_with(KeyAnswer::keys("", &[&signer])).await;
    let bodies = (0..40).map(|_| credentials(&stranger.assertion(&w, "lab-link")));
    let requests = bodies.map(|body| form_request("/apiToken.action", &body)).collect();
    let replies = w.shoots(requests).await;
    assert!(replies.iter().all(|reply| [400, 429].contains(&reply.status)));
    assert!(server.asked() <= 2, "{} for a key that is not there", server.asked());
}

// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn no_redirect_is_followed_and_nothing_but_a_key_set_is_taken() {
    let signer = Signer::called("one");
    let target = KeyServer::new(KeyAnswer::keys("", &[&signer])).await;
    let to = |status: &str| {
        KeyAnswer::Says(format!("HTTP/1.1 {status} Go\r\nlocation: {}\r\ncontent-length: 0\r\n\r\n", target.url()))
    };
    let private = json!({"keys": [signer.jwk(), {"kty": "oct", "k": "c2VjcmV0"}]}).to_string();
    let long_head = format!("x: {}\r\n", "y".repeat(20_000));
    for answer in [
        to("301"),
        to("302"),
        to("303"),
        to("307"),
        to("308"),
        KeyAnswer::Says("HTTP/1.1 204 No\r\n\r\n".into()),
        KeyAnswer::Says("HTTP/1.1 206 Part\r\ncontent-length: 11\r\n\r\n{\"keys\":[]}".into()),
        KeyAnswer::Says("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\n{\"keys\":".into()),
        KeyAnswer::Says("SSH-2.0-OpenSSH_9.9\r\n".into()),
        KeyAnswer::Says(String::new()),
        KeyAnswer::text("", "<html>"),
        KeyAnswer::text("", "{}"),
        KeyAnswer::text("", &private),
        KeyAnswer::text("", &format!("{{\"keys\":[]}}{}", " ".repeat(KEY_BODY_BYTES))),
        KeyAnswer::keys(&long_head, &[&signer]),
    ] {
        let (w, server) = world_with(answer).await;
        says(&asks(&w, &signer).await, NOT_FETCHED);
        assert_eq!((server.asked(), target.asked()), (1, 0));
    }
    let (w, _server) = world_with(KeyAnswer::text("", r#"{"keys":[]}"#)).await;
    says(&asks(&w, &signer).await, "could not be authenticated");
}

// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn an_answer_without_an_end_is_left_at_64_kibibytes() {
    let (w, server) = world_with(KeyAnswer::Endless).await;
    says(&asks(&w, &Signer::called("one")).await, NOT_FETCHED);
    // What the two sockets hold is written, too.
    let taken = server.taken.load(Ordering::SeqCst);
    assert!(taken < 32 << 20, "{taken} bytes");
}

/// The time of the fetch passes by a clock that is stopped once the other client has its token.
// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn a_server_that_says_nothing_is_left_and_keeps_nobody_else_waiting() {
    let (signer, other) = (Signer::called("one"), Signer::called("other"));
    let (w, mut server) = world_with(KeyAnswer::Nothing).await;
    let sound = KeyServer::new(KeyAnswer::keys("", &[&other])).await;
    registers(&w, "Post Room", sound.registered()).await;
    let mut slow = pin!(asks(&w, &signer));
    let quick = async {
        server.is_asked().await;
        let body = credentials(&other.assertion(&w, "post-room"));
        TokenReply::of(w.post_form("/apiToken.action", &body).await)
    };
    tokio::select! {
        biased;
        reply = quick => reply.granted(),
        _ = &mut slow => panic!("the other client was kept waiting"),
    };
    tokio::time::pause();
    says(&slow.await, NOT_FETCHED);
}

// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn nothing_is_connected_to_that_is_not_public_unless_the_operator_permits_it() {
    let signer = Signer::called("one");
    for (sandbox, private, scheme, host, reached) in [
        (false, false, "http", "127.0.0.1", false),
        (false, false, "http", "localhost", false),
        (false, false, "https", "127.0.0.1", false),
        (false, false, "https", "localhost", false),
        (false, false, "https", "[::ffff:127.0.0.1]", false),
        (false, true, "http", "127.0.0.1", false),
        (false, true, "https", "127.0.0.1", true),
        (false, true, "https", "localhost", true),
        (true, false, "http", "localhost", true),
    ] {
        let server = KeyServer::new(KeyAnswer::keys("", &[&signer])).await;
        let w = World::with(|settings| (settings.sandbox, settings.jwks_allow_private) = (sandbox, private)).await;
        registers(&w, "Lab Link", key_set_url(&format!("{scheme}://{host}:{}/jwks.json", server.port))).await;
        let reply = asks(&w, &signer).await;
        assert_eq!(server.connections() > 0, reached, "{scheme}://{host} {sandbox} {private}");
        if scheme == "http" && reached {
            reply.granted();
        } else {
            says(&reply, NOT_FETCHED);
        }
    }
}

// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn keys_that_the_assertion_brings_or_names_are_never_gone_to() {
    let (signer, forger) = (Signer::called("one"), Signer::called("one"));
    let (w, server) = world_with(KeyAnswer::keys("", &[&signer])).await;
    let elsewhere = KeyServer::new(KeyAnswer::keys("", &[&forger])).await;
    let ask = async |by: &Signer, jku: Option<String>, more: serde_json::Value| {
        let mut header = by.header();
        header.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        if let Some(jku) = jku {
            header["jku"] = jku.into();
        }
        let assertion = by.sign(&header, &claims(&w, "lab-link"));
        TokenReply::of(w.post_form("/apiToken.action", &credentials(&assertion)).await)
    };
    ask(&signer, Some(server.url()), json!({})).await.granted();
    says(&ask(&signer, Some(elsewhere.url()), json!({})).await, "jku of the client_assertion is not the jwks_url");
    says(&ask(&signer, Some(server.url() + "/"), json!({})).await, "jku of the client_assertion");
    says(&ask(&forger, Some(elsewhere.url()), json!({})).await, "could not be authenticated");
    says(&ask(&forger, None, json!({"jwk": forger.jwk()})).await, "could not be authenticated");
    says(&ask(&forger, None, json!({"x5u": elsewhere.url(), "x5c": ["MAA="]})).await, "could not be authenticated");
    ask(&signer, None, json!({"jwk": forger.jwk(), "x5u": elsewhere.url()})).await.granted();
    assert_eq!((server.asked(), elsewhere.asked()), (1, 0));
}

// gaps: Token endpoint > Keys by URL
#[tokio::test]
async fn another_url_or_none_voids_the_tokens_at_once_and_rotated_keys_do_not() {
    let (old, new) = (Signer::called("old"), Signer::called("new"));
    let (w, server) = world_with(KeyAnswer::keys("", &[&old])).await;
    let first = asks(&w, &old).await.granted().access;
    server.answers(KeyAnswer::keys("", &[&new]));
    let second = asks(&w, &new).await.granted().access;
    for token in [&first, &second] {
        w.calls_fhir_for(RIVERSIDE, token).await.opened();
    }
    let other = KeyServer::new(KeyAnswer::keys("", &[&new])).await;
    registers(&w, "Lab Link", other.registered()).await;
    for token in [&first, &second] {
        w.calls_fhir_for(RIVERSIDE, token).await.says(401, "BAD_AUTHENTICATION");
    }
    let third = asks(&w, &new).await.granted().access;
    assert_eq!(other.asked(), 1, "what was kept of the former URL is gone");
    let inline = new.key();
    w.change("Lab Link", move |client| (client.keys, client.jwks_url) = (vec![inline], None)).await;
    w.calls_fhir_for(RIVERSIDE, &third).await.says(401, "BAD_AUTHENTICATION");
    asks(&w, &new).await.granted();
    assert_eq!(other.asked(), 1);
}
