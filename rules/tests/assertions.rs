//! What a client's signed assertion must say, and what is said of one that does not.

use rules::assertions::{AssertionFault, Claims, judge, may_be_assertion};
use rules::clients::{AuthenticationMethod, ClientKind, SigningAlgorithm};
use rules::limits::{ASSERTION_SECONDS, ASSERTION_SKEW_SECONDS};
use rules::moment::Moment;

const NOW: Moment = Moment(1_800_000_000_000);
const CLIENT: &str = "letter-sender";
const ISSUER: &str = "https://records.example.org";
const ENDPOINT: &str = "https://records.example.org/apiToken.action";

fn good() -> Claims {
    Claims {
        issuer: Some(CLIENT.into()),
        subject: Some(CLIENT.into()),
        audience: vec![ISSUER.into()],
        expires_at: Some(NOW.plus_seconds(60)),
        issued_at: Some(NOW),
        not_before: Some(NOW),
        id: Some("one".into()),
    }
}

fn judged(change: impl FnOnce(&mut Claims)) -> Result<Moment, AssertionFault> {
    let mut claims = good();
    change(&mut claims);
    judge(&claims, CLIENT, &[ISSUER, ENDPOINT], NOW)
}

#[test]
fn a_good_assertion_is_taken_and_its_id_is_held_until_nobody_would_take_it_again() {
    let until = judged(|_| {}).unwrap();
    assert_eq!(until, NOW.plus_seconds(60 + ASSERTION_SKEW_SECONDS));
    assert_eq!(judge(&good(), CLIENT, &[ISSUER], until), Err(AssertionFault::Expired));
    assert!(judge(&good(), CLIENT, &[ISSUER], Moment(until.0 - 1)).is_ok());
}

#[test]
fn issuer_and_subject_are_both_the_client() {
    for other in [None, Some(String::new()), Some("letter-sender2".into()), Some("Letter-Sender".into())] {
        assert_eq!(judged(|claims| claims.issuer = other.clone()), Err(AssertionFault::WrongIssuer));
        assert_eq!(judged(|claims| claims.subject = other.clone()), Err(AssertionFault::WrongIssuer));
    }
}

#[test]
fn the_audience_is_ours_by_either_name_and_nobody_elses() {
    let audience = |names: &[&str]| judged(|claims| claims.audience = names.iter().map(|n| (*n).into()).collect());
    for ours in [&[ISSUER] as &[&str], &[ENDPOINT], &[ENDPOINT, ISSUER]] {
        assert!(audience(ours).is_ok(), "{ours:?}");
    }
    let slash = format!("{ISSUER}/");
    for other in [&[] as &[&str], &["https://other.example"], &[ISSUER, "https://other.example"], &[slash.as_str()]] {
        assert_eq!(audience(other), Err(AssertionFault::WrongAudience), "{other:?}");
    }
}

#[test]
fn an_assertion_ends_and_soon() {
    assert_eq!(judged(|claims| claims.expires_at = None), Err(AssertionFault::NoExpiry));
    let ends = |seconds: i64| judged(|claims| claims.expires_at = Some(NOW.plus_seconds(seconds)));
    assert!(ends(ASSERTION_SECONDS + ASSERTION_SKEW_SECONDS).is_ok(), "a clock that is ahead is forgiven");
    assert_eq!(ends(ASSERTION_SECONDS + ASSERTION_SKEW_SECONDS + 1), Err(AssertionFault::TooLong));
    assert!(ends(-ASSERTION_SKEW_SECONDS + 1).is_ok());
    assert_eq!(ends(-ASSERTION_SKEW_SECONDS), Err(AssertionFault::Expired));
    for end in [Moment(i64::MAX), Moment(i64::MIN), Moment(0)] {
        assert!(judged(|claims| claims.expires_at = Some(end)).is_err());
    }
}

/// SMART's bulk-data-client rounds `exp` up and `iat` down, so that it seems to last a second longer than it may.
#[test]
fn when_an_assertion_was_made_does_not_count_unless_it_is_in_the_future() {
    let made = |at: Option<Moment>| {
        judged(|claims| {
            claims.issued_at = at;
            claims.expires_at = Some(NOW.plus_seconds(ASSERTION_SECONDS));
        })
    };
    for at in [None, Some(NOW), Some(NOW.plus_seconds(-1)), Some(NOW.plus_seconds(-86_400)), Some(Moment(0))] {
        assert!(made(at).is_ok(), "{at:?}");
    }
}

#[test]
fn an_assertion_of_a_clock_ahead_is_taken_within_the_skew_only() {
    for set in [|claims: &mut Claims, at| claims.issued_at = at, |claims: &mut Claims, at| claims.not_before = at] {
        let from = |seconds: i64| judged(|claims| set(claims, Some(NOW.plus_seconds(seconds))));
        assert!(from(ASSERTION_SKEW_SECONDS).is_ok());
        assert_eq!(from(ASSERTION_SKEW_SECONDS + 1), Err(AssertionFault::TooEarly));
    }
}

#[test]
fn without_an_id_it_could_be_used_twice() {
    for none in [None, Some(String::new())] {
        assert_eq!(judged(|claims| claims.id = none.clone()), Err(AssertionFault::NoId));
    }
}

#[test]
fn a_jwt_that_says_it_is_something_else_is_no_assertion() {
    for typ in [None, Some("JWT"), Some("jwt"), Some("client-authentication+jwt")] {
        assert!(may_be_assertion(typ), "{typ:?}");
    }
    for typ in [Some("dpop+jwt"), Some("at+jwt"), Some("")] {
        assert!(!may_be_assertion(typ), "{typ:?}");
    }
}

#[test]
fn the_algorithms_are_six_and_none_is_shared_or_missing_a_key() {
    let words: Vec<&str> = SigningAlgorithm::ALL.into_iter().map(SigningAlgorithm::word).collect();
    assert_eq!(words, ["ES256", "ES384", "RS256", "RS384", "PS256", "EdDSA"]);
    for word in ["none", "None", "HS256", "HS512", "RS512", "ES512", "es256", ""] {
        assert_eq!(SigningAlgorithm::named(word), None, "{word}");
    }
    assert_eq!(SigningAlgorithm::list(), "ES256, ES384, RS256, RS384, PS256 or EdDSA");
}

#[test]
fn the_methods_have_the_words_of_the_registry() {
    let words = AuthenticationMethod::ALL.map(AuthenticationMethod::word);
    assert_eq!(words, ["none", "client_secret_basic", "client_secret_post", "private_key_jwt"]);
}

#[test]
fn a_tethered_client_has_no_keys() {
    assert_eq!(ClientKind::ALL.map(ClientKind::may_hold_keys), [true, true, false]);
}
