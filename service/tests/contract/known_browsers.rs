//! Browsers that a user has signed in with before: strangers lock only strangers out.

use crate::kit::browser::Browser;
use crate::kit::{DAY, World, fields};
use rules::limits::{ACCOUNTS_PER_BROWSER, BROWSER_SECONDS, FAILURES_PER_ACCOUNT};
use service::secrets::passwords;
use service::secrets::secret::Secret;
use store::people::User;

const AMINA: &str = "amina@example.org";
const BEN: &str = "ben@example.org";
const WRONG: &str = "not-the-password";
const COOKIE: &str = "recordgate-known";

/// A browser in which this person has signed in and out again.
async fn known<'w>(w: &'w World, username: &str, password: &str) -> Browser<'w> {
    let mut browser = Browser::new(w);
    signs_in_and_out(&mut browser, username, password).await;
    browser
}

async fn signs_in_and_out(browser: &mut Browser<'_>, username: &str, password: &str) {
    let reply = browser.signs_in(username, password).await;
    assert_eq!(reply.status, 303, "{}", reply.text());
    browser.cookies.retain(|name, _| name == COOKIE);
    assert!(browser.cookies.contains_key(COOKIE), "{:?}", browser.cookies.keys());
}

/// Strangers guess until the account and the address are both locked.
async fn strangers_lock(w: &World, username: &str) {
    for _ in 0..FAILURES_PER_ACCOUNT {
        assert_eq!(Browser::new(w).signs_in(username, WRONG).await.status, 401);
    }
    assert_eq!(Browser::new(w).signs_in(username, WRONG).await.status, 429);
}

/// The owner of a locked account still gets in where they have signed in before, on both pages.
// gaps: The two APIs > Known browsers
#[tokio::test]
async fn strangers_do_not_keep_an_owner_out_of_a_browser_that_is_known() {
    let w = World::with(|settings| settings.throttle.per_address = FAILURES_PER_ACCOUNT).await;
    let password = w.amina().account.password;
    let mut browser = known(&w, AMINA, password).await;
    strangers_lock(&w, AMINA).await;
    assert_eq!(Browser::new(&w).signs_in(BEN, w.ben().account.password).await.status, 429, "the address is locked");
    assert_eq!(browser.signs_in(AMINA, password).await.status, 303);
    browser.cookies.retain(|name, _| name == COOKIE);
    let app = w.client("Sleep Diary");
    let page = app.sends_to_page(&app.asks()).await;
    let filled =
        fields([("form", page.hidden_form()), ("username", AMINA), ("password", password), ("decision", "approve")]);
    let code = browser.post(page.action(), &filled).await.redirect().code();
    app.redeem(&code).await.granted();
}

/// Approving an app makes a browser known as signing in does.
// gaps: The two APIs > Known browsers
#[tokio::test]
async fn a_login_on_the_authorization_page_makes_a_browser_known() {
    let w = World::new().await;
    let (app, password) = (w.client("Sleep Diary"), w.amina().account.password);
    let page = app.sends_to_page(&app.asks()).await;
    let mut browser = Browser::new(&w);
    let filled = [("form", page.hidden_form()), ("username", AMINA), ("password", password), ("decision", "approve")];
    browser.post(page.action(), &fields(filled)).await.redirect().code();
    strangers_lock(&w, AMINA).await;
    assert_eq!(browser.signs_in(AMINA, password).await.status, 303);
}

/// A known browser has as many tries as strangers have, and its failures are nobody else's.
// gaps: The two APIs > Known browsers
#[tokio::test]
async fn a_known_browser_has_a_count_of_its_own() {
    let w = World::new().await;
    let password = w.amina().account.password;
    let (mut one, mut other) = (known(&w, AMINA, password).await, known(&w, AMINA, password).await);
    for _ in 0..FAILURES_PER_ACCOUNT {
        assert_eq!(one.signs_in(AMINA, WRONG).await.status, 401);
    }
    assert_eq!(one.signs_in(AMINA, password).await.status, 429);
    assert_eq!(other.signs_in(AMINA, password).await.status, 303);
    assert_eq!(Browser::new(&w).signs_in(AMINA, password).await.status, 303, "a stranger's count is another");
}

/// The cookie is of one account; for any other the browser is a stranger's.
// gaps: The two APIs > Known browsers
#[tokio::test]
async fn a_browser_that_is_known_by_one_account_is_a_stranger_to_another() {
    let w = World::new().await;
    let mut browser = known(&w, BEN, w.ben().account.password).await;
    strangers_lock(&w, AMINA).await;
    assert_eq!(browser.signs_in(AMINA, w.amina().account.password).await.status, 429);
    for forged in ["", "rgb_0_x", "rgb_x", ".....", &browser.cookies[COOKIE].replace("rgb_", "rgw_")] {
        let mut forger = Browser::new(&w);
        forger.cookies.insert(COOKIE.into(), forged.into());
        assert_eq!(forger.signs_in(AMINA, w.amina().account.password).await.status, 429, "{forged}");
    }
}

/// A new password ends the cookie: who only knew the old one is a stranger again.
// gaps: The two APIs > Known browsers
#[tokio::test]
async fn a_new_password_makes_every_browser_a_strangers_again() {
    let w = World::new().await;
    let mut browser = known(&w, AMINA, w.amina().account.password).await;
    let hash = passwords::hash(&Secret::new("lantern-otter-quilt-90".into())).unwrap();
    let change = move |user: &mut User| user.password_hash = hash;
    store::people::change(&w.app.store, AMINA.into(), change, w.now()).await.unwrap().unwrap();
    strangers_lock(&w, AMINA).await;
    assert_eq!(browser.signs_in(AMINA, "lantern-otter-quilt-90").await.status, 429);
}

/// The cookie lasts for 400 days from the last sign-in, and not for ever.
// gaps: The two APIs > Known browsers
#[tokio::test]
async fn a_browser_is_not_known_for_ever() {
    let w = World::new().await;
    let password = w.amina().account.password;
    let mut browser = known(&w, AMINA, password).await;
    w.after(BROWSER_SECONDS - DAY);
    strangers_lock(&w, AMINA).await;
    let mut stale = browser.clone();
    signs_in_and_out(&mut browser, AMINA, password).await;
    w.after(2 * DAY);
    strangers_lock(&w, AMINA).await;
    assert_eq!(stale.signs_in(AMINA, password).await.status, 429);
    assert_eq!(browser.signs_in(AMINA, password).await.status, 303);
}

/// Several people may share a browser; the cookie stays small, and forgets who came longest ago.
// gaps: The two APIs > Known browsers
#[tokio::test]
async fn one_browser_is_known_by_several_people_up_to_a_bound() {
    let w = World::new().await;
    let mut browser = Browser::new(&w);
    let people = [w.amina(), w.ben(), w.dr_okafor(), w.dr_silva(), w.grace(), w.henry(), w.admin()];
    for person in people {
        signs_in_and_out(&mut browser, person.account.username, person.account.password).await;
    }
    strangers_lock(&w, AMINA).await;
    signs_in_and_out(&mut browser, AMINA, w.amina().account.password).await;
    let cookie = browser.cookies[COOKIE].clone();
    assert_eq!(cookie.split('.').count(), people.len());
    let ben = known(&w, BEN, w.ben().account.password).await.cookies[COOKIE].clone();
    let crowded = vec![ben; 2 * ACCOUNTS_PER_BROWSER].join(".") + "." + &cookie;
    browser.cookies.insert(COOKIE.into(), crowded);
    assert_eq!(
        browser.signs_in(AMINA, w.amina().account.password).await.status,
        429,
        "beyond the bound nothing is read"
    );
    signs_in_and_out(&mut browser, BEN, w.ben().account.password).await;
    assert!(browser.cookies[COOKIE].split('.').count() <= ACCOUNTS_PER_BROWSER);
}
