//! The token endpoint's refusals: every error code, how a client must say who it is, and what a refusal leaves untouched.

use crate::kit::client_app::basic;
use crate::kit::token_reply::TokenReply;
use crate::kit::{MINUTE, World, encoded, fields, form_request, request, with, without};
use axum::body::Body;
use axum::http::{Method, header};

/// An error response is 400 with the three headers and a string `error`; the description is printable ASCII.
// contract: Error response (JSON, from the token endpoint) > error | string
// contract: Token endpoint > The full list of token endpoint error codes
// gaps: Token endpoint > Error codes
#[tokio::test]
async fn every_refusal_is_400_with_one_of_the_six_codes() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let refresh = app.refreshment(tokens.refresh());
    let refused = [
        (without(&refresh, "refresh_token"), "invalid_request"),
        (with(&refresh, "client_id", "nobody"), "invalid_client"),
        (with(&refresh, "refresh_token", "rgr_made_up"), "invalid_grant"),
        (with(&refresh, "grant_type", "client_credentials"), "unauthorized_client"),
        (with(&refresh, "grant_type", "password"), "unsupported_grant_type"),
        (with(&refresh, "scope", "CLINICIAN"), "invalid_scope"),
    ];
    for (body, error) in refused {
        let reply = app.asks_for_tokens(&body).await;
        reply.refused(error);
        let said = reply.0.json()["error_description"].as_str().unwrap().to_owned();
        let printable = |c: char| matches!(c, ' '..='~') && !matches!(c, '"' | '\\');
        assert!(!said.is_empty() && said.chars().all(printable), "{said}");
    }
    app.refresh(&tokens).await.granted();
}

/// Expired code, or any other fault: 400 with `{error}`.
// contract: Token endpoint > Expired authorization code (older than 10 minutes)
// contract: States and transitions > Authorization code | 10 minutes pass
#[tokio::test]
async fn an_expired_code_is_refused_at_the_very_end_of_its_ten_minutes() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    w.after(10 * MINUTE);
    app.redeem(&code).await.refused("invalid_grant");
}

/// The parameters are sent in the body, not in the URL; the body is a form; nothing is sent twice.
// contract: 2. Token endpoint > The parameters are sent in the body of the POST
// gaps: Token endpoint > Body
#[tokio::test]
async fn parameters_come_once_in_a_form_body_or_not_at_all() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let body = app.refreshment(tokens.refresh());
    let in_url = form_request(&format!("/apiToken.action?{}", encoded(&body)), &body);
    TokenReply::of(w.send(in_url).await).refused("invalid_request");
    let harmless = form_request("/apiToken.action?trace=1", &body);
    TokenReply::of(w.send(harmless).await).refused("invalid_request");
    let json = serde_json::json!({ "grant_type": "refresh_token" }).to_string();
    for media_type in ["application/json", "text/plain", "multipart/form-data; boundary=x"] {
        let post = request(Method::POST, "/apiToken.action").header(header::CONTENT_TYPE, media_type);
        let reply = w.send(post.body(Body::from(json.clone())).unwrap()).await;
        TokenReply::of(reply).refused("invalid_request");
    }
    let untyped = request(Method::POST, "/apiToken.action").body(Body::from(encoded(&body))).unwrap();
    TokenReply::of(w.send(untyped).await).refused("invalid_request");
    let twice: Vec<_> = body.iter().cloned().chain(fields([("client_id", "sleep-diary")])).collect();
    app.asks_for_tokens(&twice).await.refused("invalid_request");
    let mut spelt = form_request("/apiToken.action", &body);
    let with_charset = "application/X-WWW-Form-Urlencoded; charset=UTF-8".parse().unwrap();
    spelt.headers_mut().insert(header::CONTENT_TYPE, with_charset);
    TokenReply::of(w.send(spelt).await).granted();
}

/// A confidential client's secret is required, by Basic or in the body, never both; a failure burns nothing.
// gaps: Token endpoint > Client secret
#[tokio::test]
async fn a_failed_client_authentication_burns_neither_code_nor_refresh_token() {
    let w = World::new().await;
    let (app, code) = w.dr_okafor().gives_code("Ward Round").await;
    let body = app.redemption(&code);
    let wrong = "rgs_not-the-secret-of-ward-round";
    TokenReply::of(w.post_form("/apiToken.action", &body).await).refused("invalid_client");
    let in_body = with(&body, "client_secret", wrong);
    TokenReply::of(w.post_form("/apiToken.action", &in_body).await).refused("invalid_client");
    app.asks_as("ward-round", wrong, &body).await.refused_as(401, "invalid_client");
    app.asks_as("ward-round", "", &body).await.refused_as(401, "invalid_client");
    let tokens = app.redeem(&code).await.granted();
    let refresh = app.refreshment(tokens.refresh());
    app.asks_as("ward-round", wrong, &refresh).await.refused_as(401, "invalid_client");
    let in_body = with(&refresh, "client_secret", app.registration.secret.unwrap());
    app.asks_for_tokens(&in_body).await.refused("invalid_request");
    TokenReply::of(w.post_form("/apiToken.action", &in_body).await).granted();
}

/// `invalid_client` is 401 with `WWW-Authenticate: Basic` only where HTTP Basic was tried.
// gaps: Token endpoint > Error codes
#[tokio::test]
async fn only_a_client_that_tried_basic_is_challenged_for_it() {
    let w = World::new().await;
    let app = w.client("Lab Link");
    let body = fields([("grant_type", "client_credentials")]);
    let tried = app.asks_as("lab-link", "rgs_not-the-secret-of-lab-link", &body).await;
    tried.refused_as(401, "invalid_client");
    assert!(tried.0.header("www-authenticate").unwrap().starts_with("Basic"));
    let in_body = with(&with(&body, "client_id", "lab-link"), "client_secret", "rgs_not-the-secret");
    let plain = TokenReply::of(w.post_form("/apiToken.action", &in_body).await);
    plain.refused("invalid_client");
    assert_eq!(plain.0.header("www-authenticate"), None);
}

/// What is not well-formed HTTP Basic, and a `client_id` that differs from it, are refused.
// gaps: Token endpoint > Client secret
#[tokio::test]
async fn basic_must_be_well_formed_and_agree_with_the_body() {
    let w = World::new().await;
    let app = w.client("Lab Link");
    let body = fields([("grant_type", "client_credentials")]);
    for malformed in ["Basic", "Basic !!!", "Basic bGFiLWxpbms="] {
        let mut post = form_request("/apiToken.action", &body);
        post.headers_mut().insert(header::AUTHORIZATION, malformed.parse().unwrap());
        TokenReply::of(w.send(post).await).refused_as(401, "invalid_client");
    }
    let mut twice = form_request("/apiToken.action", &body);
    for _ in 0..2 {
        twice.headers_mut().append(header::AUTHORIZATION, basic("lab-link", app.registration.secret.unwrap()));
    }
    TokenReply::of(w.send(twice).await).refused_as(401, "invalid_client");
    app.asks_for_tokens(&with(&body, "client_id", "post-room")).await.refused("invalid_request");
    app.asks_for_tokens(&with(&body, "client_id", "lab-link")).await.granted();
}

/// The secret and Client ID in HTTP Basic are form-encoded, as OAuth asks.
#[tokio::test]
async fn a_form_encoded_secret_in_basic_is_decoded() {
    let w = World::new().await;
    let secret = "rgs_odd:secret+with %25 signs";
    let odd = service::secrets::secret::Secret::new(secret.to_owned()).fingerprint();
    w.change("Lab Link", move |client| client.secret = Some(odd)).await;
    let encoded: String = form_urlencoded::byte_serialize(secret.as_bytes()).collect();
    let body = fields([("grant_type", "client_credentials")]);
    w.client("Lab Link").asks_as("lab-link", &encoded, &body).await.granted();
}

/// A used code: 400, and the session that it opened is revoked.
// gaps: Token endpoint > Used code again
#[tokio::test]
async fn a_code_used_again_revokes_the_session_it_opened() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    let tokens = app.redeem(&code).await.granted();
    w.calls_fhir_with(&tokens.access).await.opened();
    app.redeem(&code).await.refused("invalid_grant");
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&tokens).await.refused("invalid_grant");
}

/// A code that another client presents again revokes nothing: only its own client's reuse is a replay.
// gaps: Token endpoint > Used code again
#[tokio::test]
async fn a_stranger_with_a_used_code_changes_nothing() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    let tokens = app.redeem(&code).await.granted();
    let stranger = w.client("Spotty Signal");
    stranger.redeem(&code).await.refused("invalid_grant");
    w.calls_fhir_with(&tokens.access).await.opened();
    app.refresh(&tokens).await.granted();
}

/// One kind of token is none of the others, wherever it is presented.
#[tokio::test]
async fn a_token_of_one_kind_is_none_of_another() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    app.asks_for_tokens(&app.refreshment(&code)).await.refused("invalid_grant");
    w.calls_fhir_with(&code).await.says(401, "BAD_AUTHENTICATION");
    let tokens = app.redeem(&code).await.granted();
    app.redeem(tokens.refresh()).await.refused("invalid_grant");
    app.redeem(&tokens.access).await.refused("invalid_grant");
    app.asks_for_tokens(&app.refreshment(&tokens.access)).await.refused("invalid_grant");
    w.calls_fhir_with(tokens.refresh()).await.says(401, "BAD_AUTHENTICATION");
    app.refresh(&tokens).await.granted();
}
