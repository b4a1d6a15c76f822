//! The pages: signing in, a coordinator's grant, connected apps, and what keeps their forms from being forged.

use crate::kit::browser::Browser;
use crate::kit::clients::OWNER;
use crate::kit::organisations::HILLSIDE_TEAM;
use crate::kit::reply::Reply;
use crate::kit::{DAY, HOUR, MINUTE, World, encoded, fields, with};

/// Strict CSP, no framing, no referrer, nothing kept: on pages, error pages and redirects.
fn is_protected(reply: &Reply) {
    let policy = reply.header("content-security-policy").unwrap();
    for part in ["default-src 'none'", "form-action 'self'", "frame-ancestors 'none'", "base-uri 'none'"] {
        assert!(policy.contains(part), "{part} in {policy}");
    }
    assert!(!policy.contains("unsafe") && !policy.contains('*') && !policy.contains("script-src"), "{policy}");
    assert_eq!(reply.header("referrer-policy"), Some("no-referrer"));
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"));
    assert_eq!(reply.header("cache-control"), Some("no-store"));
}

#[tokio::test]
async fn every_page_and_redirect_has_the_headers_that_protect_it() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    let asked = format!("/apiAuthorize.action?{}", encoded(&app.asks()));
    let mut browser = w.amina().signs_in().await;
    for path in ["/", "/connected-apps", "/coordinator/api-access", "/no-such-page", &asked, "/apiAuthorize.action"] {
        is_protected(&browser.get(path).await);
    }
    is_protected(&w.get("/connected-apps").await);
    is_protected(&Browser::new(&w).signs_in("amina@example.org", "not-the-password").await);
    let page = app.sends_to_page(&app.asks()).await;
    is_protected(&w.amina().decides(&page, "approve").await);
}

/// The authorization form may end at the app's redirect URI, and nowhere else.
#[tokio::test]
async fn the_authorization_pages_policy_admits_its_own_redirect_only() {
    let w = World::new().await;
    let reply = w.get(&format!("/apiAuthorize.action?{}", encoded(&w.client("Sleep Diary").asks()))).await;
    let policy = reply.header("content-security-policy").unwrap();
    assert!(policy.contains("form-action 'self' https://sleep.example;"), "{policy}");
}

/// Cookies: `HttpOnly; SameSite`, and over https `Secure` with the `__Host-` prefix.
#[tokio::test]
async fn cookies_are_http_only_and_over_https_bound_to_the_host() {
    for (base_url, prefix, secure) in [("http://records.test", "", false), ("https://records.test", "__Host-", true)] {
        let w = World::with(|settings| settings.base_url = base_url.into()).await;
        let mut browser = Browser::new(&w);
        let reply = browser.signs_in("grace@riverside.example", "amber-walnut-kite-88").await;
        assert_eq!(reply.status, 303);
        let checked = browser.checked_grant("old-bridge").await;
        let granted = browser.post("/coordinator/api-access", &checked).await;
        let all: Vec<&str> = [&reply, &granted]
            .iter()
            .flat_map(|reply| reply.headers.get_all("set-cookie"))
            .map(|value| value.to_str().unwrap())
            .collect();
        assert!(all.len() >= 2, "{}", all.len());
        for cookie in all {
            let (name, attributes) = (cookie.split('=').next().unwrap(), cookie.split_once(';').unwrap().1);
            assert!(name.starts_with(&format!("{prefix}recordgate")), "{name}");
            assert!(attributes.contains("; HttpOnly") && attributes.contains("; SameSite=Lax"), "{attributes}");
            assert!(attributes.contains("Path=/;") && !attributes.contains("Domain"), "{attributes}");
            assert_eq!(attributes.contains("; Secure"), secure, "{attributes}");
        }
    }
}

/// Signing in leads home, or back to the page of ours that asked; never to another site.
#[tokio::test]
async fn signing_in_leads_to_a_page_of_ours() {
    let w = World::new().await;
    for person in [w.amina(), w.dr_okafor(), w.grace(), w.admin()] {
        let mut browser = Browser::new(&w);
        let reply = browser.signs_in(person.account.username, person.account.password).await;
        assert_eq!(reply.redirect().to, "/");
        assert!(browser.sees("/").await.html.contains(&format!("Hello, {}", person.account.name)));
    }
    let form = w.get("/sign-in").await.page().form("/sign-in");
    let amina = fields([("username", "amina@example.org"), ("password", "river-otter-violin-42")]);
    let amina = with(&amina, "form", &form.sealed);
    for (next, to) in [
        ("/connected-apps?x=1", "/connected-apps"),
        ("//evil.example/", "/"),
        ("/\\evil.example", "/"),
        ("https://evil.example/", "/"),
        ("/coordinator/api-access", "/coordinator/api-access"),
    ] {
        let reply = Browser::new(&w).post("/sign-in", &with(&amina, "next", next)).await;
        assert_eq!(reply.redirect().to, to, "{next}");
    }
}

#[tokio::test]
async fn a_wrong_password_and_a_frozen_account_hear_the_same_on_the_sign_in_page() {
    let w = World::new().await;
    let wrong = Browser::new(&w).signs_in("amina@example.org", "not-the-password").await;
    let unknown = Browser::new(&w).signs_in("nobody@example.org", "not-the-password").await;
    w.amina().is_frozen().await;
    let frozen = Browser::new(&w).signs_in("amina@example.org", "river-otter-violin-42").await;
    for reply in [wrong, unknown, frozen] {
        assert_eq!(reply.status, 401);
        assert!(reply.text().contains("do not belong together"), "{}", reply.text());
        assert!(!reply.headers.contains_key("set-cookie"));
    }
}

/// Signed out after 30 minutes without a page view, after 12 hours in any case, and when the person says so.
#[tokio::test]
async fn a_browser_does_not_stay_signed_in_for_ever() {
    let w = World::new().await;
    let mut browser = w.amina().signs_in().await;
    for _ in 0..24 {
        w.after(30 * MINUTE - 1);
        browser.sees("/connected-apps").await;
    }
    w.after(30);
    assert_eq!(browser.get("/connected-apps").await.redirect().to, "/sign-in", "12 hours");
    let mut browser = w.amina().signs_in().await;
    w.after(30 * MINUTE);
    assert_eq!(browser.get("/connected-apps").await.redirect().to, "/sign-in", "idle");
    let mut browser = w.amina().signs_in().await;
    let stolen = browser.clone();
    let form = browser.sees("/connected-apps").await.form("/sign-out");
    browser.post("/sign-out", &fields([("form", &form.sealed)])).await.redirect();
    assert!(!browser.cookies.contains_key("recordgate"), "signed out");
    assert_eq!(stolen.clone().get("/connected-apps").await.redirect().to, "/sign-in", "the cookie itself is over");
}

/// The coordinator's grant: checked, 303, shown once in `<output id="refresh-token">`, listed, revoked.
#[tokio::test]
async fn a_coordinators_grant_is_shown_once_after_a_redirect() {
    let w = World::new().await;
    let mut grace = w.grace().signs_in().await;
    let checked = grace.checked_grant(" old-bridge ").await;
    let reply = grace.post("/coordinator/api-access", &checked).await;
    let redirect = reply.redirect();
    assert_eq!((redirect.to.as_str(), redirect.params.len()), ("/coordinator/api-access", 0), "no token in the URL");
    assert!(!reply.text().contains("rgr_"));
    let page = grace.sees("/coordinator/api-access").await;
    let shown = page.refresh_token().expect("the token").to_owned();
    assert!(page.html.contains("Old Bridge") && page.html.contains("Riverside Diabetes Team"), "{}", page.html);
    let again = grace.sees("/coordinator/api-access").await;
    assert_eq!(again.refresh_token(), None, "never again");
    assert!(!again.html.contains(&shown) && again.html.contains("Old Bridge"));
    grace.revokes("/coordinator/api-access").await.redirect();
    assert!(grace.sees("/coordinator/api-access").await.html.contains("No partner has access"));
    let bridge = w.client("Old Bridge");
    bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.refused("invalid_grant");
}

/// Another coordinator, even with the cookie that names the new grant, does not see its token.
#[tokio::test]
async fn a_new_grants_token_is_for_the_coordinator_who_granted_it() {
    let w = World::new().await;
    let (mut grace, mut henry) = (w.grace().signs_in().await, w.henry().signs_in().await);
    let checked = grace.checked_grant("old-bridge").await;
    grace.post("/coordinator/api-access", &checked).await;
    henry.cookies.insert("recordgate-granted".into(), grace.cookies["recordgate-granted"].clone());
    let page = henry.sees("/coordinator/api-access").await;
    assert_eq!(page.refresh_token(), None);
    assert!(!page.html.contains("Old Bridge"), "nor the grant");
}

#[tokio::test]
async fn a_coordinator_can_grant_only_to_tethered_clients_and_only_for_their_own_team() {
    let w = World::new().await;
    let mut grace = w.grace().signs_in().await;
    for client_id in ["sleep-diary", "lab-link", "unknown", ""] {
        let reply = grace.get(&format!("/coordinator/api-access/check?client_id={client_id}")).await;
        assert_eq!(reply.status, 400, "{client_id}");
        assert!(reply.text().contains("role=\"alert\""), "{}", reply.text());
    }
    let elsewhere = format!("/coordinator/api-access/check?client_id=old-bridge&team={HILLSIDE_TEAM}");
    assert_eq!(grace.get(&elsewhere).await.status, 400);
    for person in [w.amina(), w.dr_okafor(), w.admin()] {
        person.signs_in().await.get("/coordinator/api-access").await.error_page(403);
    }
}

/// Connected apps: app, owner, since, last used, ends, Disconnect; only one's own.
#[tokio::test]
async fn a_person_sees_their_connected_apps_and_takes_access_back() {
    let w = World::new().await;
    let (app, _) = w.amina().approves("Sleep Diary").await;
    let code = w.amina().gives_code("Evergreen").await;
    let (_, of_ben) = w.ben().approves("Sleep Diary").await;
    w.after(5 * MINUTE);
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees("/connected-apps").await;
    for shown in ["Sleep Diary", OWNER, "15 November 2026, 09:30 UTC", "13 February 2027"] {
        assert!(page.html.contains(shown), "{shown} in {}", page.html);
    }
    assert!(!page.html.contains("Evergreen"), "not connected until its code is redeemed");
    drop(code);
    let reply = amina.revokes("/connected-apps").await;
    assert_eq!(reply.redirect().to, "/connected-apps");
    assert!(amina.sees("/connected-apps").await.html.contains("No apps are connected"));
    w.calls_fhir_with(&of_ben.access).await.opened();
    let (_, later) = w.amina().approves("Sleep Diary").await;
    w.after(90 * DAY - HOUR);
    assert!(w.amina().signs_in().await.sees("/connected-apps").await.html.contains("Disconnect"));
    w.after(HOUR);
    assert!(w.amina().signs_in().await.sees("/connected-apps").await.html.contains("No apps are connected"));
    app.refresh(&later).await.refused("invalid_grant");
}
