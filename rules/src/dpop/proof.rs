//! What a proof must say to stand for a key: once, for one request, now.

use super::fault::ProofFault;
use super::target;
use crate::limits::{PROOF_NONCE_SECONDS, PROOF_SKEW_SECONDS};
use crate::moment::Moment;
use alloc::string::String;

/// The `typ` of a proof.
pub const PROOF_TYPE: &str = "dpop+jwt";

/// What a proof says, once its signature has been found good. A time is a moment: whoever reads it turns seconds into one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProofClaims {
    pub id: Option<String>,
    pub method: Option<String>,
    pub target: Option<String>,
    pub made_at: Option<Moment>,
    pub token_hash: Option<String>,
}

/// The request that a proof must be for.
#[derive(Clone, Copy, Debug)]
pub struct ProvenRequest<'r> {
    pub method: &'r str,
    /// Its URL, as clients of ours know it.
    pub url: &'r str,
    /// Of the access token that goes with it, where one does.
    pub token_hash: Option<&'r str>,
    /// Whether proofs need a nonce, and if so when the one that came was made.
    pub nonce: NonceCheck,
}

/// What a proof shows of a nonce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NonceCheck {
    NotAsked,
    /// None of ours.
    Missing,
    MadeAt(Moment),
}

/// Whether a proof is for this request and of this time. Where it is, the moment is given from which nobody would take it any more.
pub fn judge(claims: &ProofClaims, request: &ProvenRequest<'_>, now: Moment) -> Result<Moment, ProofFault> {
    if claims.id.as_deref().is_none_or(str::is_empty) {
        return Err(ProofFault::NoId);
    }
    if claims.method.as_deref() != Some(request.method) {
        return Err(ProofFault::WrongMethod);
    }
    if !claims.target.as_deref().is_some_and(|named| target::is_same(named, request.url)) {
        return Err(ProofFault::WrongTarget);
    }
    match (request.token_hash, claims.token_hash.as_deref()) {
        (Some(_), None) => return Err(ProofFault::NoTokenHash),
        (Some(hash), Some(said)) if said != hash => return Err(ProofFault::WrongTokenHash),
        _ => {}
    }
    let made_at = claims.made_at.ok_or(ProofFault::NoTime)?;
    let over_at = made_at.plus_seconds(PROOF_SKEW_SECONDS);
    if now.is_past(over_at) || made_at > now.plus_seconds(PROOF_SKEW_SECONDS) {
        return Err(ProofFault::OutOfTime);
    }
    match request.nonce {
        NonceCheck::NotAsked => Ok(over_at),
        NonceCheck::MadeAt(at) if is_fresh(at, now) => Ok(over_at),
        NonceCheck::Missing | NonceCheck::MadeAt(_) => Err(ProofFault::NonceNeeded),
    }
}

/// Whether a nonce that was made then is still taken; the clock of the node that made it may be ahead.
fn is_fresh(made_at: Moment, now: Moment) -> bool {
    !now.is_past(made_at.plus_seconds(PROOF_NONCE_SECONDS)) && made_at <= now.plus_seconds(PROOF_SKEW_SECONDS)
}
