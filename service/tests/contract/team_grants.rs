//! A Team Coordinator's grant: the check before it, what becomes of the access that a partner has already, and the history.

use crate::kit::{DAY, RIVERSIDE_TEAM, World, fields, form_request, with};
use axum::http::Method;

const PATH: &str = "/coordinator/api-access";
const CHECK: &str = "/coordinator/api-access/check?client_id=old-bridge";

/// The check says who the partner is, what it may do and for how long; looking grants nothing.
// gaps: Pages > A team's grant
#[tokio::test]
async fn a_grant_is_checked_before_it_is_made() {
    let w = World::new().await;
    let mut grace = w.grace().signs_in().await;
    let page = grace.sees(CHECK).await.html;
    for told in
        ["Old Bridge", "old-bridge", "Riverside Diabetes Team", "Check whether patients have opened", "Access lasts"]
    {
        assert!(page.contains(told), "{told} in {page}");
    }
    assert!(!page.contains("type=\"radio\""), "it has no access yet");
    assert!(grace.sees(PATH).await.html.contains("No partner has access"), "looking grants nothing");
    let form = grace.sees(CHECK).await.form(PATH);
    grace.post(PATH, &fields([("form", &form.sealed), ("client_id", "old-bridge")])).await.error_page(400);
    assert!(grace.sees(PATH).await.html.contains("No partner has access"), "nor does a form without its check");
}

/// A partner that has access already: it must be said whether that ends, and what is said is done.
// gaps: Pages > A team's grant
#[tokio::test]
async fn what_a_partner_has_already_is_replaced_or_kept_as_the_coordinator_says() {
    let w = World::new().await;
    let mut grace = w.grace().signs_in().await;
    let bridge = w.client("Old Bridge");
    let first = bridge.asks_for_tokens(&bridge.refreshment(&grace.grants("old-bridge").await)).await.granted();
    assert!(grace.sees(CHECK).await.html.contains("has access to Riverside Diabetes Team already"));
    let checked = grace.checked_grant("old-bridge").await;
    for undecided in [checked.clone(), with(&checked, "existing", "perhaps")] {
        let reply = grace.post(PATH, &undecided).await;
        assert!(reply.status == 400 && reply.text().contains("role=\"alert\""), "{}", reply.text());
    }
    grace.post(PATH, &with(&checked, "existing", "keep")).await.redirect();
    w.calls_fhir_with(&first.access).await.opened();
    let checked = grace.checked_grant("old-bridge").await;
    grace.post(PATH, &with(&checked, "existing", "replace")).await.redirect();
    w.calls_fhir_with(&first.access).await.says(401, "API_SESSION_INVALID");
    assert_eq!(grace.sees(PATH).await.html.matches("/revoke/").count(), 1, "one in the place of two");
}

/// A page that asks grants once: pressed twice, or twenty times at once, there is one grant.
// gaps: Pages > A team's grant
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn one_check_grants_once_however_often_it_is_sent() {
    let w = World::new().await;
    let mut grace = w.grace().signs_in().await;
    let checked = with(&grace.checked_grant("old-bridge").await, "existing", "keep");
    let shots = (0..20).map(|_| grace.request(Method::POST, PATH, &checked)).collect();
    let replies = w.shoots(shots).await;
    assert_eq!(replies.iter().filter(|reply| reply.status == 303).count(), 1);
    assert!(replies.iter().all(|reply| [303, 400].contains(&reply.status)));
    grace.post(PATH, &checked).await.error_page(400);
    assert_eq!(grace.sees(PATH).await.html.matches("/revoke/").count(), 1);
}

/// Replacing from two pages at once never leaves the partner without access, nor with what was there before.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_replacements_at_once_end_what_was_there_before() {
    let w = World::new().await;
    let mut grace = w.grace().signs_in().await;
    let bridge = w.client("Old Bridge");
    let before = bridge.asks_for_tokens(&bridge.refreshment(&grace.grants("old-bridge").await)).await.granted();
    let mut shots = Vec::new();
    for _ in 0..4 {
        let checked = with(&grace.checked_grant("old-bridge").await, "existing", "replace");
        shots.push(grace.request(Method::POST, PATH, &checked));
    }
    assert!(w.shoots(shots).await.iter().all(|reply| reply.status == 303));
    w.calls_fhir_with(&before.access).await.says(401, "API_SESSION_INVALID");
    assert!(grace.sees(PATH).await.html.contains("/revoke/"));
}

/// The history tells who granted, who ended and why, newest first, to the coordinators of the team and nobody else.
// gaps: Pages > History of a team's grants
#[tokio::test]
async fn the_history_says_who_granted_and_who_or_what_ended_it() {
    let w = World::new().await;
    let mut grace = w.grace().signs_in().await;
    grace.grants("old-bridge").await;
    w.henry().is_of(&[RIVERSIDE_TEAM]).await;
    let mut henry = w.henry().signs_in().await;
    henry.revokes(PATH).await.redirect();
    w.after(1);
    let bridge = w.client("Old Bridge");
    let shown = grace.grants("old-bridge").await;
    bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted();
    w.send(form_request("/apiToken.action", &bridge.refreshment(&shown))).await;
    w.after(1);
    grace.grants("old-bridge").await;
    let history = grace.sees("/coordinator/api-access/history").await.html;
    let at = |words: &str| history.find(words).unwrap_or_else(|| panic!("no {words} in {history}"));
    let (live, replayed, taken) = (at("It goes on"), at("it may have been copied"), at("It was Henry Osei."));
    assert!(live < replayed && replayed < taken, "newest first: {history}");
    assert_eq!(history.matches("by Grace Lindqvist").count(), 3, "{history}");
    w.henry().is_of(&[]).await;
    assert!(henry.sees("/coordinator/api-access/history").await.html.contains("Nothing was granted yet"));
    w.after(400 * DAY);
    let swept = store::sweep::sweep(&w.app.store, w.now()).await.unwrap();
    assert!(swept.sessions >= 2, "{swept:?}");
    let later = w.grace().signs_in().await.sees("/coordinator/api-access/history").await.html;
    assert!(!later.contains("It was Henry Osei."), "kept for 90 days");
}
