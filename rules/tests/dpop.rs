//! What a proof of a key must say, which URLs are the same, and when the key that was shown will do.

use rules::bound_key::{self, KeyCheck, KeyThumbprint};
use rules::clients::SigningAlgorithm;
use rules::dpop::fault::ProofFault;
use rules::dpop::proof::{NonceCheck, ProofClaims, ProvenRequest, judge};
use rules::dpop::target::is_same;
use rules::limits::{PROOF_NONCE_SECONDS, PROOF_SKEW_SECONDS};
use rules::moment::Moment;

const NOW: Moment = Moment(1_800_000_000_000);
const URL: &str = "https://records.example.org/fhir/Patient/amina";
const HASH: &str = "fUHyO2r2Z3DZ53EsNrWBb0xWXoaNy59IiKCAqksmQEo";
const REQUEST: ProvenRequest<'_> =
    ProvenRequest { method: "GET", url: URL, token_hash: Some(HASH), nonce: NonceCheck::NotAsked };

fn good() -> ProofClaims {
    ProofClaims {
        id: Some("one".into()),
        method: Some("GET".into()),
        target: Some(URL.into()),
        made_at: Some(NOW),
        token_hash: Some(HASH.into()),
    }
}

fn judged(change: impl FnOnce(&mut ProofClaims)) -> Result<Moment, ProofFault> {
    let mut claims = good();
    change(&mut claims);
    judge(&claims, &REQUEST, NOW)
}

#[test]
fn a_good_proof_is_taken_and_its_id_is_held_until_nobody_would_take_it_again() {
    let until = judged(|_| {}).unwrap();
    assert_eq!(until, NOW.plus_seconds(PROOF_SKEW_SECONDS));
    assert_eq!(judge(&good(), &REQUEST, until), Err(ProofFault::OutOfTime));
    assert!(judge(&good(), &REQUEST, Moment(until.0 - 1)).is_ok());
}

#[test]
fn a_proof_is_for_one_method_and_one_url() {
    for other in [None, Some("POST"), Some("get"), Some("")] {
        assert_eq!(judged(|claims| claims.method = other.map(String::from)), Err(ProofFault::WrongMethod), "{other:?}");
    }
    for other in
        [None, Some("https://records.example.org/fhir/Patient/ben"), Some("https://other.example/fhir/Patient/amina")]
    {
        assert_eq!(judged(|claims| claims.target = other.map(String::from)), Err(ProofFault::WrongTarget), "{other:?}");
    }
}

#[test]
fn without_an_id_it_could_be_used_twice() {
    for none in [None, Some(String::new())] {
        assert_eq!(judged(|claims| claims.id = none.clone()), Err(ProofFault::NoId));
    }
}

#[test]
fn a_proof_is_of_this_minute_by_our_clock() {
    assert_eq!(judged(|claims| claims.made_at = None), Err(ProofFault::NoTime));
    let made = |seconds: i64| judged(|claims| claims.made_at = Some(NOW.plus_seconds(seconds)));
    for good in [-PROOF_SKEW_SECONDS + 1, 0, PROOF_SKEW_SECONDS] {
        assert!(made(good).is_ok(), "{good}");
    }
    for wrong in [-PROOF_SKEW_SECONDS, PROOF_SKEW_SECONDS + 1, -86_400, 86_400] {
        assert_eq!(made(wrong), Err(ProofFault::OutOfTime), "{wrong}");
    }
    for far in [Moment(i64::MIN), Moment(i64::MAX), Moment(0)] {
        assert_eq!(judged(|claims| claims.made_at = Some(far)), Err(ProofFault::OutOfTime), "{far:?}");
    }
}

#[test]
fn beside_an_access_token_a_proof_names_it() {
    assert_eq!(judged(|claims| claims.token_hash = None), Err(ProofFault::NoTokenHash));
    assert_eq!(judged(|claims| claims.token_hash = Some("other".into())), Err(ProofFault::WrongTokenHash));
    let without = ProvenRequest { token_hash: None, ..REQUEST };
    assert!(judge(&good(), &without, NOW).is_ok(), "where none goes with it, it may say what it likes");
    assert!(judge(&ProofClaims { token_hash: None, ..good() }, &without, NOW).is_ok());
}

#[test]
fn a_nonce_that_is_asked_for_is_ours_and_not_old() {
    let with = |nonce| judge(&good(), &ProvenRequest { nonce, ..REQUEST }, NOW);
    let made = |seconds: i64| with(NonceCheck::MadeAt(NOW.plus_seconds(seconds)));
    assert_eq!(with(NonceCheck::Missing), Err(ProofFault::NonceNeeded));
    for good in [0, -PROOF_NONCE_SECONDS + 1, PROOF_SKEW_SECONDS] {
        assert!(made(good).is_ok(), "{good}");
    }
    for wrong in [-PROOF_NONCE_SECONDS, PROOF_SKEW_SECONDS + 1] {
        assert_eq!(made(wrong), Err(ProofFault::NonceNeeded), "{wrong}");
    }
}

#[test]
fn a_url_is_the_same_however_it_is_spelt() {
    for same in [
        "HTTPS://Records.Example.ORG/fhir/Patient/amina",
        "https://records.example.org:443/fhir/Patient/amina",
        "https://records.example.org:/fhir/Patient/amina",
        "https://records.example.org/fhir/Patient/amina?_format=json",
        "https://records.example.org/fhir/Patient/amina#part",
        "https://records.example.org/fhir/./Patient/../Patient/amina",
        "https://records.example.org/fhir/%50atient/%61mina",
    ] {
        assert!(is_same(same, URL), "{same}");
    }
    assert!(is_same("http://[::1]:8080/%c3%a9", "http://[::1]:8080/%C3%A9"));
    assert!(is_same("http://[::1]:80/", "http://[::1]"));
    assert!(is_same("http://127.0.0.1:80", "http://127.0.0.1/"));
    assert!(is_same("https://a.example/b/..", "https://a.example"));
}

#[test]
fn another_url_is_another() {
    for other in [
        "",
        "/fhir/Patient/amina",
        "records.example.org/fhir/Patient/amina",
        "http://records.example.org/fhir/Patient/amina",
        "https://records.example.org:8443/fhir/Patient/amina",
        "https://records.example.org.evil.example/fhir/Patient/amina",
        "https://records.example.org@evil.example/fhir/Patient/amina",
        "https://user@records.example.org/fhir/Patient/amina",
        "https://records.example.org/fhir/patient/amina",
        "https://records.example.org/fhir/Patient/amina/",
        "https://records.example.org/fhir//Patient/amina",
        "https://records.example.org/fhir/Patient%2Famina",
        "https://records.example.org/fhir/Patient/amina%",
        "https://records.example.org/fhir/Patient/amina%2",
        "https:///fhir/Patient/amina",
        "ftp://records.example.org/fhir/Patient/amina",
    ] {
        assert!(!is_same(other, URL), "{other}");
    }
}

#[test]
fn a_bound_key_is_shown_each_time_and_changed_by_nobody_but_who_proves_themselves_besides() {
    let [one, other] = ["a", "b"].map(|letter| KeyThumbprint::read(&letter.repeat(43)).unwrap());
    for may_change in [false, true] {
        assert_eq!(bound_key::check(None, None, may_change), KeyCheck::Fits);
        assert_eq!(bound_key::check(None, Some(one), may_change), KeyCheck::Fits);
        assert_eq!(bound_key::check(Some(one), Some(one), may_change), KeyCheck::Fits);
        assert_eq!(bound_key::check(Some(one), None, may_change), KeyCheck::Missing);
    }
    assert_eq!(bound_key::check(Some(one), Some(other), false), KeyCheck::Other);
    assert_eq!(bound_key::check(Some(one), Some(other), true), KeyCheck::Fits);
}

#[test]
fn a_thumbprint_has_forty_three_letters() {
    let print = "0ZcOCORZNYy-DWpqq30jZyJGHTN0d2HglBV3uiguA4I";
    assert_eq!(KeyThumbprint::read(print).unwrap().as_str(), print);
    let (short, long) = (print.get(1..).unwrap(), format!("{print}A"));
    for wrong in ["", short, long.as_str(), &print.replace('-', "+"), &print.replace('-', "=")] {
        assert_eq!(KeyThumbprint::read(wrong), None, "{wrong}");
    }
}

#[test]
fn proofs_are_signed_by_three_algorithms() {
    assert_eq!(SigningAlgorithm::list_of(&SigningAlgorithm::OF_PROOFS), "ES256, ES384 or EdDSA");
}
