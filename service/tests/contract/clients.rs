//! What the service does, for which kinds of client, and how each is authenticated.

use crate::kit::caller::{REST_PATH, fhir_path};
use crate::kit::{DAY, HOUR, MINUTE, RIVERSIDE, World, encoded, fields, with};

/// The service offers two APIs, a custom REST API and a FHIR API, and one bearer token opens both.
// contract: What the service does > offers two HTTP APIs
// contract: What the service does > Both APIs authenticate and authorise callers
// contract: Authentication > OAuth 2.0 with bearer tokens, for both APIs
#[tokio::test]
async fn one_bearer_token_opens_both_apis_and_without_one_neither_opens() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    w.calls_fhir_with(&tokens.access).await.opened();
    w.calls_rest_with(&tokens.access).await.opened();
    assert_eq!(w.get(&fhir_path()).await.status, 401);
    assert_eq!(w.get(REST_PATH).await.status, 401);
}

/// A client must first be issued a Client ID, by the operator.
// contract: What the service does > A client must first be issued a Client ID
#[tokio::test]
async fn a_client_without_a_registered_client_id_gets_nothing() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let asked = encoded(&with(&app.asks(), "client_id", "never-issued"));
    w.get(&format!("/apiAuthorize.action?{asked}")).await.error_page(400);
    app.asks_for_tokens(&with(&app.redemption("rgc_x"), "client_id", "never-issued")).await.refused("invalid_client");
}

/// Settled at registration: redirect URIs, scopes, session lifetime, whether refresh tokens are issued, token lifetime.
// gaps: Clients > Requesting a Client ID
#[tokio::test]
async fn what_the_operator_settles_at_registration_is_what_the_client_gets() {
    let w = World::new().await;
    w.change("Sleep Diary", |client| {
        client.access_seconds = 30 * MINUTE;
        client.session_seconds = Some(2 * HOUR);
    })
    .await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    assert_eq!(tokens.expires_in, 30 * MINUTE);
    w.after(2 * HOUR);
    app.refresh(&tokens).await.refused("invalid_grant");
    w.change("Sleep Diary", |client| client.refresh_tokens = false).await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    assert!(tokens.body.get("refresh_token").is_none(), "{:?}", tokens.scope);
}

/// An operator's change takes effect at once: a client that was disabled has no Client ID any more.
#[tokio::test]
async fn a_disabled_client_is_no_client() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let now = w.now();
    w.change("Sleep Diary", move |client| client.disabled_at = Some(now)).await;
    w.calls_fhir_with(&tokens.access).await.says(401, "BAD_AUTHENTICATION");
    app.refresh(&tokens).await.refused("invalid_client");
    w.get(&format!("/apiAuthorize.action?{}", encoded(&app.asks()))).await.error_page(400);
}

/// Row "User Client": Authorization Code Grant; a refresh token, possibly; both APIs.
// contract: What the service does > There are three kinds of client
// contract: What the service does > User Client | Authorization Code Grant
// contract: Authentication > User Client: Authorization Code Grant
#[tokio::test]
async fn a_user_client_obtains_tokens_by_code_renews_them_and_calls_both_apis() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    let renewed = app.refresh(&tokens).await.granted();
    assert_ne!(renewed.access, tokens.access);
    w.calls_fhir_with(&renewed.access).await.opened();
    w.calls_rest_with(&renewed.access).await.opened();
    app.client_credentials().await.refused("invalid_request");
    let body = fields([("grant_type", "client_credentials"), ("client_id", "sleep-diary")]);
    app.asks_for_tokens(&body).await.refused("unauthorized_client");
}

/// Row "System Client": Client Credentials Grant; no refresh token; the FHIR API only; no session.
// contract: What the service does > System Client | Client Credentials Grant
// contract: Authentication > System Client: Client Credentials Grant
// contract: States and transitions > System Clients have no session
#[tokio::test]
async fn a_system_client_obtains_a_token_by_its_secret_and_calls_the_fhir_api_only() {
    let w = World::new().await;
    let app = w.client("Lab Link");
    let tokens = app.client_credentials().await.granted();
    assert!(tokens.body.get("refresh_token").is_none());
    w.calls_fhir_for(RIVERSIDE, &tokens.access).await.opened();
    w.calls(REST_PATH, &tokens.access, Some(RIVERSIDE))
        .await
        .says_in_rest(403, "a System Client can't call the custom REST API");
    w.get(&format!("/apiAuthorize.action?{}", encoded(&app.asks()))).await.error_page(400);
    for grant in ["authorization_code", "refresh_token"] {
        let body = fields([("grant_type", grant), ("code", "rgc_x"), ("refresh_token", "rgr_x")]);
        app.asks_for_tokens(&body).await.refused("unauthorized_client");
    }
}

/// Row "Tethered-Token System Client": a Team Coordinator grants access from the web interface; both APIs.
// contract: What the service does > Tethered-Token System Client (older kind) | A Team Coordinator grants
// contract: Authentication > Tethered-Token System Client: a Team Coordinator grants access
// gaps: Clients > Tethered-Token: refresh token?
#[tokio::test]
async fn a_tethered_client_starts_from_the_one_refresh_token_that_the_coordinator_was_shown() {
    let w = World::new().await;
    let shown = w.grace().signs_in().await.grants("old-bridge").await;
    let app = w.client("Old Bridge");
    let first = app.asks_for_tokens(&with(&app.refreshment(&shown), "scope", "SITE")).await.granted();
    assert_eq!((first.expires_in, first.scope.as_str()), (10 * MINUTE, "site"));
    w.calls_fhir_with(&first.access).await.opened();
    w.calls_rest_with(&first.access).await.opened();
    let second = app.refresh(&first).await.granted();
    w.calls_fhir_with(&second.access).await.opened();
    w.get(&format!("/apiAuthorize.action?{}", encoded(&app.asks()))).await.error_page(400);
    let body = fields([("grant_type", "client_credentials"), ("client_id", "old-bridge")]);
    app.asks_for_tokens(&body).await.refused("unauthorized_client");
}

/// A typical User Client is a mobile app that lets a patient grant access to their existing account.
// contract: What the service does > Typical User Client: a mobile app for patients
#[tokio::test]
async fn an_app_on_the_phone_is_sent_back_to_by_its_own_scheme() {
    let w = World::new().await;
    let app = w.client("Many Doors");
    let asked = with(&with(&app.asks(), "redirect_uri", "doors.app:/back"), "scope", "PATIENT");
    let page = app.sends_to_page(&asked).await;
    assert!(page.html.contains("the Many Doors app on this device"), "{}", page.html);
    let redirect = w.amina().decides(&page, "approve").await.redirect();
    assert_eq!(redirect.to, "doors.app:/back");
    let body = with(&app.redemption(&redirect.code()), "redirect_uri", "doors.app:/back");
    app.asks_for_tokens(&body).await.granted();
}

/// Token duration: 10 minutes for User and Tethered-Token System Clients, 1 hour for System Clients, in `expires_in`.
// contract: Authentication > Access token lifetime (token duration)
#[tokio::test]
async fn expires_in_states_the_token_duration_of_each_client_kind() {
    let w = World::new().await;
    let (_, user) = w.amina().approves("Sleep Diary").await;
    let shown = w.grace().signs_in().await.grants("old-bridge").await;
    let tethered = w.client("Old Bridge");
    let tethered = tethered.asks_for_tokens(&tethered.refreshment(&shown)).await.granted();
    let system = w.client("Lab Link").client_credentials().await.granted();
    assert_eq!([user.expires_in, tethered.expires_in, system.expires_in], [600, 600, 3600]);
}

/// Session lifetime is configured per integration and may be non-expiring.
// contract: Authentication > Session lifetime: configured per integration
#[tokio::test]
async fn each_integration_has_its_own_session_lifetime() {
    let w = World::new().await;
    let (diary, of_diary) = w.amina().approves("Sleep Diary").await;
    let (ward, of_ward) = w.dr_okafor().approves("Ward Round").await;
    let (evergreen, of_evergreen) = w.amina().approves("Evergreen").await;
    w.after(30 * DAY);
    ward.refresh(&of_ward).await.refused("invalid_grant");
    let of_diary = diary.refresh(&of_diary).await.granted();
    w.after(60 * DAY);
    diary.refresh(&of_diary).await.refused("invalid_grant");
    evergreen.refresh(&of_evergreen).await.granted();
}
