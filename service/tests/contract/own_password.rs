//! The page on which a signed-in person changes their password.

use crate::kit::World;
use crate::kit::browser::Browser;
use crate::kit::fields;
use crate::kit::reply::Reply;
use rules::limits::FAILURES_PER_ACCOUNT;

const NEW: &str = "lantern-otter-quilt-90";

/// Fills the page in and sends it.
async fn changes(browser: &mut Browser<'_>, now: &str, new: &str, repeated: &str, end_access: bool) -> Reply {
    let form = browser.sees("/password").await.form("/password");
    let mut filled = fields([("form", &form.sealed), ("password", now), ("new_password", new), ("repeated", repeated)]);
    if end_access {
        filled.extend(fields([("end_access", "yes")]));
    }
    browser.post("/password", &filled).await
}

/// A new password ends every sign-in but the one that changed it, and the access of apps only where the person says so.
// gaps: Sessions and tokens > A new password
#[tokio::test]
async fn changing_ones_password_signs_all_other_browsers_out() {
    for end_access in [false, true] {
        let w = World::new().await;
        let (amina, old) = (w.amina(), w.amina().account.password);
        let caller = amina.caller().await;
        let (mut here, mut there) = (amina.signs_in().await, amina.signs_in().await);
        let stolen = here.clone();
        let reply = changes(&mut here, old, NEW, NEW, end_access).await;
        assert_eq!(reply.status, 200, "{}", reply.text());
        assert!(reply.text().contains("Your password is changed"), "{}", reply.text());
        let apps = if end_access { "One app has lost its access." } else { "keep their access" };
        assert!(reply.text().contains(apps), "{}", reply.text());
        here.sees("/connected-apps").await;
        for mut other in [stolen, there.clone()] {
            assert_eq!(other.get("/connected-apps").await.redirect().to, "/sign-in");
        }
        assert_eq!(there.signs_in(amina.account.username, old).await.status, 401);
        assert_eq!(there.signs_in(amina.account.username, NEW).await.status, 303);
        if end_access {
            caller.get("/fhir/Patient/amina").await.says(401, "API_SESSION_INVALID");
        } else {
            caller.get("/fhir/Patient/amina").await.opened();
        }
    }
}

/// The browser that changed the password is known by the new one.
// gaps: The two APIs > Known browsers
#[tokio::test]
async fn the_browser_that_changed_the_password_stays_known() {
    let w = World::new().await;
    let username = w.amina().account.username;
    let mut browser = w.amina().signs_in().await;
    assert_eq!(changes(&mut browser, w.amina().account.password, NEW, NEW, false).await.status, 200);
    for _ in 0..=FAILURES_PER_ACCOUNT {
        Browser::new(&w).signs_in(username, "not-the-password").await;
    }
    assert_eq!(Browser::new(&w).signs_in(username, NEW).await.status, 429);
    browser.cookies.remove("recordgate");
    assert_eq!(browser.signs_in(username, NEW).await.status, 303);
}

/// The rule of passwords holds on the page too; a mistyped or refused one changes nothing and costs no try.
// gaps: Authorization endpoint > Passwords
#[tokio::test]
async fn a_password_that_may_not_be_chosen_is_refused_on_the_page() {
    let w = World::new().await;
    let (username, old) = (w.amina().account.username, w.amina().account.password);
    let mut browser = w.amina().signs_in().await;
    for _ in 0..FAILURES_PER_ACCOUNT {
        for (new, repeated, words) in [
            ("short", "short", "at least 10 characters"),
            (username, username, "must not be the username"),
            ("Qwertyuiop", "Qwertyuiop", "ten thousand commonest"),
            (NEW, "lantern-otter-quilt-91", "the same way twice"),
        ] {
            let reply = changes(&mut browser, "not-the-password", new, repeated, false).await;
            assert_eq!(reply.status, 400);
            assert!(reply.text().contains(words), "{}", reply.text());
            assert!(!reply.text().contains(NEW), "what was typed is not sent back");
        }
    }
    assert_eq!(changes(&mut browser, old, NEW, NEW, false).await.status, 200);
}

/// Who found a browser signed in cannot guess the password there without end.
// gaps: The two APIs > Throttling
#[tokio::test]
async fn the_present_password_is_asked_for_and_guessing_it_is_throttled() {
    let w = World::new().await;
    let mut browser = w.amina().signs_in().await;
    for _ in 0..FAILURES_PER_ACCOUNT {
        let reply = changes(&mut browser, "not-the-password", NEW, NEW, true).await;
        assert_eq!(reply.status, 400);
        assert!(reply.text().contains("That is not your password."), "{}", reply.text());
    }
    let reply = changes(&mut browser, w.amina().account.password, NEW, NEW, true).await;
    reply.error_page(429);
    w.amina().signs_in().await;
}

/// The form is the person's own, and of this page.
#[tokio::test]
async fn a_forged_form_changes_no_password() {
    let w = World::new().await;
    let mut browser = w.amina().signs_in().await;
    let of_ben = w.ben().signs_in().await.sees("/password").await.form("/password").sealed;
    let of_another_page = browser.sees("/connected-apps").await.form("/sign-out").sealed;
    for sealed in ["", "rgf_0_x", &of_ben, &of_another_page] {
        let old = w.amina().account.password;
        let filled = [("form", sealed), ("password", old), ("new_password", NEW), ("repeated", NEW)];
        browser.post("/password", &fields(filled)).await.error_page(400);
    }
    w.amina().signs_in().await;
}

/// Everybody finds the page from home.
#[tokio::test]
async fn everybody_finds_the_page_from_home() {
    let w = World::new().await;
    for person in [w.amina(), w.dr_okafor(), w.grace(), w.admin()] {
        let mut browser = person.signs_in().await;
        assert!(browser.sees("/").await.html.contains("href=\"/password\""), "{}", person.account.username);
        browser.sees("/password").await;
    }
}
