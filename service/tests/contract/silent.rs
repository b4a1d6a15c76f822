//! A browser's sign-in in the place of a page (docs/smart.md, section 6): `prompt=none` leads to a code where the same was granted before, and
//! `online_access` is a refresh token that ends with the sign-in.

use crate::kit::browser::Browser;
use crate::kit::client_app::ClientApp;
use crate::kit::page::Page;
use crate::kit::records::AMINA;
use crate::kit::reply::Redirect;
use crate::kit::token_reply::Tokens;
use crate::kit::{BASE, HOUR, MINUTE, World, encoded, with, without};
use crate::openid::claims;
use crate::smart_apps::{approves, asks, filled, smart_app};
use rules::scope::UserType;

const REGISTERED: &str = "launch launch/patient openid offline_access online_access patient/Observation.rs patient/Patient.rs user/Condition.r";
const GRANTED: &str = "launch/patient openid patient/Observation.rs patient/Patient.rs";
const ONLINE: &str = "launch/patient openid online_access patient/Observation.rs patient/Patient.rs";

async fn app<'w>(w: &'w World, by: &'static [UserType]) -> ClientApp<'w> {
    smart_app(w, REGISTERED, by).await
}

/// Where a request that nobody is to be asked about leads.
async fn silently(browser: &mut Browser<'_>, app: &ClientApp<'_>, scope: &str, further: &[(&str, &str)]) -> Redirect {
    let asked = with(&asks(app, scope), "prompt", "none");
    let asked = further.iter().fold(asked, |asked, (name, value)| with(&asked, name, value));
    browser.get(&format!("/apiAuthorize.action?{}", encoded(&asked))).await.redirect()
}

/// Tokens of a request that nobody was asked about.
async fn goes_on(browser: &mut Browser<'_>, app: &ClientApp<'_>, scope: &str) -> Tokens {
    let back = silently(browser, app, scope, &[]).await;
    assert_eq!(back.get("iss"), Some(BASE));
    app.redeem(&back.code()).await.granted()
}

async fn signs_out(browser: &mut Browser<'_>) {
    let page = browser.sees("/account").await;
    let form = page.form("/sign-out");
    browser.post("/sign-out", &[("form".to_owned(), form.sealed.clone())]).await;
}

#[tokio::test]
async fn who_granted_the_same_before_and_is_signed_in_is_asked_nothing() {
    let w = World::new().await;
    let app = app(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    assert_eq!(silently(&mut amina, &app, GRANTED, &[]).await.error(), "consent_required");
    approves(w.amina(), &app, GRANTED, &[]).await;
    w.after(5 * MINUTE);
    let tokens = goes_on(&mut amina, &app, GRANTED).await;
    assert_eq!((tokens.scope.as_str(), &tokens.body["patient"], &tokens.refresh), (GRANTED, &AMINA.into(), &None));
    w.calls_fhir_with(&tokens.access).await.opened();
    let told = claims(&w, &tokens).await;
    assert_eq!(told["auth_time"].as_i64().unwrap() + 5 * MINUTE, told["iat"].as_i64().unwrap(), "when they signed in");
    let less = goes_on(&mut amina, &app, "patient/Observation.r?category=laboratory").await;
    assert_eq!(less.scope, "patient/Observation.r?category=laboratory");
}

#[tokio::test]
async fn whoever_would_have_to_be_asked_is_told_to_the_app_in_words_of_openid() {
    let w = World::new().await;
    let app = app(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    approves(w.amina(), &app, GRANTED, &[]).await;
    for (scope, further, error) in [
        ("openid patient/Observation.rs offline_access", None, "consent_required"),
        ("openid patient/Observation.rs patient/Patient.rs user/Condition.r", None, "consent_required"),
        (GRANTED, Some(("max_age", "0")), "login_required"),
    ] {
        w.after(1);
        let further: Vec<_> = further.into_iter().collect();
        assert_eq!(silently(&mut amina, &app, scope, &further).await.error(), error, "{scope}");
    }
    let mut nobody = Browser::new(&w);
    assert_eq!(silently(&mut nobody, &app, GRANTED, &[]).await.error(), "login_required");
    let mut ben = w.ben().signs_in().await;
    assert_eq!(silently(&mut ben, &app, GRANTED, &[]).await.error(), "consent_required", "Amina's grant is hers");
    w.change("Pill Box", |client| client.unchecked = true).await;
    assert_eq!(silently(&mut amina, &app, GRANTED, &[]).await.error(), "interaction_required");
    w.change("Pill Box", |client| client.unchecked = false).await;
    silently(&mut amina, &app, GRANTED, &[]).await.code();
    signs_out(&mut amina).await;
    assert_eq!(silently(&mut amina, &app, GRANTED, &[]).await.error(), "login_required");
}

/// Any app of a device may listen at a port or claim a scheme, so that nobody is spared the question there.
#[tokio::test]
async fn a_code_goes_silently_to_pages_of_the_web_alone() {
    let w = World::with(|settings| settings.sandbox = false).await;
    let app = app(&w, &[UserType::Patient]).await;
    let mut amina = w.amina().signs_in().await;
    approves(w.amina(), &app, GRANTED, &[]).await;
    assert_eq!(silently(&mut amina, &app, GRANTED, &[]).await.error(), "interaction_required", "http on this machine");
    let uris = ["https://pill-box.example/back", "pill.box:/back"].map(String::from).to_vec();
    w.change("Pill Box", move |client| client.redirect_uris.extend(uris)).await;
    let to = |uri: &'static str| [("redirect_uri", uri)];
    silently(&mut amina, &app, GRANTED, &to("https://pill-box.example/back")).await.code();
    assert_eq!(silently(&mut amina, &app, GRANTED, &to("pill.box:/back")).await.error(), "interaction_required");
}

#[tokio::test]
async fn what_was_taken_back_or_is_over_covers_nothing_and_nothing_outlives_what_it_stands_on() {
    let w = World::new().await;
    let app = app(&w, &[UserType::Patient]).await;
    w.change("Pill Box", |client| client.session_seconds = Some(HOUR)).await;
    let first = approves(w.amina(), &app, GRANTED, &[]).await;
    w.after(50 * MINUTE);
    let mut amina = w.amina().signs_in().await;
    let online = goes_on(&mut amina, &app, ONLINE).await;
    w.after(10 * MINUTE);
    w.calls_fhir_with(&online.access).await.says(401, "API_SESSION_EXPIRED");
    assert_eq!(silently(&mut amina, &app, GRANTED, &[]).await.error(), "consent_required");
    approves(w.amina(), &app, GRANTED, &[]).await;
    silently(&mut amina, &app, GRANTED, &[]).await.code();
    w.change("Pill Box", |client| client.smart_scopes.retain(|scope| scope.resource().is_none())).await;
    assert_eq!(silently(&mut amina, &app, "openid", &[]).await.error(), "consent_required", "{:?}", first.scope);
}

#[tokio::test]
async fn a_clinicians_app_goes_on_about_the_patient_whom_they_picked() {
    let w = World::new().await;
    let app = app(&w, &[UserType::Clinician]).await;
    let page = app.sends_to_page(&asks(&app, GRANTED)).await;
    let reply = w.post_form(page.action(), &filled(&page, w.dr_okafor(), &[])).await;
    let page = Page::of(&reply);
    let chosen = with(&without(&without(&filled(&page, w.dr_okafor(), &[]), "username"), "password"), "patient", AMINA);
    let code = w.post_form(page.action(), &chosen).await.redirect().code();
    app.redeem(&code).await.granted();
    let mut doctor = w.dr_okafor().signs_in().await;
    let tokens = goes_on(&mut doctor, &app, GRANTED).await;
    assert_eq!((&tokens.body["patient"], &tokens.body["need_patient_banner"]), (&AMINA.into(), &true.into()));
}

#[tokio::test]
async fn online_access_is_a_refresh_token_that_ends_when_the_browser_is_signed_out() {
    let w = World::new().await;
    let app = app(&w, &[UserType::Patient]).await;
    let typed = approves(w.amina(), &app, ONLINE, &[]).await;
    assert_eq!((typed.scope.as_str(), &typed.refresh), (GRANTED, &None), "no browser's sign-in was used");
    let (mut here, mut there) = (w.amina().signs_in().await, w.amina().signs_in().await);
    let (online, other) = (goes_on(&mut here, &app, ONLINE).await, goes_on(&mut there, &app, ONLINE).await);
    assert_eq!(online.scope, ONLINE);
    let renewed = app.refresh(&online).await.granted();
    assert_eq!(renewed.scope, ONLINE);
    w.calls_fhir_with(&renewed.access).await.opened();
    signs_out(&mut here).await;
    w.calls_fhir_with(&renewed.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&renewed).await.refused("invalid_grant");
    let gone = there.sees("/connected-apps").await;
    assert_eq!(gone.html.matches("/connected-apps/revoke/").count(), 2, "those that go on: {}", gone.html);
    app.refresh(&other).await.granted();
}

#[tokio::test]
async fn online_access_ends_too_when_nobody_has_used_the_browser_for_long() {
    let w = World::new().await;
    let app = app(&w, &[UserType::Patient]).await;
    approves(w.amina(), &app, ONLINE, &[]).await;
    let mut amina = w.amina().signs_in().await;
    let mut tokens = goes_on(&mut amina, &app, ONLINE).await;
    for _ in 0..4 {
        w.after(20 * MINUTE);
        amina.sees("/account").await;
        tokens = app.refresh(&tokens).await.granted();
    }
    w.after(20 * MINUTE);
    tokens = app.refresh(&tokens).await.granted();
    w.after(15 * MINUTE);
    app.refresh(&tokens).await.refused("invalid_grant");
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
}
