//! Where a person is signed in, and signing out elsewhere.

use crate::kit::browser::Browser;
use crate::kit::{HOUR, MINUTE, World, fields};
use rules::limits::SIGN_INS_PER_USER;

const FIREFOX: &str = "Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:130.0) Gecko/20100101 Firefox/130.0";
const IPHONE: &str =
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1 Version/18.0 Safari/604.1";

async fn amina_in<'w>(w: &'w World, user_agent: &'static str) -> Browser<'w> {
    let mut browser = Browser::new(w);
    browser.user_agent = Some(user_agent);
    let account = w.amina().account;
    assert_eq!(browser.signs_in(account.username, account.password).await.status, 303);
    browser
}

async fn is_signed_in(browser: &mut Browser<'_>) -> bool {
    browser.get("/connected-apps").await.status == 200
}

/// The page names this browser and the others, coarsely, with when they signed in and were last used.
// gaps: Pages > Where one is signed in
#[tokio::test]
async fn a_person_sees_where_they_are_signed_in() {
    let w = World::new().await;
    let mut phone = amina_in(&w, IPHONE).await;
    w.after(10 * MINUTE);
    let mut here = amina_in(&w, FIREFOX).await;
    w.after(10 * MINUTE);
    phone.sees("/connected-apps").await;
    w.ben().signs_in().await;
    let page = here.sees("/sign-ins").await.html;
    let (own, others) = page.split_once("Other browsers").unwrap();
    assert!(own.contains("Firefox on Windows") && !own.contains("iPhone"), "{own}");
    for told in ["Safari on an iPhone", "15 November 2026, 09:30 UTC", "15 November 2026, 09:50 UTC"] {
        assert!(others.contains(told), "{told} in {others}");
    }
    assert_eq!(others.matches("/sign-ins/end/").count(), 1, "nobody else's");
    w.after(36 * MINUTE);
    let page = w.amina().signs_in().await.sees("/sign-ins").await.html;
    assert!(page.contains("You are signed in nowhere else."), "what nobody has used for long is over: {page}");
}

/// One browser, or all others; this one stays, and other people's too.
// gaps: Pages > Where one is signed in
#[tokio::test]
async fn a_person_signs_out_elsewhere() {
    let w = World::new().await;
    let (mut here, mut phone) = (amina_in(&w, FIREFOX).await, amina_in(&w, IPHONE).await);
    let form = here.sees("/sign-ins").await.form("/sign-ins/end/");
    let reply = here.post(&form.action, &fields([("form", &form.sealed)])).await;
    assert_eq!(reply.redirect().to, "/sign-ins");
    assert!(!is_signed_in(&mut phone).await && is_signed_in(&mut here).await);
    let (mut second, mut third, mut ben) =
        (amina_in(&w, IPHONE).await, amina_in(&w, IPHONE).await, w.ben().signs_in().await);
    let form = here.sees("/sign-ins").await.form("/sign-ins/end-others");
    here.post(&form.action, &fields([("form", &form.sealed)])).await.redirect();
    assert!(!is_signed_in(&mut second).await && !is_signed_in(&mut third).await);
    assert!(is_signed_in(&mut here).await && is_signed_in(&mut ben).await);
}

/// A form for somebody else's sign-in cannot be had, and one's own form is for the one sign-in that it names.
#[tokio::test]
async fn nobody_signs_somebody_else_out() {
    let w = World::new().await;
    let (mut here, mut phone, mut ben) =
        (amina_in(&w, FIREFOX).await, amina_in(&w, IPHONE).await, w.ben().signs_in().await);
    let form = here.sees("/sign-ins").await.form("/sign-ins/end/");
    ben.post(&form.action, &fields([("form", &form.sealed)])).await.error_page(400);
    let others = here.sees("/sign-ins").await.form("/sign-ins/end-others");
    here.post(&form.action, &fields([("form", &others.sealed)])).await.error_page(400);
    here.post("/sign-ins/end/0", &fields([("form", &form.sealed)])).await.error_page(400);
    assert!(is_signed_in(&mut phone).await);
}

/// What a browser says of itself is not kept, only what it is called in our words.
#[tokio::test]
async fn a_browser_that_lies_about_itself_is_called_by_our_words() {
    let w = World::new().await;
    amina_in(&w, "<script>alert(1)</script> Firefox/1 on the moon").await;
    let page = w.amina().signs_in().await.sees("/sign-ins").await.html;
    assert!(page.contains("<strong>Firefox</strong>") && !page.contains("moon"), "{page}");
}

/// With one browser too many, the oldest is signed out.
// gaps: Pages > Where one is signed in
#[tokio::test]
async fn a_user_is_signed_in_with_so_many_browsers_and_no_more() {
    let w = World::new().await;
    let mut first = amina_in(&w, FIREFOX).await;
    let mut second = amina_in(&w, FIREFOX).await;
    let user = store::people::find(&w.app.store, w.amina().account.username).await.unwrap().unwrap();
    for _ in 0..SIGN_INS_PER_USER - 1 {
        let salt = store::salt::Salt::new([7; 16]);
        store::sign_ins::open(
            &w.app.store,
            &user,
            salt,
            ("A browser".into(), store::sign_ins::Entrance::default()),
            w.now(),
        )
        .await
        .unwrap()
        .unwrap();
    }
    assert!(!is_signed_in(&mut first).await && is_signed_in(&mut second).await);
}

/// An operator's clock that jumps back neither breaks the page nor signs anybody in for longer.
#[tokio::test]
async fn a_clock_that_jumped_back_does_not_hide_a_sign_in() {
    let w = World::new().await;
    w.after(HOUR);
    amina_in(&w, IPHONE).await;
    w.after(-HOUR);
    let page = amina_in(&w, FIREFOX).await.sees("/sign-ins").await.html;
    assert!(page.contains("Safari on an iPhone"), "{page}");
}
