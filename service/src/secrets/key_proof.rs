//! A proof that somebody holds a key (DPoP, RFC 9449), as it was sent: believed when the key that it brings along has signed it.

use super::public_key::PublicKey;
use super::signatures::{self, moment};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use jsonwebtoken::errors::ErrorKind;
use rules::bound_key::KeyThumbprint;
use rules::clients::SigningAlgorithm;
use rules::dpop::fault::ProofFault;
use rules::dpop::proof::{PROOF_TYPE, ProofClaims};
use serde::Deserialize;
use serde_json::Value;

/// A proof whose signature is good.
#[derive(Debug)]
pub struct KeyProof {
    pub key: KeyThumbprint,
    pub claims: ProofClaims,
    pub nonce: Option<String>,
}

/// The head as JSON has it. The library's own leaves out of a key what it does not know: a private part.
#[derive(Deserialize)]
struct ProofHead {
    typ: Option<String>,
    alg: Option<String>,
    jwk: Option<Value>,
    crit: Option<Value>,
}

/// The claims as JSON has them. What is there twice, or of another type, makes the whole unreadable.
#[derive(Deserialize)]
struct ProofClaimSet {
    jti: Option<String>,
    htm: Option<String>,
    htu: Option<String>,
    iat: Option<f64>,
    ath: Option<String>,
    nonce: Option<String>,
}

impl KeyProof {
    /// Reads a proof, and checks its signature.
    pub fn read(text: &str) -> Result<Self, ProofFault> {
        let head = text.split('.').next().and_then(|head| URL_SAFE_NO_PAD.decode(head).ok());
        let head: Option<ProofHead> = head.and_then(|head| serde_json::from_slice(&head).ok());
        let head = head.filter(|head| head.crit.is_none()).ok_or(ProofFault::Unreadable)?;
        if head.typ.as_deref() != Some(PROOF_TYPE) {
            return Err(ProofFault::WrongType);
        }
        let algorithm = head.alg.as_deref().and_then(SigningAlgorithm::named);
        let algorithm = algorithm.filter(|algorithm| SigningAlgorithm::OF_PROOFS.contains(algorithm));
        let algorithm = algorithm.ok_or(ProofFault::WrongAlgorithm)?;
        let jwk = head.jwk.ok_or(ProofFault::NoKey)?;
        if PublicKey::is_private(&jwk) {
            return Err(ProofFault::PrivateKey);
        }
        let public = PublicKey::brought(&jwk).map_err(|_| ProofFault::UnfitKey)?;
        let decoding = public.for_algorithm(algorithm).ok_or(ProofFault::UnfitKey)?;
        let key = public.thumbprint().ok_or(ProofFault::UnfitKey)?;
        let verified = jsonwebtoken::decode::<ProofClaimSet>(text, decoding, &signatures::signature_only(algorithm));
        let ProofClaimSet { jti, htm, htu, iat, ath, nonce } = verified
            .map_err(|error| match error.kind() {
                ErrorKind::InvalidSignature => ProofFault::WrongSignature,
                _ => ProofFault::Unreadable,
            })?
            .claims;
        let claims = ProofClaims { id: jti, method: htm, target: htu, made_at: iat.map(moment), token_hash: ath };
        Ok(Self { key, claims, nonce })
    }
}
