//! Refresh tokens: single-use, one branch, and what ends them.

use crate::grant::{generation, issue};
use crate::world::{NOW, TERMS, World, registered};
use rules::lifecycle::{Refused, Revoked, Ruling, Terms};
use store::ledger::Event;
use store::sessions;

const RETRYING: Terms = Terms { retry_seconds: 10, ..TERMS };

#[tokio::test]
async fn each_refresh_opens_the_next_generation() {
    let w = World::new().await;
    let granted = w.connected().await;
    for before in 1..=5 {
        assert_eq!(generation(granted.refresh(before).await), before + 1);
        assert_eq!(granted.bearer().await.session.generation, before + 1);
    }
    assert_eq!(w.noted(Event::Refreshed).await, 5);
}

#[tokio::test]
async fn a_team_grant_is_born_with_an_unused_refresh_token() {
    let w = World::new().await;
    let granted = w.opened(w.team_grant().await).await;
    assert_eq!(granted.bearer().await.session.generation, 1);
    assert_eq!(generation(granted.refresh(1).await), 2);
}

#[tokio::test]
async fn a_used_refresh_token_revokes_the_session_however_old_it_is() {
    let w = World::new().await;
    for used in 1..=3 {
        let granted = w.connected().await;
        for before in 1..=3 {
            granted.refresh(before).await;
        }
        assert_eq!(granted.refresh(used).await, Ruling::Revoke(Revoked::RefreshTokenReplayed));
        assert_eq!(granted.refresh(4).await, Ruling::Refuse(Refused::SessionRevoked), "the newest is over too");
        assert_eq!(granted.bearer().await.session.revoked_at, Some(NOW));
    }
}

#[tokio::test]
async fn a_token_newer_than_the_row_revokes_the_session_because_the_store_was_restored() {
    let w = World::new().await;
    let granted = w.connected().await;
    assert_eq!(granted.refresh(2).await, Ruling::Revoke(Revoked::TokenFromTheFuture));
    assert_eq!(granted.refresh(1).await, Ruling::Refuse(Refused::SessionRevoked));
}

#[tokio::test]
async fn a_forged_refresh_token_changes_nothing() {
    let w = World::new().await;
    let granted = w.connected().await;
    let mut altered = granted.refresh_token(1);
    altered.check.0[15] ^= 0x80;
    let mut older = granted.refresh_token(0);
    older.check = granted.refresh_token(1).check;
    let mut of_another = w.connected().await.refresh_token(1);
    of_another.session = granted.id;
    let before = w.row(granted.id);
    for forged in [altered, older, of_another] {
        let outcome = sessions::refresh(&w.store, registered(granted.client, TERMS), forged, None, NOW).await.unwrap();
        assert!(outcome.is_none());
    }
    assert_eq!(w.row(granted.id), before);
    assert_eq!(generation(granted.refresh(1).await), 2);
}

#[tokio::test]
async fn a_foreign_client_gets_nothing_for_a_refresh_token_and_changes_nothing() {
    let w = World::new().await;
    let foreign = w.client("ward-board").await.id;
    let granted = w.connected().await;
    granted.refresh(1).await;
    let before = w.row(granted.id);
    for generation in 1..=3 {
        let token = granted.refresh_token(generation);
        let outcome = sessions::refresh(&w.store, registered(foreign, TERMS), token, None, NOW).await.unwrap();
        assert_eq!(outcome.expect("a genuine token").ruling, Ruling::Refuse(Refused::ForeignClient));
    }
    assert_eq!(w.row(granted.id), before);
}

#[tokio::test]
async fn another_scope_is_refused_and_the_refresh_token_is_not_used_up() {
    let w = World::new().await;
    let granted = w.connected().await;
    let asked = |scope: &str| {
        let token = granted.refresh_token(1);
        sessions::refresh(&w.store, registered(granted.client, TERMS), token, Some(scope.to_owned()), NOW)
    };
    let before = w.row(granted.id);
    let refused = asked("SITE").await.unwrap().expect("a genuine token");
    assert_eq!(refused.ruling, Ruling::Refuse(Refused::WrongScope));
    assert_eq!(w.row(granted.id), before);
    let fine = asked("pAtIeNt").await.unwrap().expect("a genuine token");
    assert_eq!(generation(fine.ruling), 2);
}

#[tokio::test]
async fn an_expired_session_refreshes_no_more_from_its_very_last_millisecond_on() {
    let w = World::new().await;
    let granted = w.connected().await;
    let end = granted.bearer().await.session.ends_at.expect("an end");
    let before = rules::moment::Moment(end.0 - 1);
    let last = issue(granted.refresh_on(TERMS, 1, before).await);
    assert_eq!((last.access_expires_at, last.with_refresh_token), (end, false));
    assert_eq!(granted.refresh_on(TERMS, 2, end).await, Ruling::Refuse(Refused::SessionExpired));
}

#[tokio::test]
async fn inside_the_retry_window_the_used_token_gives_the_same_successor_again() {
    let w = World::new().await;
    let granted = w.connected().await;
    let successor = issue(granted.refresh_on(RETRYING, 1, NOW).await);
    let before = w.row(granted.id);
    for second in 0..10 {
        let again = granted.refresh_on(RETRYING, 1, NOW.plus_seconds(second)).await;
        assert_eq!(again, Ruling::IssueAgain(successor));
    }
    assert_eq!(w.row(granted.id), before);
    let too_late = granted.refresh_on(RETRYING, 1, NOW.plus_seconds(10)).await;
    assert_eq!(too_late, Ruling::Revoke(Revoked::RefreshTokenReplayed));
}

#[tokio::test]
async fn once_the_successor_is_used_the_retry_window_is_shut() {
    let w = World::new().await;
    let granted = w.connected().await;
    granted.refresh_on(RETRYING, 1, NOW).await;
    granted.refresh_on(RETRYING, 2, NOW).await;
    assert_eq!(granted.refresh_on(RETRYING, 1, NOW).await, Ruling::Revoke(Revoked::RefreshTokenReplayed));
}
