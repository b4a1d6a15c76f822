//! The authorization endpoint: what it reads, what it shows, and where it sends the browser.

use crate::kit::client_app::STATE;
use crate::kit::clients::{CHALLENGE, OWNER};
use crate::kit::{BASE, DAY, MINUTE, World, encoded, fields, records, with, without};

/// GET with the query's parameters shows the page; it names owner and product, asks for credentials, offers two buttons.
// contract: 1. Authorization endpoint > GET {base_url}/apiAuthorize.action
// contract: 1. Authorization endpoint > Otherwise an authorization page is shown
// contract: Endpoints > All paths are relative to
#[tokio::test]
async fn the_page_names_the_client_and_asks_for_credentials_and_a_decision() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    for shown in ["Sleep Diary", OWNER, "90 days", "name=\"username\"", "name=\"password\""] {
        assert!(page.html.contains(shown), "{shown} in {}", page.html);
    }
    for decision in ["approve", "deny"] {
        assert!(page.html.contains(&format!("name=\"decision\" value=\"{decision}\"")), "{}", page.html);
    }
    assert!(!page.html.contains("<script"), "a page needs no script");
}

/// Approve with successful authentication: redirect with `code` and `state`; the session is active.
// contract: 1. Authorization endpoint > Approve with successful authentication
// contract: 1. Authorization endpoint > state | string
// contract: Authorization code > A short-lived string passed to the client
// contract: States and transitions > Session | User approves on the authorization page
#[tokio::test]
async fn approve_leads_back_to_the_app_with_a_code_and_its_state() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let odd = "a b&c=d+e%20ü\"'";
    let page = app.sends_to_page(&with(&app.asks(), "state", odd)).await;
    let redirect = w.amina().decides(&page, "approve").await.redirect();
    assert_eq!(redirect.to, "https://sleep.example/back");
    assert_eq!(redirect.get("state"), Some(odd));
    let tokens = app.redeem(&redirect.code()).await.granted();
    w.calls_fhir_with(&tokens.access).await.opened();
}

/// A redirect URI that has a query keeps it; without a `state` none is made up.
// contract: 1. Authorization endpoint > Approve with successful authentication
#[tokio::test]
async fn a_registered_query_is_kept_and_no_state_is_made_up() {
    let w = World::new().await;
    let app = w.client("Many Doors");
    let page = app.sends_to_page(&without(&app.asks(), "state")).await;
    let redirect = w.amina().decides(&page, "approve").await.redirect();
    let names: Vec<&str> = redirect.params.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["door", "code", "iss"]);
}

/// Deny: redirect with `error=access_denied` and `state`, no `code`; nobody needs to sign in to deny.
// contract: 1. Authorization endpoint > Deny, failed authentication, or another error
// contract: Authorization endpoint > Redirect errors
// gaps: Authorization endpoint > Other redirect errors
#[tokio::test]
async fn deny_leads_back_with_access_denied_and_the_state() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    let filled = fields([("form", page.hidden_form()), ("decision", "deny")]);
    let redirect = w.post_form(page.action(), &filled).await.redirect();
    assert_eq!((redirect.error(), redirect.get("state")), ("access_denied", Some(STATE)));
    assert_eq!(redirect.to, "https://sleep.example/back");
}

/// Every redirect says who sends it, so that a client of several services cannot be made to mix them up.
// gaps: Authorization endpoint > Further redirect parameters
#[tokio::test]
async fn every_redirect_names_the_issuer_and_nothing_beyond_the_contract() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    for (decision, with) in [("approve", "code"), ("deny", "error")] {
        let page = app.sends_to_page(&app.asks()).await;
        let redirect = w.amina().decides(&page, decision).await.redirect();
        assert_eq!(redirect.get("iss"), Some(BASE), "after {decision}");
        let names: Vec<&str> = redirect.params.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(names, [with, "state", "iss"]);
    }
}

/// Failed authentication: the same redirect, whether the password, the name or the account is at fault.
// contract: 1. Authorization endpoint > Deny, failed authentication, or another error
// gaps: Authorization endpoint > Failed authentication
#[tokio::test]
async fn every_failed_authentication_leads_back_with_the_same_words() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let mut heard = Vec::new();
    let page = app.sends_to_page(&app.asks()).await;
    heard.push(w.amina().decides_with(&page, "approve", "not-the-password").await.redirect());
    let page = app.sends_to_page(&app.asks()).await;
    heard.push(w.dr_okafor().decides(&page, "approve").await.redirect());
    let page = app.sends_to_page(&app.asks()).await;
    let stranger = fields([("form", page.hidden_form()), ("username", "nobody"), ("decision", "approve")]);
    heard.push(w.post_form(page.action(), &stranger).await.redirect());
    w.ben().is_frozen().await;
    let page = app.sends_to_page(&app.asks()).await;
    heard.push(w.ben().decides(&page, "approve").await.redirect());
    records::amina_is_deceased(&w.app.store, w.now()).await;
    let page = app.sends_to_page(&app.asks()).await;
    heard.push(w.amina().decides(&page, "approve").await.redirect());
    for redirect in heard {
        assert_eq!(redirect.to, "https://sleep.example/back");
        assert_eq!(redirect.params, fields([("error", "access_denied"), ("state", STATE), ("iss", BASE)]));
    }
}

/// `authorize.attempts` lets an operator allow several tries on the page before the redirect.
// gaps: Authorization endpoint > Failed authentication
#[tokio::test]
async fn an_operator_may_allow_more_tries_on_the_page() {
    let w = World::with(|settings| settings.attempts = 3).await;
    let app = w.client("Sleep Diary");
    let mut page = app.sends_to_page(&app.asks()).await;
    for _ in 0..2 {
        let reply = w.amina().decides_with(&page, "approve", "not-the-password").await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        page = reply.page();
        assert!(page.html.contains("do not belong together"), "{}", page.html);
    }
    let third = w.amina().decides_with(&page, "approve", "not-the-password").await.redirect();
    assert_eq!(third.error(), "access_denied");
    let mut page = app.sends_to_page(&app.asks()).await;
    page = w.amina().decides_with(&page, "approve", "not-the-password").await.page();
    w.amina().decides(&page, "approve").await.redirect().code();
}

/// Mandatory: `response_type` and `client_id`; the rest is optional. POST with a form works as GET does.
// gaps: Authorization endpoint > Mandatory parameters
// contract: 1. Authorization endpoint > response_type | string
// contract: 1. Authorization endpoint > client_id | string
// contract: 1. Authorization endpoint > scope | string
#[tokio::test]
async fn only_response_type_and_client_id_are_mandatory() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    for missing in ["response_type", "client_id"] {
        let asked = without(&app.asks(), missing);
        let said = w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
        assert!(said.contains(missing), "{said}");
    }
    let least = fields([("response_type", "code"), ("client_id", "sleep-diary")]);
    let page = w.post_form("/apiAuthorize.action", &least).await.page();
    w.amina().decides(&page, "approve").await.redirect().code();
}

/// `redirect_uri` omitted: the single registered one is used, then and at the token endpoint. With several it is needed.
// contract: 1. Authorization endpoint > redirect_uri | URL
#[tokio::test]
async fn an_omitted_redirect_uri_is_the_only_registered_one() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&without(&app.asks(), "redirect_uri")).await;
    let redirect = w.amina().decides(&page, "approve").await.redirect();
    assert_eq!(redirect.to, "https://sleep.example/back");
    app.asks_for_tokens(&without(&app.redemption(&redirect.code()), "redirect_uri")).await.granted();
    let several = without(&w.client("Many Doors").asks(), "redirect_uri");
    w.get(&format!("/apiAuthorize.action?{}", encoded(&several))).await.error_page(400);
}

/// The exact string; a loopback URI may differ in port only; `redirect_extra_query` admits more query parameters.
// gaps: Authorization endpoint > Redirect URI match
#[tokio::test]
async fn a_redirect_uri_matches_by_the_exact_string_but_for_a_loopback_port() {
    let w = World::new().await;
    let unregistered = [
        "https://sleep.example/back/",
        "https://sleep.example/BACK",
        "https://sleep.example/back?more=1",
        "https://sleep.example:444/back",
        "https://sleep.example.evil.example/back",
        "http://sleep.example/back",
    ];
    let app = w.client("Sleep Diary");
    for uri in unregistered {
        let asked = with(&app.asks(), "redirect_uri", uri);
        w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
    }
    w.change("Sleep Diary", |client| client.redirect_extra_query = true).await;
    app.sends_to_page(&with(&app.asks(), "redirect_uri", "https://sleep.example/back?more=1")).await;
    let native = w.client("Pill Box");
    native.sends_to_page(&with(&native.asks(), "redirect_uri", "http://127.0.0.1:49999/back")).await;
    let elsewhere = with(&native.asks(), "redirect_uri", "http://127.0.0.1:49999/other");
    w.get(&format!("/apiAuthorize.action?{}", encoded(&elsewhere))).await.error_page(400);
}

/// Anything wrong with the request itself: the error page, HTTP 400, never a redirect.
// contract: 1. Authorization endpoint > Invalid request: an error page
// contract: Authorization endpoint > Request problem: an error page
// gaps: Authorization endpoint > "Invalid request"
#[tokio::test]
async fn a_wrong_request_gets_the_error_page_and_never_a_redirect() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let twice: Vec<_> = app.asks().into_iter().chain(fields([("scope", "PATIENT")])).collect();
    let challenged = with(&app.asks(), "code_challenge", CHALLENGE);
    let wrong = [
        with(&app.asks(), "client_id", "unknown"),
        with(&app.asks(), "redirect_uri", "https://evil.example/back"),
        with(&app.asks(), "response_type", "token"),
        with(&app.asks(), "scope", "EVERYTHING"),
        with(&app.asks(), "scope", "CLINICIAN"),
        with(&app.asks(), "state", &"x".repeat(2049)),
        with(&with(&app.asks(), "code_challenge", "short"), "code_challenge_method", "S256"),
        with(&challenged, "code_challenge_method", "plain"),
        challenged,
        with(&app.asks(), "code_challenge_method", "S256"),
        without(&w.client("Pill Box").asks(), "code_challenge"),
        twice,
    ];
    for asked in wrong {
        w.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.error_page(400);
        w.post_form("/apiAuthorize.action", &asked).await.error_page(400);
    }
}

/// A code is bound to its client and its redirect URI, and lives for 10 minutes.
// contract: Authorization code > It is bound to the Client ID
// contract: Authorization code > It is valid for 10 minutes
#[tokio::test]
async fn a_code_is_bound_to_its_client_and_redirect_uri_for_ten_minutes() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    let stranger = w.client("Spotty Signal");
    let stolen = with(&stranger.redemption(&code), "redirect_uri", "https://sleep.example/back");
    stranger.asks_for_tokens(&stolen).await.refused("invalid_grant");
    let other = with(&app.redemption(&code), "redirect_uri", "https://sleep.example/other");
    app.asks_for_tokens(&other).await.refused("invalid_grant");
    w.after(10 * MINUTE - 1);
    app.redeem(&code).await.granted();
}

/// A page opens one session or none: after a login, right or wrong, it is used up.
// gaps: Authorization endpoint > Used page
#[tokio::test]
async fn an_authorization_page_is_used_once() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    for password in [w.amina().account.password, "not-the-password"] {
        let page = app.sends_to_page(&app.asks()).await;
        w.amina().decides_with(&page, "approve", password).await.redirect();
        w.amina().decides(&page, "approve").await.error_page(400);
    }
}

/// Deny opens nothing and writes nothing, however often anybody presses it; the page can still be approved, once.
// gaps: Authorization endpoint > Used page
#[tokio::test]
async fn deny_writes_nothing_and_leaves_the_page_as_it_was() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    let denied = fields([("form", page.hidden_form()), ("decision", "deny")]);
    for _ in 0..3 {
        assert_eq!(w.post_form(page.action(), &denied).await.redirect().error(), "access_denied");
    }
    w.after(30 * MINUTE - 1);
    let swept = store::sweep::sweep(&w.app.store, w.now().plus_seconds(DAY)).await.unwrap();
    assert_eq!(swept.forms, 0, "nothing was written");
    let code = w.amina().decides(&page, "approve").await.redirect().code();
    w.amina().decides(&page, "approve").await.error_page(400);
    app.redeem(&code).await.granted();
}

/// A page that lay open for half an hour, or whose hidden field was touched, opens nothing.
#[tokio::test]
async fn a_stale_or_forged_page_opens_nothing() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    let of_sign_in = w.get("/sign-in").await.page().form("/sign-in").sealed;
    let lengthened = format!("{}A", page.hidden_form());
    for forged in ["rgf_0_x", "", &lengthened, &of_sign_in] {
        let filled = fields([("form", forged), ("username", "amina@example.org"), ("decision", "approve")]);
        w.post_form(page.action(), &filled).await.error_page(400);
    }
    w.after(30 * MINUTE);
    w.amina().decides(&page, "approve").await.error_page(400);
}

/// The longest `state` that the page accepts is one that Approve accepts too.
#[tokio::test]
async fn a_page_with_the_longest_parameters_can_still_be_approved() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let state = "s".repeat(2048);
    let page = app.sends_to_page(&with(&app.asks(), "state", &state)).await;
    let redirect = w.amina().decides(&page, "approve").await.redirect();
    assert_eq!(redirect.get("state"), Some(state.as_str()));
}
