//! Codes, sessions and access tokens: the decisions of docs/gaps.md about their use and their end, to the millisecond.

mod played;

use played::{GRANTED, Played, RIGHT_CODE, TERMS, right_token, since_grant};
use rules::bound_key::KeyCheck;
use rules::lifecycle::{
    self, AccessToken, CodePresentation, Issue, Lapse, RefreshPresentation, Refused, Revoked, Ruling, Session, Terms,
    VerifierCheck,
};
use rules::moment::Moment;

const DAY: i64 = 86_400;

#[test]
fn a_code_is_over_at_the_very_millisecond_of_its_limit() {
    let granted = Played::granted(None, TERMS);
    for (milliseconds, in_time) in [(0, true), (1, true), (599_999, true), (600_000, false), (600_001, false)] {
        let ruling = granted.clone().at(milliseconds).redeem(RIGHT_CODE);
        assert_eq!(matches!(ruling, Ruling::Issue(_)), in_time, "{milliseconds} ms: {ruling:?}");
        assert_eq!(ruling == Ruling::Refuse(Refused::CodeExpired), !in_time, "{milliseconds} ms: {ruling:?}");
    }
}

#[test]
fn a_session_is_over_at_the_very_millisecond_of_its_end() {
    let session = Played::redeemed(Some(DAY), TERMS).session;
    let end = DAY * 1000;
    for (milliseconds, lapse) in
        [(end - 1, None), (end, Some(Lapse::SessionExpired)), (end + 1, Some(Lapse::SessionExpired))]
    {
        assert_eq!(lifecycle::over(&session, since_grant(milliseconds)), lapse, "{milliseconds} ms");
    }
}

#[test]
fn a_session_counts_from_the_grant_and_not_from_the_redemption() {
    let mut played = Played::granted(Some(DAY), TERMS);
    played.at(599_000).redeem(RIGHT_CODE);
    assert_eq!(played.session.ends_at, Some(since_grant(DAY * 1000)));
    assert_eq!(lifecycle::over(&played.session, since_grant(DAY * 1000)), Some(Lapse::SessionExpired));
}

#[test]
fn a_session_that_ends_before_its_code_would_closes_the_code_too() {
    let granted = Played::granted(Some(300), TERMS);
    assert_eq!(granted.clone().at(300_000).redeem(RIGHT_CODE), Ruling::Refuse(Refused::SessionExpired));
}

#[test]
fn a_used_code_revokes_its_session_whenever_and_however_it_comes_again() {
    let redeemed = Played::redeemed(Some(DAY), TERMS);
    for milliseconds in [0, 1, 599_999, 600_000, DAY * 1000 - 1] {
        for code in every_code().filter(|code| code.same_client) {
            let mut again = redeemed.clone();
            assert_eq!(again.at(milliseconds).redeem(code), Ruling::Revoke(Revoked::CodeReplayed), "{code:?}");
            let standing = lifecycle::standing(&again.session, &again.access_tokens[0], again.now);
            assert_eq!(standing, Err(Lapse::SessionRevoked));
        }
    }
}

#[test]
fn a_session_that_is_over_stays_as_it_ended_whatever_is_replayed() {
    let mut expired = Played::redeemed(Some(DAY), TERMS);
    expired.refresh(right_token(1));
    let mut revoked = expired.clone();
    revoked.session.revoked_at = Some(since_grant(5));
    for (mut played, refused) in [(expired, Refused::SessionExpired), (revoked, Refused::SessionRevoked)] {
        played.at(DAY * 1000);
        assert_eq!(played.clone().redeem(RIGHT_CODE), Ruling::Refuse(refused));
        for generation in 1..=3 {
            assert_eq!(played.clone().refresh(right_token(generation)), Ruling::Refuse(refused), "{generation}");
        }
    }
}

#[test]
fn a_wrong_redirect_uri_or_verifier_is_refused_and_does_not_use_up_the_code() {
    for (code, refused) in [
        (CodePresentation { same_redirect_uri: false, ..RIGHT_CODE }, Refused::WrongRedirectUri),
        (CodePresentation { verifier: VerifierCheck::Wrong, ..RIGHT_CODE }, Refused::WrongVerifier),
        (CodePresentation { verifier: VerifierCheck::Unexpected, ..RIGHT_CODE }, Refused::UnexpectedVerifier),
    ] {
        let mut played = Played::granted(Some(DAY), TERMS);
        assert_eq!(played.redeem(code), Ruling::Refuse(refused));
        assert!(matches!(played.redeem(RIGHT_CODE), Ruling::Issue(_)), "after {refused:?}");
    }
}

#[test]
fn a_foreign_client_changes_nothing_whatever_it_presents() {
    let unredeemed = Played::granted(Some(DAY), TERMS);
    let mut rotated = Played::redeemed(Some(DAY), Terms { retry_seconds: 60, ..TERMS });
    rotated.refresh(right_token(1));
    let mut revoked = rotated.clone();
    revoked.refresh(right_token(9));
    for mut played in [unredeemed, rotated, revoked] {
        for milliseconds in [0, 600_000, DAY * 1000] {
            played.at(milliseconds);
            for code in every_code().filter(|code| !code.same_client) {
                assert_eq!(played.clone().redeem(code), Ruling::Refuse(Refused::ForeignClient));
            }
            for (generation, scope_fits) in (0..=4).flat_map(|generation| [(generation, true), (generation, false)]) {
                let token = RefreshPresentation { generation, same_client: false, scope_fits, key: KeyCheck::Fits };
                assert_eq!(played.clone().refresh(token), Ruling::Refuse(Refused::ForeignClient));
            }
        }
    }
}

/// Whoever has a refresh token of a bound session, and not its key, can neither spend it nor have the session revoked by a replay.
#[test]
fn without_the_key_that_is_bound_a_refresh_token_changes_nothing_not_even_by_a_replay() {
    let mut played = Played::redeemed(Some(DAY), TERMS);
    played.refresh(right_token(1));
    for (key, why) in [(KeyCheck::Missing, Refused::NoProof), (KeyCheck::Other, Refused::OtherKey)] {
        let mut tried = played.clone();
        for (generation, scope_fits) in (0..=4).flat_map(|generation| [(generation, true), (generation, false)]) {
            let token = RefreshPresentation { generation, same_client: true, scope_fits, key };
            assert_eq!(tried.refresh(token), Ruling::Refuse(why), "{generation}");
        }
        assert_eq!(tried.session, played.session);
    }
    assert!(matches!(played.refresh(right_token(2)), Ruling::Issue(_)), "the key's holder goes on");
    assert_eq!(played.refresh(right_token(1)), Ruling::Revoke(Revoked::RefreshTokenReplayed), "and is held to it");
}

#[test]
fn without_the_key_that_is_bound_a_code_is_not_spent_and_a_used_one_is_a_replay_as_ever() {
    let unredeemed = Played::granted(Some(DAY), TERMS);
    let redeemed = Played::redeemed(Some(DAY), TERMS);
    for (key, why) in [(KeyCheck::Missing, Refused::NoProof), (KeyCheck::Other, Refused::OtherKey)] {
        let mut tried = unredeemed.clone();
        assert_eq!(tried.redeem(CodePresentation { key, ..RIGHT_CODE }), Ruling::Refuse(why));
        assert!(matches!(tried.redeem(RIGHT_CODE), Ruling::Issue(_)));
        let again = redeemed.clone().redeem(CodePresentation { key, ..RIGHT_CODE });
        assert_eq!(again, Ruling::Revoke(Revoked::CodeReplayed), "however it comes");
    }
}

#[test]
fn a_wrong_scope_does_not_use_up_the_refresh_token() {
    let mut played = Played::redeemed(Some(DAY), TERMS);
    let wrong = RefreshPresentation { scope_fits: false, ..right_token(1) };
    assert_eq!(played.refresh(wrong), Ruling::Refuse(Refused::WrongScope));
    assert!(matches!(played.refresh(right_token(1)), Ruling::Issue(_)));
    assert_eq!(
        played.refresh(wrong),
        Ruling::Revoke(Revoked::RefreshTokenReplayed),
        "a used token is no scope question"
    );
}

#[test]
fn a_refresh_token_newer_than_its_session_ends_the_session() {
    for ahead in [1, 2, 1000, i64::MAX - 1] {
        let mut played = Played::redeemed(Some(DAY), TERMS);
        assert_eq!(played.refresh(right_token(1 + ahead)), Ruling::Revoke(Revoked::TokenFromTheFuture));
        assert_eq!(played.refresh(right_token(1)), Ruling::Refuse(Refused::SessionRevoked));
    }
}

#[test]
fn an_access_token_newer_than_its_session_opens_nothing() {
    let played = Played::redeemed(Some(DAY), TERMS);
    let newer = AccessToken { generation: 2, expires_at: since_grant(600_000) };
    for milliseconds in [0, 599_999, 600_000] {
        let standing = lifecycle::standing(&played.session, &newer, since_grant(milliseconds));
        assert_eq!(standing, Err(Lapse::SessionRevoked));
    }
}

#[test]
fn a_session_whose_code_is_unredeemed_has_no_refresh_token() {
    for generation in [i64::MIN, -1, 0] {
        let mut unredeemed = Played::granted(Some(DAY), TERMS);
        assert_eq!(unredeemed.refresh(right_token(generation)), Ruling::Refuse(Refused::Unknown));
        let mut redeemed = Played::redeemed(Some(DAY), Terms { retry_seconds: 60, ..TERMS });
        assert_eq!(redeemed.refresh(right_token(generation)), Ruling::Refuse(Refused::Unknown));
    }
}

#[test]
fn a_coordinators_grant_is_born_with_its_first_refresh_token() {
    let mut played = Played::granted(None, TERMS);
    played.session.generation = 1;
    let issue = Issue { generation: 2, access_expires_at: since_grant(600_000), with_refresh_token: true };
    assert_eq!(played.refresh(right_token(1)), Ruling::Issue(issue));
    assert_eq!(played.refresh(right_token(1)), Ruling::Revoke(Revoked::RefreshTokenReplayed));
}

#[test]
fn an_older_access_token_opens_the_apis_until_it_expires() {
    let mut played = Played::redeemed(Some(DAY), TERMS);
    played.at(1).refresh(right_token(1));
    let first = played.access_tokens[0];
    assert_eq!(lifecycle::standing(&played.session, &first, since_grant(599_999)), Ok(()));
    assert_eq!(lifecycle::standing(&played.session, &first, since_grant(600_000)), Err(Lapse::TokenExpired));
}

/// Every small session against every small token: of all that is over, the session's answer is the one given.
#[test]
fn where_token_and_session_are_both_over_the_sessions_answer_wins() {
    for (end, expiry, now, revoked) in grid() {
        let session = Session {
            granted_at: GRANTED,
            ends_at: end.map(since_grant),
            generation: 1,
            rotated_at: Some(GRANTED),
            revoked_at: revoked.then_some(GRANTED),
            covered: true,
            frozen: false,
            online_until: None,
        };
        let token = AccessToken { generation: 1, expires_at: since_grant(expiry) };
        let expected = match (revoked, end.is_some_and(|end| now >= end), now >= expiry) {
            (true, _, _) => Err(Lapse::SessionRevoked),
            (false, true, _) => Err(Lapse::SessionExpired),
            (false, false, true) => Err(Lapse::TokenExpired),
            (false, false, false) => Ok(()),
        };
        assert_eq!(lifecycle::standing(&session, &token, since_grant(now)), expected, "{session:?} {token:?} {now}");
    }
}

fn grid() -> impl Iterator<Item = (Option<i64>, i64, i64, bool)> {
    let ends = [None, Some(0), Some(1), Some(2), Some(3)];
    ends.into_iter().flat_map(|end| {
        (0..4).flat_map(move |expiry| {
            (0..4).flat_map(move |now| [false, true].map(|revoked| (end, expiry, now, revoked)))
        })
    })
}

#[test]
fn the_refresh_token_is_left_out_exactly_when_the_access_token_would_outlive_the_session() {
    for (session_seconds, access_seconds) in (1..=6).flat_map(|session| (1..=6).map(move |access| (session, access))) {
        for milliseconds in 0..session_seconds * 1000 {
            let mut played = Played::granted(Some(session_seconds), Terms { access_seconds, ..TERMS });
            let Ruling::Issue(issue) = played.at(milliseconds).redeem(RIGHT_CODE) else { unreachable!("in time") };
            let (full, end) = (milliseconds + access_seconds * 1000, session_seconds * 1000);
            assert_eq!(issue.with_refresh_token, full <= end, "{full} ms of {end} ms");
            assert_eq!(issue.access_expires_at, since_grant(full.min(end)), "{full} ms of {end} ms");
        }
    }
}

#[test]
fn a_client_registered_without_refresh_tokens_never_gets_one() {
    for session_seconds in [None, Some(1), Some(DAY)] {
        let mut played = Played::granted(session_seconds, Terms { refresh_tokens: false, ..TERMS });
        assert!(matches!(played.redeem(RIGHT_CODE), Ruling::Issue(issue) if !issue.with_refresh_token));
    }
}

#[test]
fn a_session_that_is_no_longer_covered_is_over_for_every_token_of_it() {
    for expiry in [1, 599_999, 600_000] {
        let session = Session { covered: false, ..Played::redeemed(Some(DAY), TERMS).session };
        let token = AccessToken { generation: 1, expires_at: since_grant(expiry) };
        assert_eq!(lifecycle::standing(&session, &token, since_grant(10)), Err(Lapse::SessionRevoked));
    }
    let mut code = Played::granted(None, TERMS);
    code.session.covered = false;
    assert_eq!(code.redeem(RIGHT_CODE), Ruling::Revoke(Revoked::NoLongerCovered));
}

#[test]
fn a_session_that_ends_with_a_sign_in_is_over_for_good_once_that_is() {
    let mut played = Played::redeemed(None, TERMS);
    played.session.online_until = Some(since_grant(5000));
    let token = AccessToken { generation: 1, expires_at: since_grant(600_000) };
    assert_eq!(lifecycle::standing(&played.session, &token, since_grant(4999)), Ok(()));
    assert_eq!(lifecycle::standing(&played.session, &token, since_grant(5000)), Err(Lapse::SessionRevoked));
    assert!(lifecycle::can_refresh(&played.session, 1, since_grant(4999)));
    assert_eq!(played.at(5000).refresh(right_token(1)), Ruling::Revoke(Revoked::SignedOut));
}

#[test]
fn a_sign_in_lasts_while_it_is_used_and_twelve_hours_at_the_most() {
    let (minute, hour) = (60, 3600);
    let until = |used| lifecycle::sign_in_lasts_until(GRANTED, GRANTED.plus_seconds(used));
    assert_eq!(until(0), GRANTED.plus_seconds(35 * minute));
    assert_eq!(until(hour), GRANTED.plus_seconds(hour + 35 * minute));
    assert_eq!(until(12 * hour - minute), GRANTED.plus_seconds(12 * hour));
}

#[test]
fn a_refresh_that_is_no_longer_covered_ends_the_session_for_good() {
    let mut played = Played::redeemed(None, TERMS);
    played.session.covered = false;
    assert_eq!(played.refresh(right_token(1)), Ruling::Revoke(Revoked::NoLongerCovered));
    played.session.covered = true;
    assert_eq!(played.refresh(right_token(1)), Ruling::Refuse(Refused::SessionRevoked), "given back, and still over");
}

#[test]
fn another_client_learns_nothing_of_a_session_that_is_no_longer_covered_and_cannot_end_it() {
    let mut played = Played::redeemed(None, TERMS);
    played.session.covered = false;
    let foreign = RefreshPresentation { same_client: false, ..right_token(1) };
    assert_eq!(played.refresh(foreign), Ruling::Refuse(Refused::ForeignClient));
    assert_eq!(played.session.revoked_at, None);
}

#[test]
fn an_expired_session_stays_expired_when_it_is_no_longer_covered() {
    let mut played = Played::redeemed(Some(DAY), TERMS);
    played.session.covered = false;
    assert_eq!(played.at(DAY * 1000).refresh(right_token(1)), Ruling::Refuse(Refused::SessionExpired));
}

#[test]
fn a_frozen_account_gets_no_tokens_and_uses_none_up() {
    let mut code = Played::granted(None, TERMS);
    code.session.frozen = true;
    assert_eq!(code.redeem(RIGHT_CODE), Ruling::Refuse(Refused::Frozen));
    code.session.frozen = false;
    assert!(matches!(code.redeem(RIGHT_CODE), Ruling::Issue(_)), "let in again, with the same code");
    code.session.frozen = true;
    assert_eq!(code.refresh(right_token(1)), Ruling::Refuse(Refused::Frozen));
    code.session.frozen = false;
    assert!(matches!(code.refresh(right_token(1)), Ruling::Issue(_)), "let in again, with the same refresh token");
}

#[test]
fn a_retry_within_its_window_is_refused_while_the_account_is_frozen() {
    let mut played = Played::redeemed(None, Terms { retry_seconds: 60, ..TERMS });
    played.refresh(right_token(1));
    played.session.frozen = true;
    assert_eq!(played.refresh(right_token(1)), Ruling::Refuse(Refused::Frozen));
}

#[test]
fn a_replay_is_a_replay_while_the_account_is_frozen_too() {
    let mut played = Played::redeemed(None, TERMS);
    played.refresh(right_token(1));
    played.session.frozen = true;
    assert_eq!(played.refresh(right_token(1)), Ruling::Revoke(Revoked::RefreshTokenReplayed));
}

#[test]
fn a_moment_is_exact_and_never_overflows() {
    assert_eq!(Moment(5).plus_seconds(2), Moment(2005));
    assert_eq!(Moment(i64::MAX - 1).plus_seconds(1), Moment(i64::MAX));
    assert_eq!(Moment(0).plus_seconds(i64::MAX), Moment(i64::MAX));
    for (later, seconds) in [(-1, 0), (0, 0), (999, 0), (1000, 1), (1999, 1), (2000, 2)] {
        assert_eq!(Moment(0).seconds_until(Moment(later)), seconds, "{later} ms");
    }
    assert_eq!(Moment(i64::MAX).seconds_until(Moment(i64::MIN)), 0);
}

/// Every way to present a code.
fn every_code() -> impl Iterator<Item = CodePresentation> {
    let verifiers = [VerifierCheck::Fits, VerifierCheck::Wrong, VerifierCheck::Unexpected];
    [(true, true), (true, false), (false, true), (false, false)].into_iter().flat_map(
        move |(same_client, same_redirect_uri)| {
            verifiers.map(|verifier| CodePresentation { same_client, same_redirect_uri, verifier, key: KeyCheck::Fits })
        },
    )
}

#[test]
fn a_client_ends_its_own_session_while_there_is_one_to_end() {
    let session = Played::redeemed(Some(DAY), TERMS).session;
    let end = DAY * 1000;
    for (milliseconds, own) in [
        (0, Ruling::Revoke(Revoked::ByClient)),
        (end - 1, Ruling::Revoke(Revoked::ByClient)),
        (end, Ruling::Refuse(Refused::SessionExpired)),
    ] {
        let now = since_grant(milliseconds);
        assert_eq!(lifecycle::revoke(&session, true, now), own, "{milliseconds} ms");
        assert_eq!(lifecycle::revoke(&session, false, now), Ruling::Refuse(Refused::ForeignClient));
    }
    let revoked = Session { revoked_at: Some(GRANTED), ..session };
    assert_eq!(lifecycle::revoke(&revoked, true, GRANTED), Ruling::Refuse(Refused::SessionRevoked));
}

#[test]
fn only_the_unused_refresh_token_of_a_live_session_can_refresh() {
    let mut played = Played::redeemed(Some(DAY), TERMS);
    played.refresh(right_token(1));
    let can = |generation, milliseconds| lifecycle::can_refresh(&played.session, generation, since_grant(milliseconds));
    assert_eq!([0, 1, 2, 3].map(|generation| can(generation, 0)), [false, false, true, false]);
    assert!(can(2, DAY * 1000 - 1) && !can(2, DAY * 1000));
    let unredeemed = Played::granted(Some(DAY), TERMS).session;
    assert!(!lifecycle::can_refresh(&unredeemed, 0, GRANTED), "a code is no refresh token");
}
