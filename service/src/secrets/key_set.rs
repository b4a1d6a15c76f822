//! A client's JWK Set (RFC 7517, 5), as an operator gives it: read as a whole, and every fault of every key told.

use super::public_key::PublicKey;
use rules::limits::{CLIENT_KEYS, KEY_SET_BYTES};
use serde_json::Value;

/// Reads a JWK Set. A fault is a sentence about "jwks".
pub fn read(text: &str) -> Result<Vec<PublicKey>, Vec<String>> {
    let one = |fault: &str| vec![fault.to_owned()];
    if text.len() > KEY_SET_BYTES {
        return Err(vec![format!("jwks is longer than {KEY_SET_BYTES} bytes")]);
    }
    let set: Value = serde_json::from_str(text).map_err(|error| vec![format!("jwks is no JSON: {error}")])?;
    let Some(given) = set.get("keys").and_then(Value::as_array) else {
        return Err(one(r#"jwks must be a JWK Set: {"keys": [ … ]}"#));
    };
    if given.is_empty() || given.len() > CLIENT_KEYS {
        return Err(vec![format!("jwks has {} keys; it must have 1 to {CLIENT_KEYS}", given.len())]);
    }
    let (mut keys, mut faults) = (Vec::<PublicKey>::new(), Vec::new());
    for (at, jwk) in given.iter().enumerate() {
        match PublicKey::read(jwk) {
            Err(fault) => faults.push(format!("jwks: the {} key {fault}", ordinal(at))),
            Ok(key) if keys.iter().any(|known| known.material == key.material) => {
                faults.push(format!("jwks: the {} key is there already", ordinal(at)));
            }
            Ok(key) if key.kid.is_some() && keys.iter().any(|known| known.kid == key.kid) => {
                faults.push(format!("jwks: the {} key has the kid of another", ordinal(at)));
            }
            Ok(key) => keys.push(key),
        }
    }
    if faults.is_empty() { Ok(keys) } else { Err(faults) }
}

fn ordinal(at: usize) -> String {
    match at {
        0 => "first".into(),
        1 => "second".into(),
        2 => "third".into(),
        _ => format!("{}th", at + 1),
    }
}
