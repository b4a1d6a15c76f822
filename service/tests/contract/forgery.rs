//! Forms that are not ours: sent from another site, made for another person, or for another purpose.

use crate::kit::browser::Browser;
use crate::kit::{World, fields, form_request};

/// A browser that another website has talked into posting one of our forms.
fn lured<'w>(browser: &Browser<'w>, fetch_site: Option<&'static str>, origin: Option<&'static str>) -> Browser<'w> {
    Browser { fetch_site, origin, ..browser.clone() }
}

const FOREIGN: [(Option<&str>, Option<&str>); 4] = [
    (Some("cross-site"), None),
    (Some("same-site"), Some("http://records.test")),
    (Some("cross-site"), Some("http://records.test")),
    (None, Some("https://evil.example")),
];

/// Every form of ours is refused when the browser says that another site sent it.
#[tokio::test]
async fn a_form_sent_from_another_site_is_refused_whatever_it_holds() {
    let w = World::new().await;
    let app = w.client("Sleep Diary");
    w.amina().approves("Sleep Diary").await;
    let (mut amina, mut grace) = (w.amina().signs_in().await, w.grace().signs_in().await);
    grace.grants("old-bridge").await;
    let apps = amina.sees("/connected-apps").await;
    let access = grace.sees("/coordinator/api-access").await;
    let check = grace.sees("/coordinator/api-access/check?client_id=old-bridge").await;
    let (mut elsewhere, browsers) = (w.amina().signs_in().await, amina.sees("/sign-ins").await);
    let sign_in = w.get("/sign-in").await.page().form("/sign-in");
    let page = app.sends_to_page(&app.asks()).await;
    let people = [
        (&amina, amina.clone().revocation("/connected-apps").await),
        (&amina, browsers.form("/sign-ins/end/")),
        (&amina, browsers.form("/sign-ins/end-others")),
        (&amina, apps.form("/sign-out")),
        (&grace, access.form("/revoke/")),
        (&grace, check.form("/coordinator/api-access")),
        (&amina, sign_in),
        (&amina, page.form("/apiAuthorize.action")),
    ];
    for (browser, form) in people {
        for (site, origin) in FOREIGN {
            let filled = fields([
                ("form", &form.sealed),
                ("check", &check.hidden("check")),
                ("decision", "approve"),
                ("username", "amina@example.org"),
                ("password", "river-otter-violin-42"),
            ]);
            lured(browser, site, origin).post(&form.action, &filled).await.error_page(403);
        }
    }
    assert!(amina.sees("/connected-apps").await.html.contains("Disconnect"), "nothing was revoked");
    elsewhere.sees("/connected-apps").await;
}

/// Our own pages, older browsers, and programs that are no browsers get through.
#[tokio::test]
async fn a_form_of_our_own_page_is_accepted_from_every_browser() {
    let w = World::new().await;
    for (site, origin) in [
        (Some("same-origin"), Some("http://records.test")),
        (Some("none"), None),
        (None, Some("http://records.test")),
        (None, Some("null")),
        (None, None),
    ] {
        let mut browser = lured(&Browser::new(&w), site, origin);
        let reply = browser.signs_in("amina@example.org", "river-otter-violin-42").await;
        assert_eq!(reply.status, 303, "{site:?} {origin:?}");
    }
}

/// A sealed form is one person's, for one purpose and one grant.
#[tokio::test]
async fn a_form_of_another_person_or_purpose_is_refused() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    w.ben().approves("Sleep Diary").await;
    let (mut amina, mut ben) = (w.amina().signs_in().await, w.ben().signs_in().await);
    let of_amina = amina.sees("/connected-apps").await;
    let revoke_amina = amina.revocation("/connected-apps").await;
    let revoke_ben = ben.revocation("/connected-apps").await;
    let sealed = |form: &str| fields([("form", form)]);
    ben.post(&revoke_amina.action, &sealed(&revoke_amina.sealed)).await.error_page(400);
    ben.post(&revoke_amina.action, &sealed(&revoke_ben.sealed)).await.error_page(400);
    amina.post(&revoke_amina.action, &sealed(&of_amina.form("/sign-out").sealed)).await.error_page(400);
    amina.post(&revoke_amina.action, &[]).await.error_page(400);
    amina.post("/connected-apps/revoke/0", &sealed(&revoke_amina.sealed)).await.error_page(400);
    let mut elsewhere = w.amina().signs_in().await;
    elsewhere.post(&revoke_amina.action, &sealed(&revoke_amina.sealed)).await.error_page(400);
    assert!(amina.sees("/connected-apps").await.html.contains("Disconnect"), "nothing was revoked");
    assert!(ben.sees("/connected-apps").await.html.contains("Disconnect"), "nothing was revoked");
    ben.get(&revoke_amina.action).await.error_page(404);
    amina.post(&revoke_amina.action, &sealed(&revoke_amina.sealed)).await.redirect();
}

/// A coordinator cannot revoke a grant of a team that is not theirs.
#[tokio::test]
async fn a_coordinator_of_another_team_cannot_revoke_a_grant() {
    let w = World::new().await;
    let (mut grace, mut henry) = (w.grace().signs_in().await, w.henry().signs_in().await);
    let shown = grace.grants("old-bridge").await;
    let form = grace.sees("/coordinator/api-access").await.form("/revoke/");
    henry.post(&form.action, &fields([("form", &form.sealed)])).await.error_page(400);
    let bridge = w.client("Old Bridge");
    bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted();
}

/// Cookies that are damaged, of another kind or somebody else's words sign nobody in.
#[tokio::test]
async fn a_forged_cookie_signs_nobody_in() {
    let w = World::new().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let good = w.amina().signs_in().await.cookies["recordgate"].clone();
    let damaged = format!("{}{}{}", &good[..30], if good.as_bytes()[30] == b'A' { 'B' } else { 'A' }, &good[31..]);
    for forged in [damaged.as_str(), "", "rgw_x_y", &tokens.access, tokens.refresh()] {
        let mut browser = Browser::new(&w);
        browser.cookies.insert("recordgate".into(), forged.into());
        assert_eq!(browser.get("/connected-apps").await.redirect().to, "/sign-in", "{}", forged.len());
    }
}

/// A password that is changed, or an account that is frozen, signs the person's browsers out.
#[tokio::test]
async fn a_frozen_accounts_browsers_are_signed_out() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    amina.sees("/connected-apps").await;
    w.amina().is_frozen().await;
    assert_eq!(amina.get("/connected-apps").await.redirect().to, "/sign-in");
}

/// Somebody's words on a page are words, never markup.
#[tokio::test]
async fn what_people_type_is_shown_as_text() {
    let w = World::new().await;
    let script = "<script>alert(1)</script>\"'";
    let reply = Browser::new(&w).signs_in(script, "not-the-password").await;
    assert!(!reply.text().contains("<script>"), "{}", reply.text());
    let reply = w.get("/sign-in?next=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").await;
    assert!(!reply.text().contains("<script>"), "{}", reply.text());
    let name = form_request("/apiAuthorize.action", &fields([(script, "1"), (script, "2")]));
    assert!(!w.send(name).await.error_page(400).contains("<script>"));
}
