//! The Rust crate `oauth2`, unmodified: what its users write works here, and its errors say what happened.

use crate::kit::{BASE, HOUR, MINUTE, World};
use axum::body::Body;
use axum::http::{Request, Response};
use oauth2::basic::{BasicClient, BasicErrorResponseType, BasicTokenResponse};
use oauth2::{
    AuthType, AuthUrl, AuthorizationCode, ClientId, ClientSecret, CsrfToken, EndpointNotSet, EndpointSet, HttpRequest,
    HttpResponse, PkceCodeChallenge, PkceCodeVerifier, RedirectUrl, RequestTokenError, Scope, TokenResponse, TokenUrl,
};
use std::convert::Infallible;
use std::time::Duration;

type App = BasicClient<EndpointSet, EndpointNotSet, EndpointNotSet, EndpointNotSet, EndpointSet>;

/// The crate's client for one of ours.
fn app(client_id: &str, redirect: &str) -> App {
    BasicClient::new(ClientId::new(client_id.into()))
        .set_auth_uri(AuthUrl::new(format!("{BASE}/apiAuthorize.action")).unwrap())
        .set_token_uri(TokenUrl::new(format!("{BASE}/apiToken.action")).unwrap())
        .set_redirect_uri(RedirectUrl::new(redirect.into()).unwrap())
}

/// The crate's way to our routes.
async fn carry(w: &World, request: HttpRequest) -> Result<HttpResponse, Infallible> {
    let (mut parts, body) = request.into_parts();
    parts.uri = parts.uri.path_and_query().expect("a path").as_str().parse().unwrap();
    let reply = w.send(Request::from_parts(parts, Body::from(body))).await;
    let mut response = Response::new(reply.body.to_vec());
    *response.status_mut() = reply.status.try_into().unwrap();
    *response.headers_mut() = reply.headers;
    Ok(response)
}

/// A code that Amina approved, and what it takes to redeem it.
async fn approved(w: &World, app: &App) -> (AuthorizationCode, PkceCodeVerifier) {
    let (challenge, verifier) = PkceCodeChallenge::new_random_sha256();
    let ask = app.authorize_url(CsrfToken::new_random).add_scope(Scope::new("PATIENT".into()));
    let (url, state) = ask.set_pkce_challenge(challenge).url();
    let page = crate::kit::page::Page::of(&w.get(url.as_str().strip_prefix(BASE).unwrap()).await);
    let redirect = w.amina().decides(&page, "approve").await.redirect();
    assert_eq!(redirect.get("state"), Some(state.secret().as_str()));
    (AuthorizationCode::new(redirect.code()), verifier)
}

async fn connected(w: &World, app: &App) -> BasicTokenResponse {
    let (code, verifier) = approved(w, app).await;
    let exchange = app.exchange_code(code).set_pkce_verifier(verifier);
    exchange.request_async(&|request| carry(w, request)).await.unwrap()
}

#[tokio::test]
async fn a_code_with_pkce_becomes_tokens_and_a_refresh_gives_others() {
    let w = World::new().await;
    let app = app("pill-box", "http://127.0.0.1:8123/back");
    let first = connected(&w, &app).await;
    assert_eq!(first.expires_in(), Some(Duration::from_secs(10 * MINUTE.unsigned_abs())));
    assert_eq!(first.scopes(), Some(&vec![Scope::new("patient".into())]));
    w.calls_fhir_with(first.access_token().secret()).await.opened();
    let refresh = app.exchange_refresh_token(first.refresh_token().unwrap());
    let second = refresh.request_async(&|request| carry(&w, request)).await.unwrap();
    assert_ne!(second.refresh_token().unwrap().secret(), first.refresh_token().unwrap().secret());
    w.calls_rest_with(second.access_token().secret()).await.opened();
}

#[tokio::test]
async fn a_used_refresh_token_and_a_used_code_are_the_crates_invalid_grant() {
    let w = World::new().await;
    let app = app("pill-box", "http://127.0.0.1:8123/back");
    let tokens = connected(&w, &app).await;
    let refresh = async || {
        let refresh = app.exchange_refresh_token(tokens.refresh_token().unwrap());
        refresh.request_async(&|request| carry(&w, request)).await
    };
    refresh().await.unwrap();
    is_refused(refresh().await, &BasicErrorResponseType::InvalidGrant);
    let (code, verifier) = approved(&w, &app).await;
    let redeem = async || {
        let verifier = PkceCodeVerifier::new(verifier.secret().clone());
        let exchange = app.exchange_code(code.clone()).set_pkce_verifier(verifier);
        exchange.request_async(&|request| carry(&w, request)).await
    };
    redeem().await.unwrap();
    is_refused(redeem().await, &BasicErrorResponseType::InvalidGrant);
}

#[tokio::test]
async fn client_credentials_come_by_basic_or_in_the_body_and_a_wrong_secret_is_invalid_client() {
    let w = World::new().await;
    let secret = w.client("Lab Link").registration.secret.unwrap();
    for how in [AuthType::BasicAuth, AuthType::RequestBody] {
        for (secret, is_right) in [(secret, true), ("rgs_not-the-secret-of-this-client", false)] {
            let app = app("lab-link", "https://nowhere.example/back")
                .set_client_secret(ClientSecret::new(secret.into()))
                .set_auth_type(how.clone());
            let asked = app.exchange_client_credentials().request_async(&|request| carry(&w, request)).await;
            if is_right {
                let tokens = asked.unwrap();
                assert_eq!(tokens.expires_in(), Some(Duration::from_secs(HOUR.unsigned_abs())));
                assert!(tokens.refresh_token().is_none());
            } else {
                is_refused(asked, &BasicErrorResponseType::InvalidClient);
            }
        }
    }
}

type Asked =
    Result<BasicTokenResponse, RequestTokenError<Infallible, oauth2::StandardErrorResponse<BasicErrorResponseType>>>;

fn is_refused(asked: Asked, error: &BasicErrorResponseType) {
    match asked {
        Err(RequestTokenError::ServerResponse(response)) => assert_eq!(response.error(), error, "{response:?}"),
        other => panic!("not the service's own words: {other:?}"),
    }
}
