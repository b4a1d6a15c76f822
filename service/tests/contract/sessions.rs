//! Sessions and tokens: the contract's transition table, and what was decided about it, through the routes.

use crate::kit::{DAY, HOUR, MINUTE, RIVERSIDE, World};
use service::app::key_ring;
use service::secrets::keys::{KeyTrouble, Keys};
use std::os::unix::fs::PermissionsExt;

/// A refresh token that was used before revokes every token of its session.
// contract: States and transitions > Refresh token | Token request with grant_type=refresh_token | Token was used before
// contract: Authentication > Refresh tokens are single-use
// contract: Limits > Refresh token uses | 1
#[tokio::test]
async fn a_used_refresh_token_revokes_every_token_of_its_session() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let second = app.refresh(&first).await.granted();
    app.refresh(&first).await.refused("invalid_grant");
    w.calls_fhir_with(&first.access).await.says(401, "API_SESSION_INVALID");
    w.calls_fhir_with(&second.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&second).await.refused("invalid_grant");
}

/// The whole session ends; other sessions of the user, with the same client or another, are untouched.
// gaps: Sessions and tokens > What a used refresh token ends
#[tokio::test]
async fn a_replay_leaves_the_users_other_sessions_alone() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let (_, same_app) = w.amina().approves("Sleep Diary").await;
    let (evergreen, other_app) = w.amina().approves("Evergreen").await;
    app.refresh(&first).await.granted();
    app.refresh(&first).await.refused("invalid_grant");
    w.calls_fhir_with(&first.access).await.refused();
    w.calls_fhir_with(&same_app.access).await.opened();
    app.refresh(&same_app).await.granted();
    w.calls_fhir_with(&other_app.access).await.opened();
    evergreen.refresh(&other_app).await.granted();
}

/// A forged or damaged token changes nothing: nobody can log a patient out by guessing.
// gaps: Sessions and tokens > What a used refresh token ends
#[tokio::test]
async fn a_damaged_refresh_token_changes_nothing() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let second = app.refresh(&first).await.granted();
    for at in [5, 12, 20, 40, first.refresh().len() - 1] {
        let mut damaged = first.refresh().to_owned().into_bytes();
        damaged[at] = if damaged[at] == b'A' { b'B' } else { b'A' };
        let damaged = String::from_utf8(damaged).unwrap();
        app.asks_for_tokens(&app.refreshment(&damaged)).await.refused("invalid_grant");
    }
    w.calls_fhir_with(&second.access).await.opened();
    app.refresh(&second).await.granted();
}

/// Code: issued, used, expired. Access token: valid, expired, revoked. Refresh token: unused, used. Session: active, over.
// contract: States and transitions > States: authorization code
#[tokio::test]
async fn each_state_of_each_subject_can_be_met() {
    let w = World::new().await;
    let (app, issued) = w.amina().gives_code("Sleep Diary").await;
    let (_, expired) = w.amina().gives_code("Sleep Diary").await;
    let valid = app.redeem(&issued).await.granted();
    w.calls_fhir_with(&valid.access).await.opened();
    w.after(10 * MINUTE);
    app.redeem(&expired).await.refused("invalid_grant");
    w.calls_fhir_with(&valid.access).await.says(401, "ACC_TOKEN_EXPIRED");
    let unused = app.refresh(&valid).await.granted();
    app.refresh(&valid).await.refused("invalid_grant");
    w.calls_fhir_with(&unused.access).await.says(401, "API_SESSION_INVALID");
    let (_, active) = w.amina().approves("Sleep Diary").await;
    w.after(90 * DAY);
    w.calls_fhir_with(&active.access).await.says(401, "API_SESSION_EXPIRED");
}

/// The token duration elapses: 10 minutes for User and Tethered-Token System Clients, 1 hour for System Clients.
// contract: States and transitions > Access token | Token duration elapses
// contract: Limits > Access token lifetime, User Client and Tethered-Token System Client | 10 minutes
// contract: Limits > Access token lifetime, System Client | 1 hour
// gaps: Sessions and tokens > The instant of expiry
#[tokio::test]
async fn an_access_token_is_over_at_the_very_limit_and_not_before() {
    let w = World::new().await;
    let (_, user) = w.amina().approves("Sleep Diary").await;
    let shown = w.grace().signs_in().await.grants("old-bridge").await;
    let bridge = w.client("Old Bridge");
    let tethered = bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted();
    let system = w.client("Lab Link").client_credentials().await.granted();
    w.after(10 * MINUTE - 1);
    w.calls_fhir_with(&user.access).await.opened();
    w.calls_fhir_with(&tethered.access).await.opened();
    w.after(1);
    w.calls_fhir_with(&user.access).await.says(401, "ACC_TOKEN_EXPIRED");
    w.calls_fhir_with(&tethered.access).await.says(401, "ACC_TOKEN_EXPIRED");
    w.after(50 * MINUTE - 1);
    w.calls_fhir_for(RIVERSIDE, &system.access).await.opened();
    w.after(1);
    w.calls_fhir_for(RIVERSIDE, &system.access).await.refused();
}

/// Session duration counts from the grant, regardless of refreshes; afterwards the user must grant access again.
// contract: States and transitions > Session | Session duration elapses
// contract: Limits > Session lifetime | Configured per integration
#[tokio::test]
async fn a_session_ends_when_it_was_to_end_however_often_it_was_refreshed() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    w.after(9 * MINUTE);
    let mut tokens = app.redeem(&code).await.granted();
    for _ in 0..8 {
        w.after(11 * DAY);
        tokens = app.refresh(&tokens).await.granted();
    }
    w.after(2 * DAY - 9 * MINUTE - 1);
    let last = app.refresh(&tokens).await.granted();
    assert_eq!(last.expires_in, 1, "counted from the grant, not from the redemption or a refresh");
    w.after(1);
    w.calls_fhir_with(&last.access).await.says(401, "API_SESSION_EXPIRED");
    app.refresh(&tokens).await.refused("invalid_grant");
    let (_, anew) = w.amina().approves("Sleep Diary").await;
    w.calls_fhir_with(&anew.access).await.opened();
}

/// A Client ID configured for non-expiring sessions: its sessions never expire.
// contract: States and transitions > Session | Configuration | Client ID configured for non-expiring sessions
#[tokio::test]
async fn a_session_of_a_never_expiring_client_is_good_after_thirty_years() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Evergreen").await;
    w.after(30 * 365 * DAY);
    let second = app.refresh(&first).await.granted();
    w.calls_fhir_with(&second.access).await.opened();
}

/// Token and session both over: the session's answer wins.
// gaps: Sessions and tokens > Token and session both over
#[tokio::test]
async fn when_token_and_session_are_both_over_the_session_answers() {
    let w = World::new().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    w.after(10 * MINUTE);
    w.calls_fhir_with(&tokens.access).await.says(401, "ACC_TOKEN_EXPIRED");
    w.after(90 * DAY);
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_EXPIRED");
    w.calls_rest_with(&tokens.access).await.says_in_rest(401, "session has expired;");
    let (_, later) = w.amina().approves("Sleep Diary").await;
    let renewed = app.refresh(&later).await.granted();
    app.refresh(&later).await.refused("invalid_grant");
    w.after(HOUR);
    w.calls_fhir_with(&renewed.access).await.says(401, "API_SESSION_INVALID");
}

/// Revoked by reuse, patient, coordinator or operator: `API_SESSION_INVALID`, custom REST 401.
// gaps: Sessions and tokens > Session revoked (reuse, patient, coordinator, operator, client)
#[tokio::test]
async fn whoever_revokes_a_session_its_tokens_say_so_at_once() {
    let w = World::new().await;
    let (app, by_reuse) = w.amina().approves("Sleep Diary").await;
    app.refresh(&by_reuse).await.granted();
    app.refresh(&by_reuse).await.refused("invalid_grant");
    let (_, by_patient) = w.amina().approves("Sleep Diary").await;
    w.calls_fhir_with(&by_patient.access).await.opened();
    assert_eq!(w.amina().signs_in().await.revokes("/connected-apps").await.status, 303);
    let mut grace = w.grace().signs_in().await;
    let shown = grace.grants("old-bridge").await;
    let bridge = w.client("Old Bridge");
    let by_coordinator = bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted();
    w.calls_fhir_with(&by_coordinator.access).await.opened();
    assert_eq!(grace.revokes("/coordinator/api-access").await.status, 303);
    let (_, by_operator) = w.ben().approves("Sleep Diary").await;
    for grant in store::grants::list(&w.app.store, &store::grants::Whose::Anyone, w.now()).await.unwrap() {
        let anyone = store::grants::Whose::Anyone;
        let why = rules::lifecycle::Revoked::ByOperator;
        store::grants::revoke(&w.app.store, grant.id, anyone, why, w.now()).await.unwrap();
    }
    for tokens in [by_reuse, by_patient, by_coordinator, by_operator] {
        w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
        w.calls_rest_with(&tokens.access).await.says_in_rest(401, "session has been revoked;");
    }
}

/// A lost answer: strict by default; within a client's retry window the previous token returns the byte-same successor.
// gaps: Sessions and tokens > Refresh after lost answer
#[tokio::test]
async fn within_its_retry_window_a_client_gets_the_same_tokens_once_more() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Spotty Signal").await;
    let second = app.refresh(&first).await.granted();
    w.after(29);
    let again = app.refresh(&first).await.granted();
    assert_eq!((&again.access, &again.refresh), (&second.access, &second.refresh));
    assert_eq!(again.expires_in, 600 - 29, "the same token, which is older now");
    let third = app.refresh(&again).await.granted();
    app.refresh(&first).await.refused("invalid_grant");
    w.calls_fhir_with(&third.access).await.says(401, "API_SESSION_INVALID");
}

/// The window closes at its limit, and a successor that was used closes it before.
// gaps: Sessions and tokens > Refresh after lost answer
#[tokio::test]
async fn after_the_retry_window_the_previous_token_is_a_replay() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Spotty Signal").await;
    let second = app.refresh(&first).await.granted();
    w.after(30);
    app.refresh(&first).await.refused("invalid_grant");
    w.calls_fhir_with(&second.access).await.says(401, "API_SESSION_INVALID");
}

/// The key ring: made on first start with mode 0600; refused when others can read it or it is gone while sessions exist.
// gaps: Sessions and tokens > Sealing keys
#[tokio::test]
async fn the_key_ring_is_private_and_never_made_anew_beside_sessions() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("keys");
    assert!(matches!(Keys::open(&path, true, None), Err(KeyTrouble::Missing(_))));
    Keys::open(&path, false, None).unwrap();
    assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
    let refused = Keys::open(&path, true, None).unwrap_err();
    assert!(matches!(refused, KeyTrouble::ReadableByOthers(_, 0o640)), "{refused}");
}

/// Tokens outlive a rotation of the sealing keys, and end when their key is retired.
#[tokio::test]
async fn tokens_of_an_older_key_work_until_that_key_is_retired() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let old = w.app.keys.ids();
    key_ring::rotate(&w.app.store, &w.app.keys, w.now()).await.unwrap();
    w.calls_fhir_with(&first.access).await.opened();
    let second = app.refresh(&first).await.granted();
    key_ring::retire(&w.app.store, &w.app.keys, &old[0], w.now()).await.unwrap();
    w.calls_fhir_with(&first.access).await.says(401, "BAD_AUTHENTICATION");
    w.calls_fhir_with(&second.access).await.opened();
}

/// Nodes and machines disagree about the time; what was granted is shown all the same.
#[tokio::test]
async fn a_grant_made_by_a_clock_ahead_of_ours_is_listed() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    let amina = store::people::find(&w.app.store, w.amina().account.username).await.unwrap().unwrap();
    let behind = w.now().plus_seconds(-3600);
    for whose in [store::grants::Whose::Anyone, store::grants::Whose::User(amina.id)] {
        let listed = store::grants::list(&w.app.store, &whose, behind).await.unwrap();
        assert_eq!(listed.len(), 1, "{whose:?}");
        assert!(listed[0].granted_at > behind);
    }
}
