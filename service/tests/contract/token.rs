//! The token endpoint: the three grants, and every field and header of their answers.

use crate::kit::clients::{CHALLENGE, VERIFIER};
use crate::kit::token_reply::TokenReply;
use crate::kit::{DAY, HOUR, MINUTE, RIVERSIDE, World, fields, with, without};

/// 200, JSON, the three headers; the members of a token response and nothing else.
// contract: 2. Token endpoint > POST {base_url}/apiToken.action
// contract: 2. Token endpoint > Content-Type | application/json;charset=UTF-8
// contract: 2. Token endpoint > Cache-Control | no-store
// contract: 2. Token endpoint > Pragma | no-cache
// contract: Token response (JSON, from the token endpoint) > access_token | string
// contract: Token response (JSON, from the token endpoint) > token_type | string
// contract: Token response (JSON, from the token endpoint) > expires_in | integer
// contract: Token response (JSON, from the token endpoint) > refresh_token | string
#[tokio::test]
async fn a_token_response_has_the_contracts_headers_and_members() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    let reply = app.redeem(&code).await;
    let tokens = reply.granted();
    let members: Vec<&String> = tokens.body.as_object().unwrap().keys().collect();
    assert_eq!(members, ["access_token", "token_type", "expires_in", "refresh_token", "scope"]);
    assert_eq!((tokens.expires_in, tokens.scope.as_str()), (600, "patient"));
    assert!(tokens.access.starts_with("rga_") && tokens.refresh().starts_with("rgr_"));
    assert_eq!(reply.0.header("content-type"), Some("application/json;charset=UTF-8"));
    assert_eq!(reply.0.header("cache-control"), Some("no-store"));
    assert_eq!(reply.0.header("pragma"), Some("no-cache"));
}

/// Tokens are opaque: neither who holds them nor which session they belong to can be read off them.
// contract: Token response (JSON, from the token endpoint) > access_token | string
#[tokio::test]
async fn tokens_are_opaque() {
    let w = World::new().await;
    let (_, amina) = w.amina().approves("Sleep Diary").await;
    let (_, ben) = w.ben().approves("Sleep Diary").await;
    let after_key_id = |token: &str| token.splitn(3, '_').nth(2).unwrap().to_owned();
    let (a, b) = (after_key_id(&amina.access), after_key_id(&ben.access));
    assert_eq!(a.len(), b.len(), "the length tells nothing");
    let shared = a.bytes().zip(b.bytes()).take_while(|(x, y)| x == y).count();
    assert!(shared < 8, "two tokens of one second share no readable beginning");
    let is_of_rfc_6750 = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~+/=".contains(&byte);
    assert!(amina.access.bytes().all(is_of_rfc_6750), "{}", amina.access);
}

/// Authorization code exchange: grant_type, client_id, code, redirect_uri, in the body.
// contract: 2. Token endpoint > grant_type | string | authorization_code
// contract: 2. Token endpoint > code | string | The authorization code
// contract: 2. Token endpoint > redirect_uri | URL | Must equal
// contract: States and transitions > Authorization code | Token request with grant_type=authorization_code
#[tokio::test]
async fn a_code_is_exchanged_with_the_redirect_uri_that_it_is_bound_to() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    let body = app.redemption(&code);
    for missing in ["grant_type", "client_id", "code"] {
        app.asks_for_tokens(&without(&body, missing)).await.refused("invalid_request");
    }
    app.asks_for_tokens(&without(&body, "redirect_uri")).await.refused("invalid_grant");
    app.asks_for_tokens(&with(&body, "redirect_uri", "https://sleep.example")).await.refused("invalid_grant");
    app.asks_for_tokens(&body).await.granted();
}

/// Refresh: grant_type, client_id, an unused refresh_token, scope; the same shape as a code's answer.
// contract: 2. Token endpoint > grant_type | string | refresh_token
// contract: 2. Token endpoint > refresh_token | string | A refresh token not used before
// contract: 2. Token endpoint > Error response: HTTP 400 with the same three headers
// contract: States and transitions > Refresh token | Token request with grant_type=refresh_token | Token unused
#[tokio::test]
async fn a_refresh_answers_in_the_shape_of_a_code_exchange() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let body = with(&app.refreshment(first.refresh()), "scope", "PATIENT");
    for missing in ["grant_type", "client_id", "refresh_token"] {
        app.asks_for_tokens(&without(&body, missing)).await.refused("invalid_request");
    }
    let second = app.asks_for_tokens(&body).await.granted();
    assert_eq!(
        second.body.as_object().unwrap().keys().collect::<Vec<_>>(),
        first.body.as_object().unwrap().keys().collect::<Vec<_>>()
    );
    assert_ne!(second.refresh(), first.refresh());
}

/// `client_id` is a parameter of both requests; another client's is not good enough.
// contract: 2. Token endpoint > client_id | string | The Client ID
#[tokio::test]
async fn a_token_request_names_the_client_that_the_grant_belongs_to() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let stranger = w.client("Spotty Signal");
    stranger.refresh(&tokens).await.refused("invalid_grant");
    app.refresh(&tokens).await.granted();
}

/// Refresh `scope`: omitted or equal in any case is fine; anything else is `invalid_scope` and uses nothing up.
// contract: 2. Token endpoint > scope | string | Example value: PATIENT
// gaps: Token endpoint > Refresh: scope
#[tokio::test]
async fn a_refresh_with_another_scope_is_refused_and_uses_nothing_up() {
    let w = World::new().await;
    let (app, mut tokens) = w.amina().approves("Sleep Diary").await;
    for scope in ["CLINICIAN", "SITE", "PATIENT CLINICIAN", "nonsense"] {
        let body = with(&app.refreshment(tokens.refresh()), "scope", scope);
        app.asks_for_tokens(&body).await.refused("invalid_scope");
    }
    for scope in ["PATIENT", "patient", ""] {
        let body = with(&app.refreshment(tokens.refresh()), "scope", scope);
        tokens = app.asks_for_tokens(&body).await.granted();
    }
}

/// Client credentials: 200 with expires_in 3600 and never a refresh token, granted anything or not; Basic or body.
// gaps: Token endpoint > Client credentials
#[tokio::test]
async fn client_credentials_give_an_hour_and_never_a_refresh_token() {
    let w = World::new().await;
    let app = w.client("Post Room");
    let by_basic = app.client_credentials().await.granted();
    assert_eq!(
        by_basic.body.as_object().unwrap().keys().collect::<Vec<_>>(),
        ["access_token", "token_type", "expires_in", "scope"]
    );
    assert_eq!(by_basic.expires_in, HOUR);
    let secret = app.registration.secret.unwrap();
    let body = fields([("grant_type", "client_credentials"), ("client_id", "post-room"), ("client_secret", secret)]);
    let in_body = TokenReply::of(w.post_form("/apiToken.action", &body).await).granted();
    assert_ne!(in_body.access, by_basic.access, "no two tokens are alike");
    w.calls_fhir_for(RIVERSIDE, &by_basic.access).await.says(403, "ORGANISATION_NOT_GRANTED");
}

/// A new secret ends a System Client's old tokens.
#[tokio::test]
async fn a_new_secret_ends_the_old_tokens_of_a_system_client() {
    let w = World::new().await;
    let tokens = w.client("Lab Link").client_credentials().await.granted();
    w.calls_fhir_for(RIVERSIDE, &tokens.access).await.opened();
    let new = service::secrets::secret::Secret::new("rgs_another-secret-of-the-lab-link".into()).fingerprint();
    w.change("Lab Link", move |client| client.secret = Some(new)).await;
    w.calls_fhir_for(RIVERSIDE, &tokens.access).await.says(401, "BAD_AUTHENTICATION");
}

/// The member is left out, never null, exactly when the access token would outlive the session, which it never does.
// gaps: Token endpoint > refresh_token absent
#[tokio::test]
async fn the_refresh_token_is_left_out_exactly_when_the_access_token_would_outlive_the_session() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    w.after(90 * DAY - 10 * MINUTE);
    let second = app.refresh(&first).await.granted();
    assert_eq!(second.expires_in, 600, "it ends with the session, and does not outlive it");
    w.after(1);
    let last = app.refresh(&second).await.granted();
    assert!(!last.body.as_object().unwrap().contains_key("refresh_token"), "left out, not null");
    assert_eq!(last.expires_in, 599, "cut to what is left of the session");
    w.after(598);
    w.calls_fhir_with(&last.access).await.opened();
    w.after(1);
    w.calls_fhir_with(&last.access).await.says(401, "API_SESSION_EXPIRED");
}

/// PKCE: S256, honoured when sent, required when registered so; a verifier without a challenge is refused.
// gaps: Token endpoint > PKCE
#[tokio::test]
async fn pkce_is_honoured_when_sent_and_required_when_registered() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Pill Box").await;
    let body = app.redemption(&code);
    let other = format!("{VERIFIER}x");
    app.asks_for_tokens(&without(&body, "code_verifier")).await.refused("invalid_grant");
    app.asks_for_tokens(&with(&body, "code_verifier", &other)).await.refused("invalid_grant");
    app.asks_for_tokens(&with(&body, "code_verifier", "too-short")).await.refused("invalid_request");
    app.asks_for_tokens(&body).await.granted();
    let plain = w.client("Sleep Diary");
    let challenged = with(&plain.asks(), "code_challenge", CHALLENGE);
    let challenged = with(&challenged, "code_challenge_method", "S256");
    let code = w.amina().approves_asked(&plain, &challenged).await;
    plain.redeem(&code).await.refused("invalid_grant");
    plain.asks_for_tokens(&with(&plain.redemption(&code), "code_verifier", VERIFIER)).await.granted();
    let (plain, code) = w.amina().gives_code("Sleep Diary").await;
    plain.asks_for_tokens(&with(&plain.redemption(&code), "code_verifier", VERIFIER)).await.refused("invalid_grant");
    plain.redeem(&code).await.granted();
}
