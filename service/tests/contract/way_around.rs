//! The way around: navigation on every page, a home for everybody, a way back from errors, and words for who is signed out.

use crate::kit::browser::Browser;
use crate::kit::{HOUR, MINUTE, World, fields};

/// Every page leads home and to the pages of its reader, and says on which of them one is.
// gaps: Pages > The way around
#[tokio::test]
async fn every_page_leads_home_and_to_the_pages_of_its_reader() {
    let w = World::new().await;
    let people = [
        (w.amina(), vec!["/record", "/sharing", "/access-log", "/notices", "/connected-apps", "/account"]),
        (w.dr_okafor(), vec!["/looks", "/notices", "/connected-apps", "/account"]),
        (
            w.grace(),
            vec!["/coordinator/api-access", "/coordinator/accounts", "/notices", "/connected-apps", "/account"],
        ),
        (w.officer(), vec!["/officer", "/notices", "/account"]),
        (w.admin(), vec!["/admin", "/notices", "/account"]),
    ];
    for (person, own) in people {
        let mut browser = person.signs_in().await;
        for here in own.iter().copied().chain(["/"]) {
            let page = browser.sees(here).await;
            assert!(page.html.contains("<a class=\"mark\" href=\"/\">"), "{here}");
            for there in own.iter().chain([&"/"]) {
                let current = if *there == here { " aria-current=\"page\"" } else { "" };
                assert!(page.html.contains(&format!("<li><a href=\"{there}\"{current}>")), "{there} on {here}");
            }
        }
    }
}

#[tokio::test]
async fn home_tells_everybody_what_they_can_do_what_is_connected_and_what_happened_last() {
    let w = World::new().await;
    w.after(60);
    w.amina().approves("Sleep Diary").await;
    w.dr_okafor().caller().await.get("/fhir/Patient/amina").await.opened();
    w.grace().signs_in().await.grants("old-bridge").await;
    let shown = async |person: crate::kit::browser::Browser<'_>| person.clone().sees("/").await.html;
    let amina = shown(w.amina().signs_in().await).await;
    for told in ["Hello, Amina Rahman", "Sleep Diary by", "Opened your personal details", "Dr Okafor", "/access-log"] {
        assert!(amina.contains(told), "{told} in {amina}");
    }
    let okafor = shown(w.dr_okafor().signs_in().await).await;
    assert!(okafor.contains("Ward Round by") && !okafor.contains("What happened last"), "{okafor}");
    let grace = shown(w.grace().signs_in().await).await;
    assert!(grace.contains("Old Bridge by") && grace.contains("for Riverside Diabetes Team"), "{grace}");
    assert!(shown(w.admin().signs_in().await).await.contains("You look after the service"));
    let stranger = shown(Browser::new(&w)).await;
    assert!(stranger.contains("href=\"/sign-in\"") && stranger.contains("href=\"/docs\""), "{stranger}");
    assert!(!stranger.contains("Sign out"), "{stranger}");
}

/// What is wrong is told with a way back, and to somebody who is signed in within their own pages.
// gaps: Pages > The way around
#[tokio::test]
async fn an_error_page_has_a_way_back() {
    let w = World::new().await;
    let mut amina = w.amina().signs_in().await;
    for reply in [
        w.get("/no-such-page").await,
        w.get("/apiAuthorize.action").await,
        amina.get("/coordinator/api-access").await,
        amina.get("/connected-apps/revoke/7").await,
    ] {
        let text = reply.text();
        assert!((400..500).contains(&reply.status) && text.contains("<a href=\"/\">Go to the home page</a>"), "{text}");
    }
    assert!(amina.get("/connected-apps/revoke/7").await.text().contains("Signed in as"));
}

/// Who signed out, whose time was up and who was signed out from elsewhere each hear so; who never was signed in hears nothing.
// gaps: Pages > Signed out
#[tokio::test]
async fn the_sign_in_page_says_why_somebody_is_signed_out() {
    let w = World::new().await;
    let told = async |browser: &mut Browser<'_>| {
        let reply = browser.get("/connected-apps").await;
        let location = reply.header("location").unwrap().to_owned();
        w.get(&location).await.text()
    };
    assert!(!told(&mut Browser::new(&w)).await.contains("role=\"status\""), "a stranger");
    let mut idle = w.amina().signs_in().await;
    w.after(30 * MINUTE);
    assert!(told(&mut idle).await.contains("because you had been away"));
    w.after(24 * HOUR);
    assert!(told(&mut idle).await.contains("because you had been away"), "the day after, too");
    let (mut here, mut there) = (w.amina().signs_in().await, w.amina().signs_in().await);
    let form = here.sees("/sign-ins").await.form("/sign-ins/end-others");
    here.post(&form.action, &fields([("form", &form.sealed)])).await.redirect();
    assert!(told(&mut there).await.contains("from another browser"));
    let form = here.sees("/").await.form("/sign-out");
    let reply = here.post("/sign-out", &fields([("form", &form.sealed)])).await;
    assert!(w.get(reply.header("location").unwrap()).await.text().contains("You are signed out."));
    assert!(!w.get("/sign-in?why=%3Cscript%3E").await.text().contains("role=\"status\""), "words of a stranger's");
}
