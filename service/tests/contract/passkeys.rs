//! Passkeys as a second factor: made, asked for after the password and before what can harm, refused to enemies, removed.

use crate::kit::authenticator::Authenticator;
use crate::kit::browser::Browser;
use crate::kit::page::Page;
use crate::kit::passkey_device::{HERE, Manner, PasskeyDevice, options};
use crate::kit::person::Person;
use crate::kit::reply::Reply;
use crate::kit::{HOUR, MINUTE, World, fields, with};
use crate::openid::claims;
use crate::second_factor::{follows, link, presses, recovery_codes, sets_up, types};
use crate::smart_apps::{asks, filled, smart_app};
use axum::http::Method;
use rules::factors::FactorPolicy;
use rules::limits::{PASSKEYS_PER_USER, RECOVERY_CODES};
use rules::scope::UserType;

const PATH: &str = "/second-factor";
const MAKING: &str = "/second-factor/passkey";

async fn world() -> World {
    World::with(|settings| settings.base_url = HERE.into()).await
}

/// The page that asks the browser for a new passkey.
async fn asked_to_make(browser: &mut Browser<'_>, password: &str, name: &str) -> Reply {
    let form = browser.sees(PATH).await.form(PATH);
    let filled = fields([("form", &form.sealed), ("password", password), ("name", name), ("decision", "passkey")]);
    browser.post(PATH, &filled).await
}

async fn answers(browser: &mut Browser<'_>, page: &Page, answer: &str) -> Reply {
    browser.post(MAKING, &fields([("form", &page.form(MAKING).sealed), ("answer", answer)])).await
}

async fn makes(browser: &mut Browser<'_>, password: &str, name: &str) -> (PasskeyDevice, Reply) {
    let page = asked_to_make(browser, password, name).await.page();
    let (device, answer) = PasskeyDevice::makes(&page);
    let reply = answers(browser, &page, &answer).await;
    (device, reply)
}

/// Somebody with a passkey, as of a moment ago.
async fn enrolled(person: Person<'_>) -> (PasskeyDevice, Vec<String>) {
    let mut browser = person.signs_in().await;
    let (device, reply) = makes(&mut browser, person.account.password, "the phone").await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    (device, recovery_codes(&reply.page()))
}

/// The page that asks for the second factor after the password.
async fn after_password(browser: &mut Browser<'_>, person: Person<'_>) -> Page {
    browser.cookies.retain(|name, _| !name.ends_with("recordgate"));
    let reply = browser.signs_in(person.account.username, person.account.password).await;
    assert_eq!(reply.status, 200, "{}", reply.text());
    reply.page()
}

/// What the script of such a page sends.
fn shown(page: &Page, answer: &str) -> Vec<(String, String)> {
    let form = page.hidden_form();
    let question = page.hidden("question");
    fields([("form", form), ("next", "/notices"), ("question", &question), ("answer", answer), ("code", "")])
}

async fn sends(browser: &mut Browser<'_>, page: &Page, answer: &str) -> Reply {
    browser.post("/sign-in", &shown(page, answer)).await
}

// gaps: Pages > Second factor: passkeys
#[tokio::test]
async fn whoever_made_a_passkey_is_asked_for_it_after_the_password() {
    let w = world().await;
    let (device, codes) = enrolled(w.amina()).await;
    assert_eq!(codes.len(), RECOVERY_CODES);
    let mut browser = Browser::new(&w);
    let page = after_password(&mut browser, w.amina()).await;
    assert_eq!(browser.get("/connected-apps").await.redirect().to, "/sign-in", "not before the passkey");
    assert_eq!(options(&page)["allowCredentials"].as_array().unwrap().len(), 1);
    assert_eq!(options(&page)["userVerification"], "required");
    assert_eq!(sends(&mut browser, &page, &device.shows(&page)).await.redirect().to, "/notices");
    assert!(browser.sees("/notices").await.html.contains("passkey was made for your account"));
    let mine = browser.sees(PATH).await.html;
    assert!(mine.contains("the phone") && mine.contains("last used") && mine.contains("10 recovery codes"), "{mine}");
    let mut other = Browser::new(&w);
    let page = after_password(&mut other, w.amina()).await;
    let asked = fields([("form", page.hidden_form()), ("next", "/"), ("question", ""), ("answer", "")]);
    assert_eq!(types(&mut other, &asked, &codes[0]).await.status, 303, "a recovery code does it without script");
}

#[tokio::test]
async fn the_pages_that_ask_for_passkeys_have_one_script_of_our_own_and_no_other_page_has_any() {
    let w = world().await;
    enrolled(w.amina()).await;
    let mut browser = Browser::new(&w);
    assert!(!browser.get("/sign-in").await.header("content-security-policy").unwrap().contains("script-src"));
    let person = w.amina().account;
    let asked = browser.signs_in(person.username, person.password).await;
    let policy = asked.header("content-security-policy").unwrap().to_owned();
    assert!(policy.contains("script-src http://localhost:8080/assets/passkey.js;"), "{policy}");
    assert!(!policy.contains("unsafe") && policy.starts_with("default-src 'none'"), "{policy}");
    assert!(asked.text().contains("<script src=\"/assets/passkey.js\" defer></script>"));
    let script = browser.get("/assets/passkey.js").await;
    assert_eq!(script.header("content-type"), Some("text/javascript; charset=utf-8"));
    assert_eq!(script.header("x-content-type-options"), Some("nosniff"));
    let mut ben = w.ben().signs_in().await;
    let page = asked_to_make(&mut ben, w.ben().account.password, "").await;
    assert!(page.header("content-security-policy").unwrap().contains("script-src"));
    assert!(page.text().contains("<noscript>"));
}

#[tokio::test]
async fn where_the_host_is_an_address_or_has_no_tls_no_passkeys_are_offered() {
    for base_url in ["http://127.0.0.1:8080", "http://records.test", "https://[::1]:8443"] {
        let w = World::with(|settings| settings.base_url = base_url.into()).await;
        let mut browser = w.amina().signs_in().await;
        assert!(!browser.sees(PATH).await.html.contains("value=\"passkey\""), "{base_url}");
        assert_eq!(asked_to_make(&mut browser, w.amina().account.password, "").await.status, 400, "{base_url}");
    }
}

#[tokio::test]
async fn an_answer_that_is_not_of_this_page_this_host_this_person_and_its_verified_user_opens_nothing() {
    let w = world().await;
    let (device, _) = enrolled(w.amina()).await;
    let (bens, _) = enrolled(w.ben()).await;
    let mut browser = Browser::new(&w);
    let honest = Manner::default();
    for (told, manner) in [
        ("another origin", Manner { origin: "http://localhost.evil.example", ..honest.clone() }),
        ("another port", Manner { origin: "http://localhost:8081", ..honest.clone() }),
        ("another relying party", Manner { relying_party: "evil.example", ..honest.clone() }),
        ("nobody verified", Manner { verifies: false, ..honest.clone() }),
        ("nobody there", Manner { is_present: false, ..honest.clone() }),
        ("made, not shown", Manner { kind: Some("webauthn.create"), ..honest.clone() }),
        ("in somebody's frame", Manner { is_framed: true, ..honest.clone() }),
    ] {
        let page = after_password(&mut browser, w.amina()).await;
        assert_eq!(sends(&mut browser, &page, &device.shows_as(&page, &manner)).await.status, 401, "{told}");
        w.after(2 * HOUR);
    }
    let page = after_password(&mut browser, w.amina()).await;
    assert_eq!(sends(&mut browser, &page, &bens.shows(&page)).await.status, 401, "another person's passkey");
    let before = after_password(&mut browser, w.amina()).await;
    assert_eq!(sends(&mut browser, &page, &device.shows(&before)).await.status, 401, "another question's answer");
    let bens_page = after_password(&mut Browser::new(&w), w.ben()).await;
    let foreign = with(&shown(&page, &device.shows(&bens_page)), "question", &bens_page.hidden("question"));
    assert_eq!(browser.post("/sign-in", &foreign).await.status, 401, "another person's question");
    for bent in ["", "{}", "[]", "\u{0}", "{\"rawId\":7}", &format!("{{\"rawId\":\"{}\"}}", "A".repeat(7_000))] {
        w.after(2 * HOUR);
        let page = after_password(&mut browser, w.amina()).await;
        assert_eq!(sends(&mut browser, &page, bent).await.status, 401, "{bent}");
    }
    let huge = sends(&mut browser, &before, &"A".repeat(20_000)).await;
    assert_eq!(huge.status, 413);
    let page = after_password(&mut browser, w.amina()).await;
    let good = device.shows(&page);
    w.after(5 * MINUTE);
    assert_eq!(sends(&mut browser, &page, &good).await.status, 400, "the page is good for five minutes");
}

#[tokio::test]
async fn a_question_is_answered_once_and_of_two_answers_at_once_one_counts() {
    let w = world().await;
    let (device, _) = enrolled(w.amina()).await;
    let mut browser = Browser::new(&w);
    let page = after_password(&mut browser, w.amina()).await;
    let answer = device.shows(&page);
    assert_eq!(sends(&mut browser, &page, &answer).await.status, 303);
    assert_eq!(sends(&mut Browser::new(&w), &page, &answer).await.status, 401, "replayed");
    let page = after_password(&mut browser, w.amina()).await;
    let answer = device.shows(&page);
    let sent = (0..4).map(|_| browser.request(Method::POST, "/sign-in", &shown(&page, &answer))).collect();
    let replies = w.shoots(sent).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 303).count(), 1);
}

// gaps: Pages > A passkey whose counter does not rise
#[tokio::test]
async fn a_passkey_whose_counter_does_not_rise_is_refused_and_its_owner_is_told() {
    let w = world().await;
    let (mut device, _) = enrolled(w.amina()).await;
    let mut browser = Browser::new(&w);
    for (counter, status) in [(0, 303), (0, 303), (7, 303), (8, 303), (8, 401), (3, 401), (0, 401), (9, 303)] {
        device.counter = counter;
        let page = after_password(&mut browser, w.amina()).await;
        let told = sends(&mut browser, &page, &device.shows(&page)).await.status;
        assert_eq!(told, status, "{counter}");
    }
    let notices = browser.sees("/notices").await.html;
    assert_eq!(notices.matches("somebody had copied it").count(), 3, "{notices}");
}

/// Anybody who knows the password could say so, and worry its owner.
#[tokio::test]
async fn a_low_counter_that_the_passkey_has_not_signed_is_told_to_nobody() {
    let w = world().await;
    let (mut device, _) = enrolled(w.amina()).await;
    let (forger, _) = enrolled(w.ben()).await;
    let mut browser = Browser::new(&w);
    device.counter = 5;
    let page = after_password(&mut browser, w.amina()).await;
    assert_eq!(sends(&mut browser, &page, &device.shows(&page)).await.status, 303);
    device.counter = 2;
    let page = after_password(&mut browser, w.amina()).await;
    let theirs: serde_json::Value = serde_json::from_str(&forger.shows(&page)).unwrap();
    let mut forged: serde_json::Value = serde_json::from_str(&device.shows(&page)).unwrap();
    forged["response"]["signature"] = theirs["response"]["signature"].clone();
    assert_eq!(sends(&mut browser, &page, &forged.to_string()).await.status, 401);
    device.counter = 6;
    let page = after_password(&mut browser, w.amina()).await;
    assert_eq!(sends(&mut browser, &page, &device.shows(&page)).await.status, 303);
    assert!(!browser.sees("/notices").await.html.contains("copied"));
}

#[tokio::test]
async fn a_passkey_is_made_for_the_page_that_asked_by_the_person_who_typed_the_password() {
    let w = world().await;
    let password = w.amina().account.password;
    let mut browser = w.amina().signs_in().await;
    assert_eq!(asked_to_make(&mut browser, "not the password", "x").await.status, 400, "a stolen cookie");
    let page = asked_to_make(&mut browser, password, "x").await.page();
    let honest = Manner::default();
    for (told, manner) in [
        ("another origin", Manner { origin: "https://localhost:8080", ..honest.clone() }),
        ("another relying party", Manner { relying_party: "evil.example", ..honest.clone() }),
        ("nobody verified", Manner { verifies: false, ..honest.clone() }),
        ("shown, not made", Manner { kind: Some("webauthn.get"), ..honest.clone() }),
    ] {
        let (_, answer) = PasskeyDevice::makes_as(&page, &manner, false);
        assert_eq!(answers(&mut browser, &page, &answer).await.status, 400, "{told}");
    }
    for bent in ["", "{}", "\u{0}", &"[".repeat(1_000)] {
        assert_eq!(answers(&mut browser, &page, bent).await.status, 400);
    }
    let (device, answer) = PasskeyDevice::makes(&page);
    assert_eq!(answers(&mut w.amina().signs_in().await, &page, &answer).await.status, 400, "of another sign-in");
    let mut ben = w.ben().signs_in().await;
    assert_eq!(answers(&mut ben, &page, &answer).await.status, 400, "of another person");
    assert_eq!(answers(&mut browser, &page, &answer).await.status, 200);
    let other = PasskeyDevice::makes(&page).1;
    assert_eq!(answers(&mut browser, &page, &other).await.status, 400, "the page is answered once");
    let bens = asked_to_make(&mut ben, w.ben().account.password, "x").await.page();
    let taken = device.makes_again(&bens, &honest);
    assert_eq!(answers(&mut ben, &bens, &taken).await.status, 400, "a passkey that is somebody's");
    w.after(5 * MINUTE);
    let (_, late) = PasskeyDevice::makes(&bens);
    assert_eq!(answers(&mut ben, &bens, &late).await.status, 400, "five minutes");
}

#[tokio::test]
async fn a_stolen_cookie_makes_no_passkey_beside_a_factor_that_was_not_shown_lately() {
    let w = world().await;
    let password = w.amina().account.password;
    let mut browser = w.amina().signs_in().await;
    let (device, _) = makes(&mut browser, password, "the phone").await;
    let page = asked_to_make(&mut browser, password, "another").await.page();
    assert_eq!(options(&page)["excludeCredentials"].as_array().unwrap().len(), 1, "not twice in one device");
    let (_, answer) = PasskeyDevice::makes(&page);
    let form = browser.sees(PATH).await.form(PATH);
    w.after(5 * MINUTE - 1);
    let late = asked_to_make(&mut browser, password, "another").await.page();
    w.after(1);
    assert_eq!(answers(&mut browser, &page, &answer).await.status, 400, "the page is over");
    let (_, answer) = PasskeyDevice::makes(&late);
    assert_eq!(answers(&mut browser, &late, &answer).await.redirect().to, "/second-factor/prove");
    let filled = fields([("form", &form.sealed), ("password", password), ("decision", "passkey")]);
    assert_eq!(browser.post(PATH, &filled).await.redirect().to, "/second-factor/prove");
    let page = browser.sees("/second-factor/prove?next=/second-factor").await;
    let proof = with(&shown(&page, &device.shows(&page)), "form", &page.form("/second-factor/prove").sealed);
    let proof = with(&proof, "next", PATH);
    assert_eq!(browser.post("/second-factor/prove", &proof).await.redirect().to, PATH);
    assert_eq!(makes(&mut browser, password, "another").await.1.redirect().to, PATH);
}

#[tokio::test]
async fn passkeys_are_removed_one_by_one_and_recovery_codes_go_with_the_last() {
    let w = world().await;
    let password = w.amina().account.password;
    let mut browser = w.amina().signs_in().await;
    makes(&mut browser, password, "the phone").await;
    makes(&mut browser, password, "<b>the key</b>").await;
    let numbers = |page: &Page| -> Vec<String> {
        let found = page.html.split("name=\"drop\" value=\"").skip(1);
        found.map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
    };
    let drops = async |browser: &mut Browser<'_>, number: &str, password: &str| {
        let form = browser.sees(PATH).await.form(PATH);
        browser.post(PATH, &fields([("form", &form.sealed), ("password", password), ("drop", number)])).await
    };
    let page = browser.sees(PATH).await;
    assert!(!page.html.contains("<b>the key"), "{}", page.html);
    let both = numbers(&page);
    assert_eq!(both.len(), 2);
    let mut ben = w.ben().signs_in().await;
    assert_eq!(drops(&mut ben, &both[0], w.ben().account.password).await.status, 400, "another person's");
    assert_eq!(drops(&mut browser, &both[0], "not the password").await.status, 400);
    assert_eq!(drops(&mut browser, "one", password).await.status, 400);
    assert_eq!(drops(&mut browser, &both[0], password).await.redirect().to, PATH);
    assert!(browser.sees(PATH).await.html.contains("10 recovery codes"));
    assert_eq!(drops(&mut browser, &both[1], password).await.redirect().to, PATH);
    assert!(browser.sees(PATH).await.html.contains("You have no second factor"));
    assert_eq!(browser.sees("/notices").await.html.matches("passkey of your account was removed").count(), 2);
    assert_eq!(w.amina().signs_in().await.get("/").await.status, 200, "by the password alone");
}

#[tokio::test]
async fn an_app_and_passkeys_stand_beside_each_other_and_each_will_do() {
    let w = world().await;
    let person = w.amina();
    let mut browser = person.signs_in().await;
    let (phone, codes) = sets_up(&mut browser, person.account.password).await;
    let (device, reply) = makes(&mut browser, person.account.password, "").await;
    assert_eq!(reply.redirect().to, PATH, "the recovery codes are those of before");
    let mut other = Browser::new(&w);
    let page = after_password(&mut other, person).await;
    let asked = fields([("form", page.hidden_form()), ("next", "/")]);
    assert_eq!(types(&mut other, &asked, &phone.shows(&w)).await.status, 303);
    let page = after_password(&mut other, person).await;
    let remembered = with(&shown(&page, &device.shows(&page)), "remember", "yes");
    assert_eq!(other.post("/sign-in", &remembered).await.status, 303);
    other.cookies.retain(|name, _| !name.ends_with("recordgate"));
    let again = other.signs_in(person.account.username, person.account.password).await;
    assert_eq!(again.status, 303, "this browser is remembered");
    assert_eq!(presses(&mut browser, person.account.password, "remove").await.redirect().to, PATH);
    let page = after_password(&mut Browser::new(&w), person).await;
    let asked = fields([("form", page.hidden_form()), ("next", "/")]);
    assert_eq!(types(&mut other, &asked, &phone.shows(&w)).await.status, 401, "the app is gone");
    assert_eq!(types(&mut other, &asked, &codes[0]).await.status, 303, "recovery codes are of both");
}

#[tokio::test]
async fn another_passkey_ends_what_browsers_remember() {
    let w = world().await;
    let person = w.amina();
    let (device, _) = enrolled(person).await;
    let mut browser = Browser::new(&w);
    let page = after_password(&mut browser, person).await;
    let remembered = with(&shown(&page, &device.shows(&page)), "remember", "yes");
    assert_eq!(browser.post("/sign-in", &remembered).await.status, 303);
    makes(&mut browser, person.account.password, "another").await;
    after_password(&mut browser, person).await;
}

#[tokio::test]
async fn a_person_has_ten_passkeys_at_the_most() {
    let w = world().await;
    let password = w.amina().account.password;
    let mut browser = w.amina().signs_in().await;
    for number in 0..PASSKEYS_PER_USER {
        let page = asked_to_make(&mut browser, password, &"x".repeat(500)).await.page();
        let (_, answer) = PasskeyDevice::makes(&page);
        let status = answers(&mut browser, &page, &answer).await.status;
        assert_eq!(status, if number == 0 { 200 } else { 303 });
    }
    let page = browser.sees(PATH).await;
    assert!(!page.html.contains("value=\"passkey\""), "{}", page.html);
    assert!(!page.html.contains(&"x".repeat(61)), "names are cut");
    assert_eq!(asked_to_make(&mut browser, password, "").await.status, 400);
}

#[tokio::test]
async fn where_a_factor_is_required_the_last_one_stays_and_a_link_brings_a_passkey_as_the_first() {
    let w = World::with(|settings| {
        settings.base_url = HERE.into();
        settings.second_factor.patient = FactorPolicy::Required;
    })
    .await;
    let person = w.amina();
    let password = person.account.password;
    let mut browser = Browser::new(&w);
    let (link, _) = link(&w, person.account.username).await;
    assert_eq!(follows(&mut browser, &link, person, password).await.redirect().to, PATH);
    let (_, reply) = makes(&mut browser, password, "the phone").await;
    assert_eq!(reply.status, 200);
    let page = browser.sees(PATH).await;
    assert!(!page.html.contains("name=\"drop\""), "{}", page.html);
    makes(&mut browser, password, "the key").await;
    let page = browser.sees(PATH).await;
    assert_eq!(page.html.matches("name=\"drop\"").count(), 2);
}

#[tokio::test]
async fn an_operators_link_removes_passkeys_too() {
    let w = world().await;
    let person = w.amina();
    enrolled(person).await;
    let (text, _) = link(&w, person.account.username).await;
    let mut browser = Browser::new(&w);
    assert_eq!(follows(&mut browser, &text, person, person.account.password).await.status, 303);
    assert!(browser.sees(PATH).await.html.contains("You have no second factor"));
    assert_eq!(person.signs_in().await.get("/").await.status, 200);
}

// gaps: Authorization endpoint > Which factor
#[tokio::test]
async fn apps_are_told_by_what_their_user_was_known() {
    let w = world().await;
    let app = smart_app(&w, "openid patient/Observation.rs", &[UserType::Patient]).await;
    let person = w.amina();
    let mut browser = person.signs_in().await;
    let (phone, _) = sets_up(&mut browser, person.account.password).await;
    let (device, _) = makes(&mut browser, person.account.password, "").await;
    let page = asked_to_make(&mut browser, person.account.password, "").await.page();
    let (synced, answer) = PasskeyDevice::makes_as(&page, &Manner::default(), true);
    assert_eq!(answers(&mut browser, &page, &answer).await.status, 303);
    let told = async |answer: &dyn Fn(&Page) -> Vec<(String, String)>| {
        let asked = with(&asks(&app, "openid patient/Observation.rs"), "aud", &format!("{HERE}/fhir"));
        let first = app.sends_to_page(&asked).await;
        let second = w.post_form(first.action(), &filled(&first, person, &[])).await.page();
        let shown = with(&answer(&second), "decision", "approve");
        let reply = w.post_form(second.action(), &shown).await;
        let said = claims(&w, &app.redeem(&reply.redirect().code()).await.granted()).await;
        assert_eq!(said["acr"], "urn:recordgate:2");
        said["amr"].clone()
    };
    let typed = told(&|page: &Page| with(&shown(page, ""), "code", &phone.shows(&w))).await;
    assert_eq!(typed, serde_json::json!(["pwd", "otp", "mfa"]));
    assert_eq!(told(&|page: &Page| shown(page, &device.shows(page))).await, serde_json::json!(["pwd", "hwk", "mfa"]));
    assert_eq!(told(&|page: &Page| shown(page, &synced.shows(page))).await, serde_json::json!(["pwd", "swk", "mfa"]));
}

/// A wrong answer is a try on the authorization page, as a wrong code is.
#[tokio::test]
async fn a_wrong_answer_on_the_authorization_page_ends_it() {
    let w = world().await;
    let (device, _) = enrolled(w.amina()).await;
    let app = crate::kit::client_app::ClientApp::of(&w, "Sleep Diary");
    let second = async || w.amina().decides(&app.sends_to_page(&app.asks()).await, "approve").await.page();
    let page = second().await;
    let bad = device.shows_as(&page, &Manner { verifies: false, ..Manner::default() });
    let sent = with(&shown(&page, &bad), "decision", "approve");
    assert_eq!(w.post_form(page.action(), &sent).await.redirect().error(), "access_denied");
    let page = second().await;
    let sent = with(&shown(&page, &device.shows(&page)), "decision", "approve");
    let code = w.post_form(page.action(), &sent).await.redirect().code();
    app.redeem(&code).await.granted();
    assert_eq!(w.post_form(page.action(), &sent).await.status, 400, "once");
}

/// The codes of the app that somebody set up on a page that was opened before a passkey was there.
#[tokio::test]
async fn an_app_that_is_set_up_beside_a_passkey_brings_new_recovery_codes() {
    let w = world().await;
    let mut browser = w.amina().signs_in().await;
    let (_, reply) = makes(&mut browser, w.amina().account.password, "").await;
    let old = recovery_codes(&reply.page());
    let page = presses(&mut browser, w.amina().account.password, "set-up").await.page();
    let code = Authenticator::of(&page).shows(&w);
    let form = page.form("/second-factor/confirm");
    let shown = browser.post(&form.action, &fields([("form", &form.sealed), ("code", &code)])).await.page();
    assert_ne!(recovery_codes(&shown), old);
}
