//! The proof of a key that goes with a request (DPoP, RFC 9449): asked for here, and nowhere else.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::secrets::key_proof::KeyProof;
use crate::voices::api::ApiStop;
use crate::voices::token::NoTokens;
use axum::http::HeaderName;
use axum::http::request::Parts;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rules::answers::Refusal;
use rules::bound_key::KeyThumbprint;
use rules::dpop::fault::ProofFault;
use rules::dpop::proof::{self, NonceCheck, ProvenRequest};
use rules::moment::Moment;
use rules::oauth_errors::TokenRefusal;
use sha2::{Digest, Sha256};
use store::proofs::{self, Spending, SpentProof};

/// The header of a proof, and that of a nonce for the next.
pub(crate) const PROOF_HEADER: HeaderName = HeaderName::from_static("dpop");
pub(crate) const NONCE_HEADER: HeaderName = HeaderName::from_static("dpop-nonce");
const NONCE_PREFIX: &str = "rgn_";

/// A key that the sender of a request holds. The proof of it is not used up yet.
#[derive(Debug)]
pub(crate) struct ShownKey {
    pub(crate) key: KeyThumbprint,
    proof: SpentProof,
}

/// Why a proof is not taken, or cannot be looked at.
#[derive(Debug)]
pub(crate) enum ProofStop {
    Fault(ProofFault),
    Trouble(Trouble),
}

impl From<ProofFault> for ProofStop {
    fn from(fault: ProofFault) -> Self {
        Self::Fault(fault)
    }
}

impl From<Trouble> for ProofStop {
    fn from(trouble: Trouble) -> Self {
        Self::Trouble(trouble)
    }
}

impl From<ProofStop> for ApiStop {
    fn from(stop: ProofStop) -> Self {
        match stop {
            ProofStop::Fault(fault) => Self::Refusal(Refusal::Proof(fault)),
            ProofStop::Trouble(trouble) => Self::Trouble(trouble),
        }
    }
}

impl From<ProofStop> for NoTokens {
    fn from(stop: ProofStop) -> Self {
        match stop {
            ProofStop::Fault(fault) => Self::Refusal(TokenRefusal::Proof(fault)),
            ProofStop::Trouble(trouble) => Self::Trouble(trouble),
        }
    }
}

/// The key that is shown with a request, if one is, and beside which access token.
pub(crate) fn shown(app: &App, head: &Parts, token: Option<&str>) -> Result<Option<ShownKey>, ProofFault> {
    let mut all = head.headers.get_all(PROOF_HEADER).iter();
    let Some(first) = all.next() else { return Ok(None) };
    if all.next().is_some() {
        return Err(ProofFault::Twice);
    }
    let KeyProof { key, claims, nonce } = KeyProof::read(first.to_str().map_err(|_| ProofFault::Unreadable)?)?;
    let token_hash = token.map(|token| URL_SAFE_NO_PAD.encode(Sha256::digest(token)));
    let request = ProvenRequest {
        method: head.method.as_str(),
        url: &format!("{}{}", app.settings.base_url, head.uri.path()),
        token_hash: token_hash.as_deref(),
        nonce: if app.settings.dpop_nonce { made(app, nonce.as_deref()) } else { NonceCheck::NotAsked },
    };
    let expires_at = proof::judge(&claims, &request, app.clock.now())?;
    let proof = SpentProof::new(&key, claims.id.as_deref().unwrap_or_default(), expires_at);
    Ok(Some(ShownKey { key, proof }))
}

/// Whether whoever sends a bound access token shows its key.
pub(super) async fn must_show(app: &App, head: &Parts, token: &str, key: KeyThumbprint) -> Result<(), ProofStop> {
    let shown = shown(app, head, Some(token))?.ok_or(ProofFault::Missing)?;
    if shown.key != key {
        return Err(ProofFault::OtherKey.into());
    }
    shown.used(app).await.map(|_| ())
}

impl ShownKey {
    /// Uses the proof up: it shows the key once.
    pub(crate) async fn used(self, app: &App) -> Result<KeyThumbprint, ProofStop> {
        let spent = proofs::spend(&app.store, self.proof, app.clock.now()).await;
        match spent.during("noting that a proof of a key was used")? {
            Spending::Spent => Ok(self.key),
            Spending::Replayed => Err(ProofFault::Spent.into()),
            Spending::Full => {
                Err(Trouble::passing("noting that a proof of a key was used", "there is no room for it").into())
            }
        }
    }
}

/// A nonce for the next proof: the moment, sealed, so that every node knows it and none keeps it.
pub(crate) fn nonce(app: &App) -> Option<String> {
    app.keys.seal(NONCE_PREFIX, &app.clock.now().0.to_be_bytes())
}

/// When a nonce was made here.
fn made(app: &App, nonce: Option<&str>) -> NonceCheck {
    let opened = nonce.and_then(|nonce| app.keys.open_sealed(NONCE_PREFIX, nonce));
    let made_at = opened.and_then(|bytes| bytes.try_into().ok()).map(i64::from_be_bytes);
    made_at.map_or(NonceCheck::Missing, |made_at| NonceCheck::MadeAt(Moment(made_at)))
}
