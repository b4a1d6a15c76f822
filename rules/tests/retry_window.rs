//! Refresh after a lost answer: strict by default; inside a client's window the same successor, never a second branch.

mod played;

use played::{GRANTED, Played, RIGHT_CODE, TERMS, right_token, since_grant};
use rules::lifecycle::{self, Issue, RefreshPresentation, Refused, Revoked, Ruling, Terms};

const WINDOW: Terms = Terms { retry_seconds: 60, ..TERMS };

/// A session whose first refresh token was used one second after the grant, and what that use handed out.
fn rotated(session_seconds: Option<i64>, terms: Terms) -> (Played, Issue) {
    let mut played = Played::redeemed(session_seconds, terms);
    let Ruling::Issue(issue) = played.at(1000).refresh(right_token(1)) else { unreachable!("the token was unused") };
    (played, issue)
}

#[test]
fn without_a_window_a_used_token_is_a_replay_at_once() {
    let (played, _) = rotated(None, TERMS);
    for milliseconds in [1000, 1001, 60_000] {
        let again = played.clone().at(milliseconds).refresh(right_token(1));
        assert_eq!(again, Ruling::Revoke(Revoked::RefreshTokenReplayed), "{milliseconds} ms");
    }
}

/// Each request reads the clock before it waits for its turn, so the second of a race may carry the earlier moment.
#[test]
fn without_a_window_a_used_token_is_a_replay_even_when_it_carries_an_earlier_moment() {
    let (played, _) = rotated(None, TERMS);
    for milliseconds in [0, 1, 999] {
        let again = played.clone().at(milliseconds).refresh(right_token(1));
        assert_eq!(again, Ruling::Revoke(Revoked::RefreshTokenReplayed), "{milliseconds} ms");
    }
}

#[test]
fn inside_the_window_the_same_successor_is_handed_out_and_nothing_changes() {
    let (mut played, issue) = rotated(None, WINDOW);
    let session = played.session;
    for milliseconds in [0, 1000, 1001, 30_000, 60_999] {
        assert_eq!(played.at(milliseconds).refresh(right_token(1)), Ruling::IssueAgain(issue), "{milliseconds} ms");
        assert_eq!(played.session, session);
    }
}

#[test]
fn at_the_limit_of_the_window_it_is_over() {
    for retry_seconds in [1, 2, 59, 60] {
        let (played, issue) = rotated(None, Terms { retry_seconds, ..TERMS });
        let limit = 1000 + retry_seconds * 1000;
        assert_eq!(played.clone().at(limit - 1).refresh(right_token(1)), Ruling::IssueAgain(issue));
        let late = played.clone().at(limit).refresh(right_token(1));
        assert_eq!(late, Ruling::Revoke(Revoked::RefreshTokenReplayed));
    }
}

#[test]
fn the_window_ends_when_the_successor_is_used() {
    let (mut played, _) = rotated(None, WINDOW);
    assert!(matches!(played.at(1001).refresh(right_token(2)), Ruling::Issue(_)));
    assert_eq!(played.at(1002).refresh(right_token(1)), Ruling::Revoke(Revoked::RefreshTokenReplayed));
    assert_eq!(played.refresh(right_token(3)), Ruling::Refuse(Refused::SessionRevoked));
}

#[test]
fn a_retry_does_not_stretch_the_window() {
    let (mut played, _) = rotated(None, WINDOW);
    assert!(matches!(played.at(60_999).refresh(right_token(1)), Ruling::IssueAgain(_)));
    assert_eq!(played.at(61_000).refresh(right_token(1)), Ruling::Revoke(Revoked::RefreshTokenReplayed));
}

#[test]
fn a_code_has_no_retry_window() {
    let mut played = Played::redeemed(None, WINDOW);
    assert_eq!(played.redeem(RIGHT_CODE), Ruling::Revoke(Revoked::CodeReplayed));
}

#[test]
fn a_wrong_scope_inside_the_window_is_refused_and_changes_nothing() {
    let (mut played, issue) = rotated(None, WINDOW);
    let wrong = RefreshPresentation { scope_fits: false, ..right_token(1) };
    assert_eq!(played.refresh(wrong), Ruling::Refuse(Refused::WrongScope));
    assert_eq!(played.refresh(right_token(1)), Ruling::IssueAgain(issue));
}

#[test]
fn the_last_access_token_of_a_session_comes_again_without_a_refresh_token() {
    let (mut played, issue) = rotated(Some(120), WINDOW);
    assert!(!issue.with_refresh_token);
    assert_eq!(issue.access_expires_at, since_grant(120_000));
    assert_eq!(played.at(30_000).refresh(right_token(1)), Ruling::IssueAgain(issue));
}

#[test]
fn a_session_that_is_over_has_no_window() {
    let (expired, _) = rotated(Some(30), WINDOW);
    assert_eq!(expired.clone().at(30_000).refresh(right_token(1)), Ruling::Refuse(Refused::SessionExpired));
    let (mut revoked, _) = rotated(None, WINDOW);
    revoked.session.revoked_at = Some(GRANTED);
    assert_eq!(revoked.refresh(right_token(1)), Ruling::Refuse(Refused::SessionRevoked));
    assert!(
        revoked.access_tokens.iter().all(|token| lifecycle::standing(&revoked.session, token, revoked.now).is_err())
    );
}
