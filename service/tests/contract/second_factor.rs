//! The second factor: setting it up, being asked for it, losing it.

use crate::kit::authenticator::Authenticator;
use crate::kit::browser::Browser;
use crate::kit::client_app::ClientApp;
use crate::kit::page::Page;
use crate::kit::person::Person;
use crate::kit::reply::Reply;
use crate::kit::{DAY, MINUTE, World, fields, with};
use axum::http::Method;
use rules::factors::FactorPolicy;
use rules::limits::{FACTOR_FAILURES, RECOVERY_CODES};
use rules::scope::UserType;
use service::app::config::{Config, Sources};
use service::app::key_ring;
use service::operator::{self, Reply as Told, Request};
use std::sync::Arc;

const PATH: &str = "/second-factor";
const APP: &str = "Sleep Diary";

/// Presses a button of the page about the second factor, with the password.
pub async fn presses(browser: &mut Browser<'_>, password: &str, decision: &str) -> Reply {
    let form = browser.sees(PATH).await.form(PATH);
    let filled = fields([("form", &form.sealed), ("password", password), ("decision", decision)]);
    browser.post(PATH, &filled).await
}

/// Sets a factor up, and gives the app that shows its codes, and the recovery codes.
pub async fn sets_up(browser: &mut Browser<'_>, password: &str) -> (Authenticator, Vec<String>) {
    let page = presses(browser, password, "set-up").await.page();
    let phone = Authenticator::of(&page);
    let form = page.form("/second-factor/confirm");
    let code = phone.shows(browser.world);
    let reply = browser.post(&form.action, &fields([("form", &form.sealed), ("code", &code)])).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    // The code that confirmed it is used.
    browser.world.after(30);
    (phone, recovery_codes(&reply.page()))
}

pub fn recovery_codes(page: &Page) -> Vec<String> {
    let codes = page.html.split("<li><code>").skip(1).map(|rest| rest.split('<').next().unwrap().to_owned());
    codes.collect()
}

/// Somebody with a factor, as of a moment ago.
pub async fn enrolled(person: Person<'_>) -> (Authenticator, Vec<String>) {
    let mut browser = person.signs_in().await;
    sets_up(&mut browser, person.account.password).await
}

/// Types the password, which must be right, and gives the form that asks for a code.
pub async fn comes_to_the_code(browser: &mut Browser<'_>, person: Person<'_>) -> Vec<(String, String)> {
    // Whoever is signed in is led away from the sign-in page.
    browser.cookies.retain(|name, _| !name.ends_with("recordgate"));
    let reply = browser.signs_in(person.account.username, person.account.password).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    assert!(reply.text().contains("Enter your code"), "{}", reply.text());
    fields([("form", &reply.page().form("/sign-in").sealed), ("next", "/connected-apps")])
}

pub async fn types(browser: &mut Browser<'_>, asked: &[(String, String)], code: &str) -> Reply {
    browser.post("/sign-in", &with(asked, "code", code)).await
}

/// The operator makes a link for somebody.
pub async fn link(w: &World, username: &str) -> (String, u64) {
    let asked = Request::ResetFactors { username: username.to_owned() };
    let Told::FactorLink(link) = operator::execute(&w.app, asked, &(Arc::new(|_, _| ()) as operator::Progress)).await
    else {
        panic!("no link");
    };
    let text = link.link.reveal().to_owned();
    (text.split_once("link=").unwrap().1.to_owned(), link.ended)
}

pub async fn follows(browser: &mut Browser<'_>, link: &str, person: Person<'_>, password: &str) -> Reply {
    let page = browser.sees(&format!("/second-factor/reset?link={link}")).await;
    let (form, link) = (page.form("/second-factor/reset").sealed, page.hidden("link"));
    let username = person.account.username;
    let filled = fields([("form", &form), ("link", &link)]);
    browser.post("/second-factor/reset", &with(&with(&filled, "username", username), "password", password)).await
}

// gaps: Pages > Second factor: codes
#[tokio::test]
async fn whoever_set_a_factor_up_is_asked_for_a_code_after_the_password() {
    let w = World::new().await;
    let (phone, codes) = enrolled(w.amina()).await;
    assert_eq!(codes.len(), RECOVERY_CODES);
    let mut browser = Browser::new(&w);
    let asked = comes_to_the_code(&mut browser, w.amina()).await;
    assert_eq!(browser.get("/connected-apps").await.redirect().to, "/sign-in", "not before the code");
    let wrong = types(&mut browser, &asked, "000000").await;
    assert_eq!(wrong.status, 401);
    let late = phone.shows_at(w.now().unix_seconds() - 90);
    assert_eq!(types(&mut browser, &asked, &late).await.status, 401, "a clock that is 90 seconds off");
    let code = phone.shows(&w);
    assert_eq!(types(&mut browser, &asked, &code).await.redirect().to, "/connected-apps");
    browser.sees("/connected-apps").await;
    let mut other = Browser::new(&w);
    let asked = comes_to_the_code(&mut other, w.amina()).await;
    assert_eq!(types(&mut other, &asked, &code).await.status, 401, "a code is good once");
    w.after(30);
    assert_eq!(types(&mut other, &asked, &phone.shows(&w)).await.status, 303);
    w.after(5 * MINUTE);
    assert_eq!(types(&mut other, &asked, &phone.shows(&w)).await.status, 400, "the page is good for five minutes");
}

#[tokio::test]
async fn of_two_who_type_the_same_code_at_once_one_gets_in() {
    let w = World::new().await;
    let (phone, codes) = enrolled(w.amina()).await;
    for code in [phone.shows(&w), codes[0].clone()] {
        let mut requests = Vec::new();
        for _ in 0..4 {
            let mut browser = Browser::new(&w);
            let asked = comes_to_the_code(&mut browser, w.amina()).await;
            requests.push(browser.request(Method::POST, "/sign-in", &with(&asked, "code", &code)));
        }
        let replies = w.shoots(requests).await;
        assert_eq!(replies.iter().filter(|reply| reply.status == 303).count(), 1, "{code}");
    }
}

// gaps: Pages > Recovery codes
#[tokio::test]
async fn a_recovery_code_stands_in_once_however_it_is_typed_and_its_owner_is_told() {
    let w = World::new().await;
    let (phone, codes) = enrolled(w.amina()).await;
    let mut browser = Browser::new(&w);
    let asked = comes_to_the_code(&mut browser, w.amina()).await;
    let typed = codes[3].to_lowercase().replace('-', " ");
    assert_eq!(types(&mut browser, &asked, &typed).await.status, 303);
    assert!(browser.sees("/notices").await.html.contains("recovery code of your account was used"));
    assert!(browser.sees(PATH).await.html.contains("9 recovery codes"));
    let mut other = Browser::new(&w);
    let asked = comes_to_the_code(&mut other, w.amina()).await;
    assert_eq!(types(&mut other, &asked, &codes[3]).await.status, 401);
    assert_eq!(types(&mut other, &asked, &phone.shows(&w)).await.status, 303);
    let new = recovery_codes(&presses(&mut other, w.amina().account.password, "codes").await.page());
    assert_eq!(new.len(), RECOVERY_CODES);
    let mut third = Browser::new(&w);
    let asked = comes_to_the_code(&mut third, w.amina()).await;
    assert_eq!(types(&mut third, &asked, &codes[4]).await.status, 401, "those before are void");
    assert_eq!(types(&mut third, &asked, &new[4]).await.status, 303);
}

// gaps: Pages > Wrong codes
#[tokio::test]
async fn whoever_has_typed_too_many_wrong_codes_must_wait_and_the_known_browser_need_not() {
    let w = World::new().await;
    let mut own = w.amina().signs_in().await;
    let (phone, _) = sets_up(&mut own, w.amina().account.password).await;
    let mut stranger = Browser::new(&w);
    let asked = comes_to_the_code(&mut stranger, w.amina()).await;
    for _ in 0..FACTOR_FAILURES {
        assert_eq!(types(&mut stranger, &asked, "000000").await.status, 401);
    }
    let reply = types(&mut stranger, &asked, &phone.shows(&w)).await;
    assert_eq!(reply.status, 429, "the right one neither");
    assert!(reply.header("retry-after").is_some());
    let asked = comes_to_the_code(&mut own, w.amina()).await;
    assert_eq!(types(&mut own, &asked, &phone.shows(&w)).await.status, 303);
    assert_eq!(w.ben().signs_in().await.get("/").await.status, 200, "nobody else waits");
}

// gaps: Pages > Browsers that are remembered
#[tokio::test]
async fn a_remembered_browser_is_asked_again_after_thirty_days_and_for_another_factor() {
    let w = World::new().await;
    let person = w.amina();
    let (phone, _) = enrolled(person).await;
    let mut browser = Browser::new(&w);
    let asked = comes_to_the_code(&mut browser, person).await;
    assert_eq!(types(&mut browser, &with(&asked, "remember", "yes"), &phone.shows(&w)).await.status, 303);
    w.after(30 * DAY - MINUTE);
    assert_eq!(browser.signs_in(person.account.username, person.account.password).await.status, 303);
    assert_eq!(browser.get("/password").await.redirect().to, "/second-factor/prove", "that is no proof");
    let mut late = browser.clone();
    w.after(MINUTE);
    comes_to_the_code(&mut late, person).await;
    let asked = comes_to_the_code(&mut browser, person).await;
    assert_eq!(types(&mut browser, &with(&asked, "remember", "yes"), &phone.shows(&w)).await.status, 303);
    w.after(30);
    sets_up(&mut browser, person.account.password).await;
    comes_to_the_code(&mut browser, person).await;
}

// gaps: Pages > Second factor: the setting
#[tokio::test]
async fn where_a_factor_is_required_a_password_alone_opens_nothing_and_enrols_nothing() {
    let w = World::with(|settings| settings.second_factor.patient = FactorPolicy::Required).await;
    let person = w.amina();
    let (username, password) = (person.account.username, person.account.password);
    let mut browser = Browser::new(&w);
    let refused = browser.signs_in(username, password).await.error_page(403);
    assert!(refused.contains("second factor"), "{refused}");
    let app = ClientApp::of(&w, APP);
    let page = app.sends_to_page(&app.asks()).await;
    assert_eq!(person.decides(&page, "approve").await.redirect().error(), "access_denied");
    let (link, _) = link(&w, username).await;
    assert_eq!(follows(&mut browser, &link, person, password).await.redirect().to, PATH);
    for path in ["/", "/record", "/connected-apps", "/password"] {
        assert_eq!(browser.get(path).await.redirect().to, PATH, "{path}");
    }
    let (phone, _) = sets_up(&mut browser, password).await;
    browser.sees("/record").await;
    assert!(!browser.sees(PATH).await.html.contains("Remove the app"));
    let form = browser.sees(PATH).await.form(PATH);
    let removal = fields([("form", &form.sealed), ("password", password), ("decision", "remove")]);
    assert_eq!(browser.post(PATH, &removal).await.status, 400);
    let asked = comes_to_the_code(&mut browser, person).await;
    assert_eq!(types(&mut browser, &with(&asked, "remember", "yes"), &phone.shows(&w)).await.status, 303);
    comes_to_the_code(&mut browser, person).await;
}

#[tokio::test]
async fn where_factors_are_off_nobody_is_asked_for_one_that_they_have() {
    let off = World::with(|settings| settings.second_factor.patient = FactorPolicy::Off).await;
    let mut browser = off.amina().signs_in().await;
    assert!(!browser.sees(PATH).await.html.contains("set-up"));
}

// gaps: Authorization endpoint > A second factor
#[tokio::test]
async fn the_authorization_page_asks_for_the_code_on_its_second_page_and_a_wrong_one_is_a_try() {
    let w = World::new().await;
    let person = w.amina();
    let (phone, _) = enrolled(person).await;
    let app = ClientApp::of(&w, APP);
    let second = async || person.decides(&app.sends_to_page(&app.asks()).await, "approve").await.page();
    let answer = async |page: &Page, code: &str, decision: &str| {
        let filled = fields([("form", page.hidden_form()), ("code", code), ("decision", decision)]);
        w.post_form(page.action(), &filled).await
    };
    let page = second().await;
    assert!(page.html.contains("Enter your code to approve"), "{}", page.html);
    assert_eq!(answer(&page, "000000", "approve").await.redirect().error(), "access_denied");
    assert_eq!(answer(&page, &phone.shows(&w), "approve").await.status, 400, "the form is spent");
    assert_eq!(answer(&second().await, "", "deny").await.redirect().error(), "access_denied");

    // However often the password is sent, the pages that follow are one form.
    let first = app.sends_to_page(&app.asks()).await;
    let pages = [person.decides(&first, "approve").await.page(), person.decides(&first, "approve").await.page()];
    assert_eq!(answer(&pages[0], "000000", "approve").await.redirect().error(), "access_denied");
    assert_eq!(answer(&pages[1], &phone.shows(&w), "approve").await.status, 400);
    w.after(30);

    let page = second().await;
    let code = answer(&page, &phone.shows(&w), "approve").await.redirect().code();
    app.redeem(&code).await.granted();
    w.after(30);
    let page = second().await;
    w.after(5 * MINUTE);
    assert_eq!(answer(&page, &phone.shows(&w), "approve").await.status, 400, "five minutes");
}

/// Password and code share the tries.
#[tokio::test]
async fn with_two_attempts_a_wrong_password_and_a_wrong_code_are_both() {
    let w = World::with(|settings| settings.attempts = 2).await;
    let person = w.amina();
    let (phone, _) = enrolled(person).await;
    let app = ClientApp::of(&w, APP);
    let answer = async |page: &Page, code: &str| {
        let filled = fields([("form", page.hidden_form()), ("code", code), ("decision", "approve")]);
        w.post_form(page.action(), &filled).await
    };
    let again = person.decides(&app.sends_to_page(&app.asks()).await, "approve").await.page();
    let again = answer(&again, "000000").await.page();
    assert!(again.html.contains("There is a problem"));
    assert!(!answer(&again, &phone.shows(&w)).await.redirect().code().is_empty());
    let wrong = person.decides_with(&app.sends_to_page(&app.asks()).await, "approve", "wrong").await.page();
    let asked = person.decides(&wrong, "approve").await.page();
    assert_eq!(answer(&asked, "000000").await.redirect().error(), "access_denied");
}

// gaps: Pages > Step-up
#[tokio::test]
async fn what_can_harm_asks_for_a_code_when_the_last_one_is_five_minutes_old() {
    let w = World::new().await;
    let grace = w.grace();
    let mut browser = grace.signs_in().await;
    let checked = browser.checked_grant("old-bridge").await;
    let (phone, _) = sets_up(&mut browser, grace.account.password).await;
    browser.sees("/password").await;
    w.after(5 * MINUTE);
    for path in ["/password", "/coordinator/api-access/check?client_id=x"] {
        let redirect = browser.get(path).await.redirect();
        assert_eq!(redirect.to, "/second-factor/prove", "{path}");
        assert_eq!(redirect.params, fields([("next", path)]));
    }
    assert_eq!(browser.post("/coordinator/api-access", &checked).await.redirect().to, "/second-factor/prove");
    assert!(browser.sees(PATH).await.html.contains("Show it to change it"));
    let page = browser.sees("/second-factor/prove?next=/password").await;
    let asked = fields([("form", &page.form("/second-factor/prove").sealed), ("next", "/password")]);
    assert_eq!(browser.post("/second-factor/prove", &with(&asked, "code", "000000")).await.status, 401);
    let shown = with(&asked, "code", &phone.shows(&w));
    assert_eq!(browser.post("/second-factor/prove", &shown).await.redirect().to, "/password");
    browser.sees("/password").await;
    let away = with(&with(&asked, "code", "000000"), "next", "//elsewhere.example");
    assert!(!browser.post("/second-factor/prove", &away).await.text().contains("elsewhere"));
}

#[tokio::test]
async fn a_stolen_cookie_without_the_password_sets_nothing_up_and_removes_nothing() {
    let w = World::new().await;
    let mut browser = w.amina().signs_in().await;
    assert_eq!(presses(&mut browser, "not the password", "set-up").await.status, 400);
    let page = presses(&mut browser, w.amina().account.password, "set-up").await.page();
    let form = page.form("/second-factor/confirm");
    let filled = fields([("form", &form.sealed), ("code", "000000")]);
    assert_eq!(browser.post(&form.action, &filled).await.status, 400, "no code, no factor");
    let mut thief = w.amina().signs_in().await;
    let good = with(&fields([("form", &form.sealed)]), "code", &Authenticator::of(&page).shows(&w));
    assert_eq!(thief.post(&form.action, &good).await.status, 400, "the form is of one sign-in");
    sets_up(&mut browser, w.amina().account.password).await;
    assert_eq!(presses(&mut browser, "not the password", "remove").await.status, 400);
    let removed = presses(&mut browser, w.amina().account.password, "remove").await;
    assert_eq!(removed.redirect().to, PATH);
    let told = browser.sees("/notices").await.html;
    assert!(told.contains("was set up for your account") && told.contains("your account was removed"), "{told}");
    assert_eq!(w.amina().signs_in().await.get("/").await.status, 200);
}

// gaps: Operation > A second factor that is lost
#[tokio::test]
async fn a_link_resets_a_factor_once_within_a_day_and_only_with_the_password() {
    let w = World::new().await;
    let person = w.dr_okafor();
    let (username, password) = (person.account.username, person.account.password);
    let mut before = person.signs_in().await;
    sets_up(&mut before, password).await;
    let (old, _) = link(&w, username).await;
    let (link_text, ended) = link(&w, username).await;
    assert_eq!((ended, before.get("/notices").await.redirect().to), (0, "/sign-in".to_owned()), "signed out");
    let mut browser = Browser::new(&w);
    for (link, who, password) in [
        (&old, person, password),
        (&link_text, person, "not the password"),
        (&link_text, w.amina(), w.amina().account.password),
    ] {
        assert_eq!(follows(&mut browser, link, who, password).await.status, 401);
    }
    comes_to_the_code(&mut browser, person).await;
    assert_eq!(follows(&mut browser, &link_text, person, password).await.status, 303);
    let told = browser.sees("/notices").await.html;
    assert!(told.contains("operator made a link") && told.contains("was reset by"), "{told}");
    assert_eq!(follows(&mut Browser::new(&w), &link_text, person, password).await.status, 401, "once");
    assert_eq!(Browser::new(&w).signs_in(username, password).await.status, 303, "no code is asked for");
    let (late, _) = link(&w, username).await;
    w.after(DAY);
    assert_eq!(follows(&mut browser, &late, person, password).await.status, 401, "a day");
}

/// What an app reads of notices has nothing about how its user proves who they are.
#[tokio::test]
async fn apps_are_not_told_of_second_factors() {
    let w = World::new().await;
    let caller = w.amina().caller().await;
    enrolled(w.amina()).await;
    assert!(!caller.get("/json/notices").await.text().contains("ACCOUNT"));
}

// gaps: Operation > Keys and second factors
#[tokio::test]
async fn a_factor_outlives_the_key_that_sealed_it() {
    let w = World::new().await;
    let (phone, _) = enrolled(w.amina()).await;
    let old = w.app.keys.ids().pop().unwrap();
    key_ring::rotate(&w.app.store, &w.app.keys, w.now()).await.unwrap();
    key_ring::retire(&w.app.store, &w.app.keys, &old, w.now()).await.unwrap();
    let mut browser = Browser::new(&w);
    let asked = comes_to_the_code(&mut browser, w.amina()).await;
    assert_eq!(types(&mut browser, &asked, &phone.shows(&w)).await.status, 303);
}

/// What is open is told beside it.
// gaps: Pages > Second factor: defaults
#[test]
fn a_factor_is_optional_for_every_type_unless_configured_otherwise() {
    let sources = Sources { options: Vec::new(), file: None, environment: &|_| None, defaults: Vec::new() };
    let settings = Config::read(&sources).unwrap().second_factor;
    for user_type in UserType::ALL {
        assert_eq!(settings.of(user_type), FactorPolicy::Optional, "{user_type:?}");
    }
    assert_eq!(settings.remember_days, 30);
}
