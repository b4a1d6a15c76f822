//! A token that is bound to a key (DPoP), on several nodes: a proof is good once on all of them together, and a nonce of one on each.

use crate::fleet::Fleet;
use crate::terminal::answer::Answer;
use crate::terminal::program::Program;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use service::app::clock::Clock;
use sha2::{Digest, Sha256};
use std::cell::Cell;

const BASE: &str = "https://records.example";
const TOKEN: &str = "/apiToken.action";
const WHOAMI: &str = "/json/users/self";

struct Holder {
    key: EcdsaKeyPair,
    proofs: Cell<u32>,
}

impl Holder {
    fn new() -> Self {
        let random = SystemRandom::new();
        let document = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_FIXED_SIGNING, document.as_ref(), &random).unwrap();
        Self { key, proofs: Cell::new(0) }
    }

    fn proof(&self, (method, path): (&str, &str), more: &Value) -> String {
        let base64url = |text: &[u8]| URL_SAFE_NO_PAD.encode(text);
        let (x, y) = self.key.public_key().as_ref()[1..].split_at(32);
        let jwk = json!({"kty": "EC", "crv": "P-256", "x": base64url(x), "y": base64url(y)});
        let head = json!({"typ": "dpop+jwt", "alg": "ES256", "jwk": jwk});
        self.proofs.set(self.proofs.get() + 1);
        let now = Clock::running(0).now().unix_seconds();
        let mut claims =
            json!({"htm": method, "htu": format!("{BASE}{path}"), "iat": now, "jti": self.proofs.get().to_string()});
        for (name, value) in more.as_object().unwrap() {
            claims[name] = value.clone();
        }
        let message =
            format!("{}.{}", base64url(head.to_string().as_bytes()), base64url(claims.to_string().as_bytes()));
        let signed = self.key.sign(&SystemRandom::new(), message.as_bytes()).unwrap();
        format!("{message}.{}", base64url(signed.as_ref()))
    }

    /// A proof for a call with this token.
    fn call(&self, access: &str, more: &Value) -> String {
        let mut claims = json!({"ath": URL_SAFE_NO_PAD.encode(Sha256::digest(access))});
        claims.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        self.proof(("GET", WHOAMI), &claims)
    }
}

fn whoami(node: &Program, access: &str, proof: &str) -> Answer {
    node.get(WHOAMI, &[("Authorization", &format!("DPoP {access}")), ("DPoP", proof)])
}

fn refresh(node: &Program, token: &str, proof: &str) -> Answer {
    let form = format!("grant_type=refresh_token&client_id=sleep-diary&refresh_token={token}");
    node.post_with(TOKEN, &[("Content-Type", "application/x-www-form-urlencoded"), ("DPoP", proof)], &form)
}

/// What the token endpoint says of a request that it refuses.
fn error(answer: &Answer) -> String {
    serde_json::from_str::<Value>(&answer.body).unwrap()["error"].as_str().unwrap().to_owned()
}

#[test]
fn a_proof_that_was_used_on_one_process_is_used_on_the_other() {
    let fleet = Fleet::start();
    let [one, other] = [0, 1].map(|_| fleet.node_with(&[("RECORDGATE_BASE_URL", BASE)]));
    let holder = Holder::new();
    let (_, first) = fleet.issue("amina");
    let nothing = json!({});
    let used = holder.proof(("POST", TOKEN), &nothing);
    let held = refresh(&one, &first, &used).tokens();
    let replayed = refresh(&other, &held.refresh, &used);
    assert_eq!((replayed.status, error(&replayed).as_str()), (400, "invalid_dpop_proof"));
    assert_eq!(error(&other.refresh(&held.refresh)), "invalid_dpop_proof", "nor goes it without one");
    let used = holder.call(&held.access, &nothing);
    assert_eq!(whoami(&one, &held.access, &used).status, 200);
    assert_eq!(whoami(&other, &held.access, &used).status, 401);
    assert_eq!(whoami(&other, &held.access, &holder.call(&held.access, &nothing)).status, 200);
    assert_eq!(other.whoami(&held.access).status, 401, "a bound token is no bearer token");
    let held = refresh(&other, &held.refresh, &holder.proof(("POST", TOKEN), &nothing)).tokens();
    assert_eq!(whoami(&one, &held.access, &holder.call(&held.access, &nothing)).status, 200);
}

#[test]
fn a_nonce_that_one_process_gave_is_known_to_the_other() {
    let fleet = Fleet::start();
    let settings = [("RECORDGATE_BASE_URL", BASE), ("RECORDGATE_DPOP_NONCE", "true")];
    let [one, other] = [0, 1].map(|_| fleet.node_with(&settings));
    let holder = Holder::new();
    let (_, first) = fleet.issue("amina");
    let refused = refresh(&one, &first, &holder.proof(("POST", TOKEN), &json!({})));
    assert_eq!((refused.status, error(&refused).as_str()), (400, "use_dpop_nonce"));
    let nonce = json!({"nonce": refused.headers["dpop-nonce"].to_str().unwrap()});
    let held = refresh(&other, &first, &holder.proof(("POST", TOKEN), &nonce)).tokens();
    assert_eq!(whoami(&one, &held.access, &holder.call(&held.access, &nonce)).status, 200);
    assert_eq!(whoami(&other, &held.access, &holder.call(&held.access, &nonce)).status, 200);
}
