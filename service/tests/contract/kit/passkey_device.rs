//! A device that keeps a passkey, and the browser before it: answers what a page of ours asks, honestly or as an enemy would.

use super::page::Page;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

/// Where the service is reached by people who have passkeys.
pub const HERE: &str = "http://localhost:8080";
const PRESENT: u8 = 0x01;
const VERIFIED: u8 = 0x04;
const MAY_BE_SYNCED: u8 = 0x08;
const NEW: u8 = 0x40;

/// A device with one passkey.
pub struct PasskeyDevice {
    key: EcdsaKeyPair,
    credential: Vec<u8>,
    user: Vec<u8>,
    /// What it counts; 0 for ever: it does not.
    pub counter: u32,
    pub is_synced: bool,
}

/// How the browser and the device answer.
#[derive(Clone)]
pub struct Manner {
    pub origin: &'static str,
    pub relying_party: &'static str,
    pub is_present: bool,
    pub verifies: bool,
    pub kind: Option<&'static str>,
    pub is_framed: bool,
}

impl Default for Manner {
    fn default() -> Self {
        Self {
            origin: HERE,
            relying_party: "localhost",
            is_present: true,
            verifies: true,
            kind: None,
            is_framed: false,
        }
    }
}

/// What a page asks the browser for.
pub fn options(page: &Page) -> Value {
    let (_, after) = page.html.split_once("data-options=\"").expect("a question to the browser");
    let escaped = after.split('"').next().unwrap();
    let text = [("&#34;", "\""), ("&#39;", "'"), ("&#60;", "<"), ("&#62;", ">"), ("&#38;", "&")];
    serde_json::from_str(&text.iter().fold(escaped.to_owned(), |text, (from, to)| text.replace(from, to))).unwrap()
}

impl PasskeyDevice {
    /// A new device, and what it answers to the page that asks for a passkey.
    pub fn makes(page: &Page) -> (Self, String) {
        Self::makes_as(page, &Manner::default(), false)
    }

    pub fn makes_as(page: &Page, manner: &Manner, is_synced: bool) -> (Self, String) {
        let asked = options(page);
        assert_eq!(asked["rp"]["id"], "localhost");
        assert_eq!(asked["authenticatorSelection"]["residentKey"], "required");
        assert_eq!(asked["authenticatorSelection"]["userVerification"], "required");
        assert_eq!(asked["attestation"], "none");
        let random = SystemRandom::new();
        let pkcs8 = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).unwrap();
        let key = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, pkcs8.as_ref(), &random).unwrap();
        let credential = Sha256::digest(key.public_key().as_ref()).to_vec();
        let user = URL_SAFE_NO_PAD.decode(asked["user"]["id"].as_str().unwrap()).unwrap();
        let device = Self { key, credential, user, counter: 0, is_synced };
        let answer = device.makes_again(page, manner);
        (device, answer)
    }

    /// What it answers who is asked for a new passkey and has this one.
    pub fn makes_again(&self, page: &Page, manner: &Manner) -> String {
        let point = &self.key.public_key().as_ref()[1..];
        let (x, y) = point.split_at(32);
        let (kind, next): (&[u8], &[u8]) = (b"\xa5\x01\x02\x03\x26\x20\x01\x21\x58\x20", b"\x22\x58\x20");
        let cose = [kind, x, next, y].concat();
        let length = u16::try_from(self.credential.len()).unwrap().to_be_bytes();
        let head = self.head(manner, NEW);
        let data = [&head[..], &[0; 16], &length, &self.credential, &cose].concat();
        let size = u16::try_from(data.len()).unwrap().to_be_bytes();
        let before: &[u8] = b"\xa3\x63fmt\x64none\x67attStmt\xa0\x68authData\x59";
        let object = [before, &size, &data].concat();
        let response = json!({
            "clientDataJSON": encoded(&said(page, manner, "webauthn.create")),
            "attestationObject": encoded(&object),
            "transports": ["internal"],
        });
        self.credential_with(&response).to_string()
    }

    /// What it answers to the page that asks for a passkey, or for a code.
    pub fn shows(&self, page: &Page) -> String {
        self.shows_as(page, &Manner::default())
    }

    pub fn shows_as(&self, page: &Page, manner: &Manner) -> String {
        let said = said(page, manner, "webauthn.get");
        let data = self.head(manner, 0);
        let digest = Sha256::digest(&said);
        let signed = [&data[..], &digest[..]].concat();
        let signature = self.key.sign(&SystemRandom::new(), &signed).unwrap();
        let response = json!({
            "clientDataJSON": encoded(&said),
            "authenticatorData": encoded(&data),
            "signature": encoded(signature.as_ref()),
            "userHandle": encoded(&self.user),
        });
        self.credential_with(&response).to_string()
    }

    fn credential_with(&self, response: &Value) -> Value {
        let id = encoded(&self.credential);
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response })
    }

    fn head(&self, manner: &Manner, further: u8) -> Vec<u8> {
        let flag = |is: bool, flag: u8| if is { flag } else { 0 };
        let flags = further
            | flag(manner.is_present, PRESENT)
            | flag(manner.verifies, VERIFIED)
            | flag(self.is_synced, MAY_BE_SYNCED);
        let party = Sha256::digest(manner.relying_party);
        [&party[..], &[flags], &self.counter.to_be_bytes()].concat()
    }
}

/// What the browser says that it does.
fn said(page: &Page, manner: &Manner, kind: &str) -> Vec<u8> {
    let said = json!({
        "type": manner.kind.unwrap_or(kind),
        "challenge": options(page)["challenge"],
        "origin": manner.origin,
        "crossOrigin": manner.is_framed,
    });
    said.to_string().into_bytes()
}

fn encoded(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}
