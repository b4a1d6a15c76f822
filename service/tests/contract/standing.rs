//! What a session stands on, asked at every call and at every refresh: its user's type, its client's registration, and that
//! its user is not shut out.

use crate::kit::{MINUTE, RIVERSIDE_TEAM, World, records};
use crate::smart_apps::{approves, smart_app};
use rules::scope::{Scope, UserType};
use serde_json::json;

/// Ward Round keeps the session of a clinician who is one no more: it is over, in both APIs and at the token endpoint.
// gaps: Records and reach > A user's type was changed; a scope, also one of SMART, was taken from the client
#[tokio::test]
async fn a_session_is_over_when_its_users_type_no_longer_covers_it() {
    for now_is in [UserType::Patient, UserType::TeamCoord, UserType::Admin] {
        let w = World::new().await;
        let (app, tokens) = w.dr_okafor().approves("Ward Round").await;
        w.calls_fhir_with(&tokens.access).await.opened();
        w.dr_okafor().becomes(now_is).await;
        w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
        w.calls_rest_with(&tokens.access).await.says_in_rest(401, "session has been revoked");
        app.refresh(&tokens).await.refused("invalid_grant");
    }
}

/// The session's answer wins over the token's: refreshing would not help.
#[tokio::test]
async fn a_session_that_is_no_longer_covered_says_so_when_its_token_has_expired_too() {
    let w = World::new().await;
    let (_, tokens) = w.dr_okafor().approves("Ward Round").await;
    w.dr_okafor().becomes(UserType::Patient).await;
    w.after(10 * MINUTE);
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
}

// gaps: Records and reach > A user's type was changed; a scope, also one of SMART, was taken from the client
#[tokio::test]
async fn a_session_is_over_when_its_scope_is_taken_from_the_client() {
    let w = World::new().await;
    let (app, tokens) = w.dr_okafor().approves("Ward Round").await;
    let (_, coordinators) = w.grace().approves("Ward Round").await;
    w.change("Ward Round", |client| client.scopes.retain(|scope| *scope != Scope::Clinician)).await;
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&tokens).await.refused("invalid_grant");
    w.calls_fhir_with(&coordinators.access).await.opened();
    app.refresh(&coordinators).await.granted();
}

/// A refresh token that was presented meanwhile stays ended; a scope given back does not wake its session.
// gaps: Records and reach > A user's type was changed; a scope, also one of SMART, was taken from the client
#[tokio::test]
async fn a_scope_that_is_given_back_does_not_wake_a_session_that_tried_to_refresh_without_it() {
    let w = World::new().await;
    let (app, tokens) = w.dr_okafor().approves("Ward Round").await;
    w.change("Ward Round", |client| client.scopes = vec![Scope::TeamCoord]).await;
    app.refresh(&tokens).await.refused("invalid_grant");
    w.change("Ward Round", |client| client.scopes = vec![Scope::Clinician, Scope::TeamCoord]).await;
    w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&tokens).await.refused("invalid_grant");
}

/// Pill Box keeps what two people granted it; of the one it may have no more tests, of the other it had none.
// gaps: Records and reach > A user's type was changed; a scope, also one of SMART, was taken from the client
#[tokio::test]
async fn a_session_is_over_when_a_scope_of_smart_is_taken_from_the_client() {
    let w = World::new().await;
    let app = smart_app(&w, "patient/Patient.rs patient/Observation.rs offline_access", &[UserType::Patient]).await;
    let wide = approves(w.amina(), &app, "patient/*.rs offline_access", &[]).await;
    let narrow = approves(w.ben(), &app, "patient/Patient.r offline_access", &[]).await;
    w.calls_fhir_with(&wide.access).await.opened();
    smart_app(&w, "patient/Patient.rs patient/Observation.r offline_access", &[UserType::Patient]).await;
    w.calls_fhir_with(&wide.access).await.says(401, "API_SESSION_INVALID");
    app.refresh(&wide).await.refused("invalid_grant");
    assert_eq!(app.refresh(&narrow).await.granted().scope, "patient/Patient.r offline_access");
    smart_app(&w, "patient/*.cruds offline_access", &[UserType::Patient]).await;
    app.refresh(&wide).await.refused("invalid_grant");
}

#[tokio::test]
async fn a_code_is_worth_nothing_when_its_users_type_was_changed_before_it_was_redeemed() {
    let w = World::new().await;
    let (app, code) = w.dr_okafor().gives_code("Ward Round").await;
    w.dr_okafor().becomes(UserType::Patient).await;
    app.redeem(&code).await.refused("invalid_grant");
}

/// Two apps of Ben's, one that has refreshed and one that has its code only: both are over, wherever they ask.
// gaps: Records and reach > A user's patient was changed
#[tokio::test]
async fn no_session_follows_its_user_to_another_patient() {
    for is_declared in [false, true] {
        let w = World::new().await;
        let (app, first) = w.ben().approves("Sleep Diary").await;
        let tokens = app.refresh(&first).await.granted();
        let (other, code) = w.ben().gives_code("Sleep Diary").await;
        let mut browser = w.ben().signs_in().await;
        browser.get("/connected-apps").await.opened();
        w.calls_fhir_with(&tokens.access).await.opened();
        if is_declared {
            w.ben().is_declared_to_be(records::AMINA).await;
        } else {
            w.ben().is_somebody_else(records::AMINA).await;
        }
        w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
        w.calls_rest_with(&tokens.access).await.says_in_rest(401, "session has been revoked");
        app.refresh(&tokens).await.refused("invalid_grant");
        other.redeem(&code).await.refused("invalid_grant");
        assert_eq!(browser.get("/connected-apps").await.redirect().to, "/sign-in");
        w.ben().is_somebody_else(records::BEN).await;
        w.calls_fhir_with(&tokens.access).await.says(401, "API_SESSION_INVALID");
    }
}

/// What a user granted before is told with the reason, and what somebody else granted goes on.
// gaps: Records and reach > A user's patient was changed
#[tokio::test]
async fn a_session_that_ended_with_the_record_says_why_and_nobody_elses_ends() {
    let w = World::new().await;
    let (_, bens) = w.ben().approves("Sleep Diary").await;
    let (_, aminas) = w.amina().approves("Sleep Diary").await;
    w.ben().is_somebody_else(records::AMINA).await;
    w.calls_fhir_with(&bens.access).await.says(401, "API_SESSION_INVALID");
    w.calls_fhir_with(&aminas.access).await.opened();
    let page = w.ben().signs_in().await.sees("/connected-apps").await.html;
    assert!(page.contains("was given another record"), "{page}");
}

/// The writer has the session at hand after the first refresh; what it has there must not outlive the change.
// gaps: Sessions and tokens > Account frozen, patient deceased
#[tokio::test]
async fn a_frozen_user_cannot_refresh_and_nothing_is_used_up() {
    let w = World::new().await;
    let (app, first) = w.amina().approves("Sleep Diary").await;
    let second = app.refresh(&first).await.granted();
    w.amina().is_frozen().await;
    app.refresh(&second).await.refused("invalid_grant");
    w.calls_fhir_with(&second.access).await.says(403, "ACCESS_FROZEN_OUTWARD");
    w.amina().is_let_in_again().await;
    w.calls_fhir_with(&second.access).await.opened();
    app.refresh(&second).await.granted();
}

#[tokio::test]
async fn a_code_waits_while_its_user_is_frozen() {
    let w = World::new().await;
    let (app, code) = w.amina().gives_code("Sleep Diary").await;
    w.amina().is_frozen().await;
    app.redeem(&code).await.refused("invalid_grant");
    w.amina().is_let_in_again().await;
    app.redeem(&code).await.granted();
}

#[tokio::test]
async fn freezing_one_user_leaves_the_sessions_of_others_alone() {
    let w = World::new().await;
    let (app, amina) = w.amina().approves("Sleep Diary").await;
    let (_, ben) = w.ben().approves("Sleep Diary").await;
    let ben = app.refresh(&ben).await.granted();
    w.amina().is_frozen().await;
    app.refresh(&amina).await.refused("invalid_grant");
    app.refresh(&ben).await.granted();
}

// gaps: Sessions and tokens > Account frozen, patient deceased
#[tokio::test]
async fn a_deceased_patients_sessions_open_nothing_and_refresh_no_more() {
    for (member, value) in [("deceasedDateTime", json!("2026-11-01")), ("deceasedBoolean", json!(true))] {
        let w = World::new().await;
        let (app, first) = w.amina().approves("Sleep Diary").await;
        let second = app.refresh(&first).await.granted();
        w.calls_fhir_with(&second.access).await.opened();
        let mut browser = w.amina().signs_in().await;
        records::amina_says(&w.app.store, member, value, w.now()).await;
        w.calls_fhir_with(&second.access).await.says(403, "ACCESS_FROZEN_OUTWARD");
        w.calls_rest_with(&second.access).await.says_in_rest(403, "access of this account is frozen");
        app.refresh(&second).await.refused("invalid_grant");
        assert_eq!(browser.get("/connected-apps").await.redirect().to, "/sign-in", "signed out");
        records::amina_says(&w.app.store, "deceasedBoolean", json!(false), w.now()).await;
        w.calls_fhir_with(&second.access).await.opened();
        app.refresh(&second).await.granted();
    }
}

#[tokio::test]
async fn a_deceased_patient_cannot_sign_in() {
    let w = World::new().await;
    records::amina_is_deceased(&w.app.store, w.now()).await;
    let reply = crate::kit::browser::Browser::new(&w).signs_in("amina@example.org", "river-otter-violin-42").await;
    assert_ne!(reply.status, 303, "{}", reply.text());
}

/// The care of a patient goes on to be documented, and the team reads on.
#[tokio::test]
async fn a_clinician_reads_a_deceased_patients_record_as_before() {
    let w = World::new().await;
    let (_, tokens) = w.dr_okafor().approves("Ward Round").await;
    records::amina_is_deceased(&w.app.store, w.now()).await;
    w.calls_fhir_with(&tokens.access).await.opened();
}

/// A clinician who became a patient is no member of a team: not even as a clinician once more.
// gaps: Records and reach > Memberships of a user whose type was changed
#[tokio::test]
async fn a_change_of_type_ends_memberships_that_the_new_type_cannot_have() {
    for (between, still) in [(UserType::Patient, 0), (UserType::Admin, 0), (UserType::TeamCoord, 1)] {
        let w = World::new().await;
        let turned = |user_type| {
            let change = move |user: &mut store::people::User| user.user_type = user_type;
            store::people::change(&w.app.store, "okafor@riverside.example".into(), change, w.now())
        };
        turned(between).await.unwrap();
        let user = turned(UserType::Clinician).await.unwrap().unwrap();
        let teams = store::organisations::teams_of_user(&w.app.store, user.id).await.unwrap();
        assert_eq!(teams.len(), still, "after having been a {}", between.word());
    }
}

/// A team's grant is the team's: it outlives the leaving of the coordinator who made it, and the page tells so.
// gaps: Clients > A team's grant when its coordinator leaves
#[tokio::test]
async fn a_teams_grant_outlives_its_coordinators_leaving_and_the_page_says_so() {
    let w = World::new().await;
    let shown = w.grace().signs_in().await.grants("old-bridge").await;
    let bridge = w.client("Old Bridge");
    let tokens = bridge.asks_for_tokens(&bridge.refreshment(&shown)).await.granted();
    w.henry().is_of(&[RIVERSIDE_TEAM]).await;
    let page = async || w.henry().signs_in().await.get("/coordinator/api-access").await.text().to_owned();
    let before = page().await;
    assert!(before.contains("granted by Grace Lindqvist") && !before.contains("who has left"), "{before}");
    w.grace().becomes(UserType::Patient).await;
    assert!(page().await.contains("granted by Grace Lindqvist, who has left the team"));
    w.calls_fhir_with(&tokens.access).await.opened();
    bridge.refresh(&tokens).await.granted();
    w.grace().becomes(UserType::TeamCoord).await;
    assert!(page().await.contains("who has left"), "a coordinator, but of no team");
}
