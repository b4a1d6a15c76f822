//! Connected apps: grouped by app, a check before one is disconnected, and those that ended, with the reason.

use crate::kit::{DAY, World, fields};
use rules::guidance::endings;
use rules::limits::LIST_LINES;
use rules::revocation::Revoked;

/// One app, connected on two devices, is one group; each connection ends by itself.
// gaps: Pages > Connected apps
#[tokio::test]
async fn the_connections_of_one_app_are_shown_together_and_end_one_by_one() {
    let w = World::new().await;
    let (_, first) = w.amina().approves("Sleep Diary").await;
    w.amina().approves("Evergreen").await;
    let (_, second) = w.amina().approves("Sleep Diary").await;
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees("/connected-apps").await.html;
    assert_eq!(page.matches(">Sleep Diary <span").count(), 1, "{page}");
    assert!(page.contains("You have connected this app 2 times") && page.contains(">Evergreen <span"), "{page}");
    let newest = page.split("href=\"").find(|rest| rest.starts_with("/connected-apps/revoke/")).unwrap();
    let check = amina.sees(newest.split('"').next().unwrap()).await;
    for told in [
        "Disconnect Sleep Diary?",
        "loses access at once",
        "can no longer read your record, add to it",
        "The other connection goes",
    ] {
        assert!(check.html.contains(told), "{told} in {}", check.html);
    }
    w.calls_fhir_with(&second.access).await.opened();
    let form = check.form("/revoke/");
    amina.post(&form.action, &fields([("form", &form.sealed)])).await.redirect();
    w.calls_fhir_with(&second.access).await.says(401, "API_SESSION_INVALID");
    w.calls_fhir_with(&first.access).await.opened();
    amina.get(&form.action).await.error_page(404);
}

/// Ended ones are told with the reason: by replay, by oneself, by the app, by the operator, by time.
// gaps: Pages > Connected apps
#[tokio::test]
async fn what_is_no_longer_connected_is_told_with_its_reason() {
    let w = World::new().await;
    let (app, replayed) = w.amina().approves("Sleep Diary").await;
    app.refresh(&replayed).await.granted();
    app.refresh(&replayed).await.refused("invalid_grant");
    w.amina().approves("Sleep Diary").await;
    w.amina().signs_in().await.revokes("/connected-apps").await.redirect();
    w.amina().approves("Sleep Diary").await;
    w.after(90 * DAY - 1);
    let mut amina = w.amina().signs_in().await;
    let page = amina.sees("/connected-apps").await.html;
    let replay = endings::sentence(Revoked::RefreshTokenReplayed);
    assert!(page.contains(replay) && page.contains("You took the access back.") && page.contains("Disconnect"));
    assert!(!page.contains(endings::TIME_WAS_UP), "{page}");
    w.after(1);
    let page = amina.sees("/connected-apps").await.html;
    assert!(page.contains(endings::TIME_WAS_UP) && page.contains("No apps are connected"), "{page}");
    assert!(!w.ben().signs_in().await.sees("/connected-apps").await.html.contains("No longer connected"));
}

/// The ended ones have pages; none is left out and none is told twice.
#[tokio::test]
async fn the_ended_ones_have_pages() {
    let w = World::new().await;
    for _ in 0..LIST_LINES + 3 {
        w.amina().approves("Evergreen").await;
    }
    for grant in store::grants::list(&w.app.store, &store::grants::Whose::Anyone, w.now()).await.unwrap() {
        let anyone = store::grants::Whose::Anyone;
        store::grants::revoke(&w.app.store, grant.id, anyone, Revoked::ByOperator, w.now()).await.unwrap();
    }
    let mut amina = w.amina().signs_in().await;
    let first = amina.sees("/connected-apps").await;
    let second = amina.sees(&first.link("?ended_before=").expect("an older page")).await;
    let told = |html: &str| html.matches("The operator of this service ended the access.").count();
    assert_eq!((told(&first.html), told(&second.html)), (LIST_LINES, 3));
    assert_eq!(second.link("?ended_before="), None);
}
