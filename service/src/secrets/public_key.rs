//! A client's public key: read strictly from a JWK, so that what is wrong with it is told when it is registered.

use super::signatures;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::DecodingKey;
use jsonwebtoken::jwk::{Jwk, ThumbprintHash};
use ring::agreement::{self, ECDH_P256, ECDH_P384};
use ring::rand::SystemRandom;
use rules::bound_key::KeyThumbprint;
use rules::clients::SigningAlgorithm;
use rules::limits::RSA_BITS;
use serde_json::{Map, Value};

/// Members that only a private or a shared key has.
const PRIVATE: [&str; 9] = ["d", "p", "q", "dp", "dq", "qi", "oth", "k", "priv"];
/// What is kept of a JWK, in this order: the key itself first. Certificates and the like are of no use here.
const MATERIAL: [&str; 6] = ["kty", "crv", "x", "y", "n", "e"];
const KEPT: [&str; 4] = ["kid", "alg", "use", "key_ops"];
const LONGEST_KID: usize = 200;

/// A public key that can check signatures.
#[derive(Clone, Debug)]
pub struct PublicKey {
    pub kid: Option<String>,
    /// The JWK on one line, without anything that is not needed.
    pub jwk: String,
    /// What makes two keys the same key, whatever they are called.
    pub material: String,
    algorithms: Vec<SigningAlgorithm>,
    decoding: DecodingKey,
}

impl PublicKey {
    /// Reads a JWK that somebody gives; what is wrong with it is told as the end of a sentence about "the key".
    pub fn read(jwk: &Value) -> Result<Self, String> {
        let key = Self::parse(jwk)?;
        match jwk.get("crv").and_then(Value::as_str) {
            Some("P-256") => must_be_on_curve(jwk, &ECDH_P256)?,
            Some("P-384") => must_be_on_curve(jwk, &ECDH_P384)?,
            _ => {}
        }
        Ok(key)
    }

    /// Whether a JWK holds what only a private or a shared key has.
    #[must_use]
    pub fn is_private(jwk: &Value) -> bool {
        PRIVATE.iter().any(|name| jwk.get(name).is_some())
    }

    /// Reads a JWK that something signed brings along: whether it is on its curve the signature shows.
    pub fn brought(jwk: &Value) -> Result<Self, String> {
        Self::parse(jwk)
    }

    /// By what the key is known (RFC 7638).
    #[must_use]
    pub fn thumbprint(&self) -> Option<KeyThumbprint> {
        signatures::get_ready();
        let jwk: Jwk = serde_json::from_str(&self.material).ok()?;
        KeyThumbprint::read(&jwk.thumbprint(ThumbprintHash::SHA256).ok()?)
    }

    fn parse(jwk: &Value) -> Result<Self, String> {
        let members = jwk.as_object().ok_or("is no JSON object")?;
        if let Some(private) = PRIVATE.iter().find(|name| members.contains_key(**name)) {
            return Err(format!(
                "holds private or shared key material ({private:?}): it is not secret any more, make a new key, and give \
                 only its public part"
            ));
        }
        let kid = text_if_any(members, "kid")?;
        if kid.is_some_and(|kid| kid.is_empty() || kid.len() > LONGEST_KID || kid.chars().any(char::is_control)) {
            return Err(format!("has a kid that is empty, longer than {LONGEST_KID} bytes, or no plain text"));
        }
        let (decoding, fitting) = material(members)?;
        let algorithms = algorithms(members, fitting)?;
        let part = |names: &[&str]| {
            let kept = names.iter().filter_map(|name| Some(((*name).to_owned(), members.get(*name)?.clone())));
            kept.collect::<Map<String, Value>>()
        };
        let material = Value::Object(part(&MATERIAL)).to_string();
        let jwk = Value::Object(part(&[MATERIAL.as_slice(), &KEPT].concat())).to_string();
        Ok(Self { kid: kid.map(String::from), jwk, material, algorithms, decoding })
    }

    /// Reads a JWK as it is stored: it was found good when it was given.
    pub fn stored(jwk: &str) -> Result<Self, String> {
        Self::parse(&serde_json::from_str(jwk).map_err(|_| "is no JSON")?)
    }

    /// The key in the form of the JOSE library, if it may check signatures of this algorithm.
    #[must_use]
    pub fn for_algorithm(&self, algorithm: SigningAlgorithm) -> Option<&DecodingKey> {
        self.algorithms.contains(&algorithm).then_some(&self.decoding)
    }
}

/// The key itself, and the algorithms that its type and curve fit.
fn material(members: &Map<String, Value>) -> Result<(DecodingKey, &'static [SigningAlgorithm]), String> {
    use SigningAlgorithm::{EdDsa, Es256, Es384, Ps256, Rs256, Rs384};
    let kty = text(members, "kty")?;
    match (kty, text_if_any(members, "crv")?) {
        ("EC", Some("P-256")) => Ok((curve(members, 32)?, &[Es256])),
        ("EC", Some("P-384")) => Ok((curve(members, 48)?, &[Es384])),
        ("OKP", Some("Ed25519")) => {
            let point = bytes(members, "x")?;
            let fits = point.len() == 32;
            let key = fits.then(|| DecodingKey::from_ed_der(&point)).ok_or("has an x that is not 32 bytes long")?;
            Ok((key, &[EdDsa]))
        }
        ("RSA", None) => Ok((rsa(members)?, &[Rs256, Rs384, Ps256])),
        ("EC" | "OKP", crv) => {
            Err(format!("has the crv {:?}; it must be P-256, P-384 or Ed25519", crv.unwrap_or_default()))
        }
        _ => Err(format!("has the kty {kty:?}; it must be EC, OKP or RSA")),
    }
}

fn curve(members: &Map<String, Value>, length: usize) -> Result<DecodingKey, String> {
    let (x, y) = (bytes(members, "x")?, bytes(members, "y")?);
    if x.len() != length || y.len() != length {
        return Err(format!("has an x or y that is not {length} bytes long, as its curve asks"));
    }
    Ok(DecodingKey::from_ec_der(&point(&x, &y)))
}

/// The uncompressed form of a point.
fn point(x: &[u8], y: &[u8]) -> Vec<u8> {
    [[4].as_slice(), x, y].concat()
}

/// Refuses a point that is not on its curve: no signature would ever be good, and nobody would be told why. A key agreement is the
/// way in which the library looks at a point by itself.
fn must_be_on_curve(jwk: &Value, curve: &'static agreement::Algorithm) -> Result<(), String> {
    let members = jwk.as_object().ok_or("is no JSON object")?;
    let peer = agreement::UnparsedPublicKey::new(curve, point(&bytes(members, "x")?, &bytes(members, "y")?));
    let own = agreement::EphemeralPrivateKey::generate(curve, &SystemRandom::new());
    let own = own.map_err(|_| "cannot be looked at: there is no randomness")?;
    agreement::agree_ephemeral(own, &peer, |_| ())
        .map_err(|_| "has an x and a y that are no point on its curve; take them from the key once more".to_owned())
}

fn rsa(members: &Map<String, Value>) -> Result<DecodingKey, String> {
    let (n, e) = (bytes(members, "n")?, bytes(members, "e")?);
    let leading_zeros = n.first().map_or(0, |first| first.leading_zeros() as usize);
    let bits = n.len() * 8 - leading_zeros;
    if leading_zeros == 8 || !RSA_BITS.contains(&bits) {
        let (least, most) = (RSA_BITS.start(), RSA_BITS.end());
        return Err(format!("is an RSA key of {bits} bits; it must have {least} to {most}, and no leading zero byte"));
    }
    let odd = e.last().is_some_and(|last| last % 2 == 1);
    if !odd || e.first() == Some(&0) || e == [1] || e.len() > 4 {
        return Err("has an exponent e that no sound RSA key has; 65537 (AQAB) is the usual one".into());
    }
    Ok(DecodingKey::from_rsa_raw_components(&n, &e))
}

/// What a key says of its own use narrows what it may be used for.
fn algorithms(members: &Map<String, Value>, fitting: &[SigningAlgorithm]) -> Result<Vec<SigningAlgorithm>, String> {
    if let Some(used) = text_if_any(members, "use")?
        && used != "sig"
    {
        return Err(format!("has the use {used:?}; a key that signs has sig"));
    }
    if let Some(operations) = members.get("key_ops") {
        let operations = operations.as_array().ok_or("has key_ops that are no list")?;
        if !operations.iter().any(|operation| operation == "verify") {
            return Err("has key_ops without verify".into());
        }
    }
    let Some(word) = text_if_any(members, "alg")? else { return Ok(fitting.to_vec()) };
    let named = SigningAlgorithm::named(word)
        .ok_or_else(|| format!("has the alg {word:?}; it must be {}", SigningAlgorithm::list()))?;
    fitting
        .contains(&named)
        .then(|| vec![named])
        .ok_or_else(|| format!("has the alg {word}, which its kty and crv do not fit"))
}

fn text_if_any<'m>(members: &'m Map<String, Value>, name: &str) -> Result<Option<&'m str>, String> {
    members.get(name).map(|value| value.as_str().ok_or_else(|| format!("has a {name} that is no text"))).transpose()
}

fn text<'m>(members: &'m Map<String, Value>, name: &str) -> Result<&'m str, String> {
    text_if_any(members, name)?.ok_or_else(|| format!("has no {name}"))
}

fn bytes(members: &Map<String, Value>, name: &str) -> Result<Vec<u8>, String> {
    let encoded = text(members, name)?;
    URL_SAFE_NO_PAD.decode(encoded).map_err(|_| format!("has a {name} that is not base64url without padding"))
}
