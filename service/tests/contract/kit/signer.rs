//! A client that signs: its key pair, and JWTs with whatever a test wants in them.

use super::world::{BASE, World};
use base64::Engine;
use base64::engine::general_purpose::{STANDARD, URL_SAFE_NO_PAD};
use ring::rand::SystemRandom;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, ECDSA_P384_SHA384_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair,
    RSA_PKCS1_SHA256, RSA_PKCS1_SHA384, RSA_PSS_SHA256, RsaKeyPair,
};
use serde_json::{Value, json};
use service::secrets::dice;
use service::secrets::public_key::PublicKey;
use std::sync::atomic::{AtomicUsize, Ordering};
use store::clients::ClientKey;
use store::salt::Salt;

pub const ASSERTION_TYPE: &str = "urn:ietf:params:oauth:client-assertion-type:jwt-bearer";

/// Making one takes seconds in a debug build; it guards nothing but the worlds of these tests.
const RSA_KEY: &str = include_str!("signer_rsa.txt");

/// A private key.
pub struct Signer {
    kid: Option<&'static str>,
    pair: Pair,
}

enum Pair {
    P256(EcdsaKeyPair),
    P384(EcdsaKeyPair),
    Ed25519(Ed25519KeyPair),
    Rsa(Box<RsaKeyPair>),
}

pub fn base64url(bytes: impl AsRef<[u8]>) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

impl Signer {
    /// A new key of the type that this algorithm needs, without a `kid`.
    pub fn for_algorithm(algorithm: &str) -> Self {
        let random = SystemRandom::new();
        let ecdsa = |curve| {
            let document = EcdsaKeyPair::generate_pkcs8(curve, &random).unwrap();
            EcdsaKeyPair::from_pkcs8(curve, document.as_ref(), &random).unwrap()
        };
        let pair = match algorithm {
            "ES256" => Pair::P256(ecdsa(&ECDSA_P256_SHA256_FIXED_SIGNING)),
            "ES384" => Pair::P384(ecdsa(&ECDSA_P384_SHA384_FIXED_SIGNING)),
            "EdDSA" => {
                let document = Ed25519KeyPair::generate_pkcs8(&random).unwrap();
                Pair::Ed25519(Ed25519KeyPair::from_pkcs8(document.as_ref()).unwrap())
            }
            "RS256" | "RS384" | "PS256" => {
                Pair::Rsa(Box::new(RsaKeyPair::from_der(&STANDARD.decode(RSA_KEY).unwrap()).unwrap()))
            }
            other => panic!("no key for {other}"),
        };
        Self { kid: None, pair }
    }

    /// A new key with this `kid`.
    pub fn called(kid: &'static str) -> Self {
        Self { kid: Some(kid), ..Self::for_algorithm("ES256") }
    }

    /// Its public part.
    pub fn jwk(&self) -> Value {
        let point = |key: &EcdsaKeyPair, curve: &str| {
            let (x, y) = key.public_key().as_ref()[1..].split_at(key.public_key().as_ref().len() / 2);
            json!({"kty": "EC", "crv": curve, "x": base64url(x), "y": base64url(y)})
        };
        let mut jwk = match &self.pair {
            Pair::P256(key) => point(key, "P-256"),
            Pair::P384(key) => point(key, "P-384"),
            Pair::Ed25519(key) => json!({"kty": "OKP", "crv": "Ed25519", "x": base64url(key.public_key())}),
            Pair::Rsa(key) => {
                let public = ring::rsa::PublicKeyComponents::<Vec<u8>>::from(key.public());
                json!({"kty": "RSA", "n": base64url(public.n), "e": base64url(public.e)})
            }
        };
        if let Some(kid) = self.kid {
            jwk["kid"] = kid.into();
        }
        jwk
    }

    /// The key as a client is registered with it.
    pub fn key(&self) -> ClientKey {
        key_of(&self.jwk())
    }

    /// Signs as the header says, or as near to it as this key can.
    pub fn sign(&self, header: &Value, claims: &Value) -> String {
        let message = format!("{}.{}", base64url(header.to_string()), base64url(claims.to_string()));
        let random = SystemRandom::new();
        let signature = match &self.pair {
            Pair::P256(key) | Pair::P384(key) => key.sign(&random, message.as_bytes()).unwrap().as_ref().to_vec(),
            Pair::Ed25519(key) => key.sign(message.as_bytes()).as_ref().to_vec(),
            Pair::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                let padding: &dyn ring::signature::RsaEncoding = match header["alg"].as_str() {
                    Some("PS256") => &RSA_PSS_SHA256,
                    Some("RS384") => &RSA_PKCS1_SHA384,
                    _ => &RSA_PKCS1_SHA256,
                };
                key.sign(padding, &random, message.as_bytes(), &mut signature).unwrap();
                signature
            }
        };
        format!("{message}.{}", base64url(signature))
    }

    /// The header of an ordinary assertion by this key.
    pub fn header(&self) -> Value {
        let algorithm = match &self.pair {
            Pair::P256(_) => "ES256",
            Pair::P384(_) => "ES384",
            Pair::Ed25519(_) => "EdDSA",
            Pair::Rsa(_) => "RS256",
        };
        match self.kid {
            Some(kid) => json!({"alg": algorithm, "kid": kid}),
            None => json!({"alg": algorithm}),
        }
    }

    /// An ordinary assertion.
    pub fn assertion(&self, world: &World, client_id: &str) -> String {
        self.sign(&self.header(), &claims(world, client_id))
    }
}

pub fn key_of(jwk: &Value) -> ClientKey {
    ClientKey { jwk: PublicKey::read(jwk).unwrap().jwk, salt: Salt::new(dice::bytes().unwrap()) }
}

/// What an ordinary assertion says, with a `jti` of its own.
pub fn claims(world: &World, client_id: &str) -> Value {
    static NEXT: AtomicUsize = AtomicUsize::new(0);
    let (now, number) = (world.now().0 / 1000, NEXT.fetch_add(1, Ordering::Relaxed));
    json!({"iss": client_id, "sub": client_id, "aud": BASE, "iat": now, "exp": now + 60, "jti": format!("jti-{number}")})
}
