//! JWK Sets as operators give them: what is wrong with one is named, and private keys are sent back.

use crate::kit::signer::{Signer, base64url};
use rules::limits::{CLIENT_KEYS, KEY_SET_BYTES};
use serde_json::{Value, json};
use service::secrets::key_set;

fn faults(keys: &[Value]) -> String {
    key_set::read(&json!({ "keys": keys }).to_string()).expect_err("a fault").join("; ")
}

fn with(mut jwk: Value, name: &str, value: Value) -> Value {
    jwk[name] = value;
    jwk
}

#[test]
fn a_set_of_every_type_of_key_is_taken_and_what_is_not_needed_is_left_out() {
    let keys: Vec<Value> = ["ES256", "ES384", "EdDSA", "RS256"]
        .map(|algorithm| with(Signer::for_algorithm(algorithm).jwk(), "x5t", json!("AAAA")))
        .into();
    let read = key_set::read(&json!({ "keys": keys, "more": 1 }).to_string()).unwrap();
    assert_eq!(read.len(), 4);
    for key in read {
        assert!(!key.jwk.contains("x5t") && !key.jwk.contains('\n'), "{}", key.jwk);
    }
}

#[test]
fn private_and_shared_keys_are_sent_back_with_a_sentence() {
    for member in ["d", "p", "q", "dp", "dq", "qi", "k"] {
        let told = faults(&[with(Signer::called("a").jwk(), member, json!("c2VjcmV0"))]);
        assert!(told.contains("private or shared key material") && told.contains("make a new key"), "{told}");
        assert!(!told.contains("c2VjcmV0"), "the message repeats it: {told}");
    }
    assert!(faults(&[json!({"kty": "oct", "k": "c2VjcmV0"})]).contains("shared key material"));
}

#[test]
fn every_fault_of_every_key_is_named() {
    let curve = || Signer::for_algorithm("ES256").jwk();
    let larger = || Signer::for_algorithm("ES384").jwk();
    let rsa = |bytes: usize| json!({"kty": "RSA", "n": base64url(vec![0xff; bytes]), "e": "AQAB"});
    for (jwk, told) in [
        (json!(1), "is no JSON object"),
        (json!({}), "has no kty"),
        (json!({"kty": "DSA"}), "it must be EC, OKP or RSA"),
        (with(curve(), "crv", json!("P-521")), "it must be P-256, P-384 or Ed25519"),
        (with(curve(), "crv", json!("P-384")), "not 48 bytes long"),
        (with(curve(), "x", json!("====")), "base64url"),
        (with(curve(), "y", curve()["y"].clone()), "no point on its curve"),
        (with(larger(), "x", larger()["x"].clone()), "no point on its curve"),
        (with(with(curve(), "x", json!(base64url([0; 32]))), "y", json!(base64url([0; 32]))), "no point on its curve"),
        (with(curve(), "y", Value::Null), "y that is no text"),
        (with(curve(), "use", json!("enc")), "a key that signs has sig"),
        (with(curve(), "key_ops", json!(["sign"])), "without verify"),
        (with(curve(), "alg", json!("HS256")), "it must be ES256"),
        (with(curve(), "alg", json!("RS256")), "do not fit"),
        (with(curve(), "kid", json!("")), "a kid that is empty"),
        (with(curve(), "kid", json!(7)), "kid that is no text"),
        (rsa(128), "1024 bits; it must have 2048 to 8192"),
        (rsa(1025), "8200 bits"),
        (with(rsa(256), "e", json!("AQ")), "exponent"),
        (with(rsa(256), "e", json!("AA")), "exponent"),
        (with(rsa(256), "n", json!("")), "0 bits"),
    ] {
        let found = faults(&[Signer::called("fine").jwk(), jwk.clone()]);
        assert!(found.starts_with("jwks: the second key ") && found.contains(told), "{jwk}: {found}");
    }
    assert_eq!(faults(&[json!(1), json!(2)]).split("; ").count(), 2);
}

#[test]
fn a_set_is_a_set_of_one_to_ten_different_keys() {
    let one = Signer::called("one").jwk();
    assert!(faults(&[]).contains("has 0 keys"));
    assert!(faults(&vec![one.clone(); CLIENT_KEYS + 1]).contains("it must have 1 to 10"));
    assert!(faults(&[one.clone(), with(one.clone(), "kid", json!("other"))]).contains("is there already"));
    assert!(faults(&[one, Signer::called("one").jwk()]).contains("has the kid of another"));
    for (text, told) in [("", "is no JSON"), ("[]", "must be a JWK Set"), (r#"{"keys":1}"#, "must be a JWK Set")] {
        assert!(key_set::read(text).unwrap_err()[0].contains(told), "{text}");
    }
    let long = " ".repeat(KEY_SET_BYTES + 1);
    assert!(key_set::read(&long).unwrap_err()[0].contains("longer than"));
}
