//! A key that signs id_tokens: made here, sealed by the key ring to be kept, and told to everybody as a JWK.

use super::dice::{self, NoRandomness};
use super::keys::Keys;
use super::secret::Secret;
use super::signatures::{self, library_name};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::{EncodingKey, Header};
use ring::error::KeyRejected;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RsaKeyPair};
use rsa::pkcs8::EncodePrivateKey;
use rules::clients::SigningAlgorithm;
use serde::Serialize;
use serde_json::{Value, json};
use zeroize::Zeroizing;

/// Of the RSA keys that are made here.
const RSA_KEY_BITS: usize = 2048;
/// What a sealed private part begins with.
const SEALED_PREFIX: &str = "rgk_";

/// A private key, with the id by which its signatures name it.
pub struct SigningKey {
    id: String,
    algorithm: SigningAlgorithm,
    /// In the form of PKCS #8.
    private: Zeroizing<Vec<u8>>,
}

/// Why a key cannot be made, or does not sign.
#[derive(Debug, thiserror::Error)]
pub enum SigningTrouble {
    #[error(transparent)]
    NoRandomness(#[from] NoRandomness),
    #[error("no RSA key could be made: {0}")]
    Rsa(#[from] rsa::Error),
    #[error("no RSA key could be written down: {0}")]
    Encoding(#[from] rsa::pkcs8::Error),
    #[error("no key could be made")]
    NotMade,
    #[error("the key that was made cannot be used: {0}")]
    Rejected(KeyRejected),
    #[error("nothing can be signed: {0}")]
    NotSigned(#[from] jsonwebtoken::errors::Error),
    #[error("no key of this kind signs id_tokens")]
    WrongKind,
}

impl From<KeyRejected> for SigningTrouble {
    fn from(why: KeyRejected) -> Self {
        Self::Rejected(why)
    }
}

impl std::fmt::Debug for SigningKey {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "SigningKey({}, {})", self.id, self.algorithm.word())
    }
}

impl SigningKey {
    /// A new key. Looking for the primes of an RSA key takes long: call it from a thread that may.
    pub fn new(algorithm: SigningAlgorithm) -> Result<Self, SigningTrouble> {
        let private = match algorithm {
            SigningAlgorithm::Es256 => {
                let made = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &SystemRandom::new());
                made.map_err(|_| SigningTrouble::NotMade)?.as_ref().to_vec()
            }
            SigningAlgorithm::Rs256 => {
                let made = rsa::RsaPrivateKey::new(&mut dice::source(), RSA_KEY_BITS)?;
                made.to_pkcs8_der()?.as_bytes().to_vec()
            }
            _ => return Err(SigningTrouble::WrongKind),
        };
        let id = URL_SAFE_NO_PAD.encode(dice::bytes::<12>()?);
        Ok(Self { id, algorithm, private: Zeroizing::new(private) })
    }

    #[must_use]
    pub fn id(&self) -> &str {
        &self.id
    }

    /// The public part (RFC 7517).
    pub fn jwk(&self) -> Result<Value, SigningTrouble> {
        let text = |bytes: &[u8]| URL_SAFE_NO_PAD.encode(bytes);
        let (kid, alg) = (&self.id, self.algorithm.word());
        match self.algorithm {
            SigningAlgorithm::Es256 => {
                let pair = signatures::p256(&self.private)?;
                // The uncompressed form of a point: a byte that says so, and two coordinates.
                let point = pair.public_key().as_ref().get(1..).unwrap_or_default();
                let (x, y) = point.split_at(point.len() / 2);
                let (x, y) = (text(x), text(y));
                Ok(json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": kid, "alg": alg, "use": "sig" }))
            }
            SigningAlgorithm::Rs256 => {
                let public = PublicKeyComponents::<Vec<u8>>::from(RsaKeyPair::from_pkcs8(&self.private)?.public());
                let (n, e) = (text(&public.n), text(&public.e));
                Ok(json!({ "kty": "RSA", "n": n, "e": e, "kid": kid, "alg": alg, "use": "sig" }))
            }
            _ => Err(SigningTrouble::WrongKind),
        }
    }

    /// The private part as it is kept. Bound to the key's own id, so that none takes another's place.
    #[must_use]
    pub fn sealed(&self, keys: &Keys) -> Option<String> {
        keys.seal(&prefix(&self.id), &self.private)
    }

    /// The key of this id as it was kept; none, where the ring has no key that opens it.
    #[must_use]
    pub fn open(keys: &Keys, id: &str, algorithm: SigningAlgorithm, sealed: &str) -> Option<Self> {
        let private = Zeroizing::new(keys.open_sealed(&prefix(id), sealed)?);
        Some(Self { id: id.to_owned(), algorithm, private })
    }

    /// A JWT that says this (RFC 7519).
    pub fn sign(&self, claims: &impl Serialize) -> Result<Secret, SigningTrouble> {
        signatures::get_ready();
        let key = match self.algorithm {
            SigningAlgorithm::Es256 => EncodingKey::from_ec_der(&self.private),
            SigningAlgorithm::Rs256 => EncodingKey::from_rsa_der(&self.private),
            _ => return Err(SigningTrouble::WrongKind),
        };
        let header = Header { kid: Some(self.id.clone()), ..Header::new(library_name(self.algorithm)) };
        Ok(Secret::new(jsonwebtoken::encode(&header, claims, &key)?))
    }
}

fn prefix(id: &str) -> String {
    format!("{SEALED_PREFIX}{id}.")
}

#[cfg(test)]
mod tests {
    use super::*;
    use rules::openid::ID_TOKEN_ALGORITHMS;

    #[test]
    fn a_key_opens_with_its_ring_and_under_its_own_id_alone() {
        let directory = tempfile::tempdir().unwrap();
        let ring = |name| Keys::open(&directory.path().join(name), false, Some("store")).unwrap();
        let (own, other) = (ring("own"), ring("other"));
        let algorithm = SigningAlgorithm::Es256;
        let (key, second) = (SigningKey::new(algorithm).unwrap(), SigningKey::new(algorithm).unwrap());
        let sealed = key.sealed(&own).unwrap();
        let opened = SigningKey::open(&own, key.id(), algorithm, &sealed).unwrap();
        assert_eq!(opened.jwk().unwrap(), key.jwk().unwrap());
        assert!(SigningKey::open(&other, key.id(), algorithm, &sealed).is_none());
        assert!(SigningKey::open(&own, second.id(), algorithm, &sealed).is_none());
    }

    #[test]
    fn what_it_signs_is_good_by_its_public_part_and_by_no_other() {
        for algorithm in ID_TOKEN_ALGORITHMS {
            let (key, other) = (SigningKey::new(algorithm).unwrap(), SigningKey::new(SigningAlgorithm::Es256).unwrap());
            let token = key.sign(&json!({ "sub": "somebody" })).unwrap();
            let (message, signature) = token.reveal().rsplit_once('.').unwrap();
            let is_good = |key: &SigningKey| {
                let public = super::super::public_key::PublicKey::read(&key.jwk().unwrap()).unwrap();
                let Some(public) = public.for_algorithm(algorithm) else { return false };
                jsonwebtoken::crypto::verify(signature, message.as_bytes(), public, library_name(algorithm)).unwrap()
            };
            assert!(is_good(&key), "{}", algorithm.word());
            assert!(!is_good(&other), "{}", algorithm.word());
            assert_eq!(jsonwebtoken::decode_header(token.reveal()).unwrap().kid.as_deref(), Some(key.id()));
            assert!(!format!("{key:?}{token:?}").contains(signature), "it is not told by accident");
        }
    }
}
