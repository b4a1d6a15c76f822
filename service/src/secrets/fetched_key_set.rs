//! A client's JWK Set as its server answers it: what is of no use here is passed over, because a client may have keys for others.

use super::public_key::PublicKey;
use rules::limits::FETCHED_KEYS;
use serde_json::Value;

/// Reads the keys that can check signatures here. A fault is the end of a sentence about the answer.
pub fn read(body: &[u8]) -> Result<Vec<PublicKey>, &'static str> {
    let set: Value = serde_json::from_slice(body).map_err(|_| "is no JSON")?;
    let given = set.get("keys").and_then(Value::as_array).ok_or(r#"is no JWK Set ({"keys": [ … ]})"#)?;
    if given.len() > FETCHED_KEYS {
        return Err("has too many keys");
    }
    // Whoever publishes a private key has lost it: what it signs is nobody's word.
    if given.iter().any(PublicKey::is_private) {
        return Err("holds private or shared key material, which is not secret any more");
    }
    let mut keys = Vec::<PublicKey>::new();
    for key in given.iter().filter_map(|jwk| PublicKey::read(jwk).ok()) {
        if keys.iter().all(|known| known.material != key.material || known.kid != key.kid) {
            keys.push(key);
        }
    }
    Ok(keys)
}

#[cfg(test)]
mod tests {
    use super::read;
    use proptest::prelude::*;
    use rules::limits::FETCHED_KEYS;
    use serde_json::json;

    const ONE: &str = r#"{"kty":"OKP","crv":"Ed25519","x":"11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo"}"#;

    fn set(keys: &[&str]) -> String {
        format!(r#"{{"keys":[{}]}}"#, keys.join(","))
    }

    #[test]
    fn keys_of_no_use_here_are_passed_over_and_the_others_read() {
        let others = [r#"{"kty":"AKP","alg":"ML-DSA-44"}"#, r#"{"kty":"EC","crv":"P-521"}"#, "7", "null", ONE];
        let encrypting = ONE.replace("\"x\"", "\"use\":\"enc\",\"x\"");
        let keys = read(set(&[&others[..], &[encrypting.as_str(), ONE]].concat()).as_bytes()).unwrap();
        assert_eq!(keys.len(), 1, "the same key twice is one");
        assert_eq!(read(br#"{"keys":[]}"#).unwrap().len(), 0);
    }

    #[test]
    fn a_set_with_a_private_or_a_shared_key_is_refused_as_a_whole() {
        for leaked in [ONE.replace("\"x\"", "\"d\":\"AAAA\",\"x\""), r#"{"kty":"oct","k":"c2VjcmV0"}"#.into()] {
            let fault = read(set(&[ONE, &leaked]).as_bytes()).unwrap_err();
            assert!(fault.contains("private or shared key material"), "{fault}");
        }
    }

    #[test]
    fn what_is_no_set_or_too_large_a_one_is_refused() {
        let many = set(&vec![ONE; FETCHED_KEYS + 1]);
        let deep = "[".repeat(60_000);
        for (body, told) in [
            ("", "no JSON"),
            (deep.as_str(), "no JSON"),
            ("[]", "no JWK Set"),
            (r#"{"keys":{}}"#, "no JWK Set"),
            (&many, "too many"),
        ] {
            assert!(read(body.as_bytes()).unwrap_err().contains(told), "{told}");
        }
    }

    proptest! {
        /// Whatever a server answers, it is read or refused.
        #[test]
        fn no_bytes_bring_the_reading_to_its_end(body in proptest::collection::vec(any::<u8>(), 0..2000)) {
            prop_assert!(read(&body).map_or(true, |keys| keys.len() <= FETCHED_KEYS));
        }

        /// Nor do keys whose members are of any sort.
        #[test]
        fn no_members_of_a_key_do(
            kty in "EC|OKP|RSA|oct|", crv in "P-256|P-384|Ed25519|", x in ".{0,60}", y in "[A-Za-z0-9_-]{0,90}", n in any::<Option<i64>>()
        ) {
            let jwk = json!({"kty": kty, "crv": crv, "x": x, "y": y, "n": y, "e": x, "kid": n, "alg": n});
            let keys = read(json!({"keys": [jwk]}).to_string().as_bytes()).unwrap();
            prop_assert!(keys.len() <= 1);
        }
    }
}
