//! Why a proof is not taken.

use crate::clients::SigningAlgorithm;
use crate::limits::PROOF_SKEW_SECONDS;
use alloc::{borrow::Cow, format};

/// Why a proof is not taken. All from `NoId` on are said only of a proof whose signature is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProofFault {
    /// None was sent where one is needed.
    Missing,
    Twice,
    /// No JWT, or one with demands (`crit`) that nobody understands.
    Unreadable,
    WrongType,
    WrongAlgorithm,
    NoKey,
    PrivateKey,
    /// A key of another sort than the algorithm, or one that is none.
    UnfitKey,
    WrongSignature,
    NoId,
    WrongMethod,
    WrongTarget,
    NoTime,
    OutOfTime,
    NoTokenHash,
    WrongTokenHash,
    /// Without a nonce of ours, or with one that is too old.
    NonceNeeded,
    /// By another key than the one that is bound.
    OtherKey,
    /// A proof with this `jti` came before.
    Spent,
}

impl ProofFault {
    pub const ALL: [Self; 19] = [
        Self::Missing,
        Self::Twice,
        Self::Unreadable,
        Self::WrongType,
        Self::WrongAlgorithm,
        Self::NoKey,
        Self::PrivateKey,
        Self::UnfitKey,
        Self::WrongSignature,
        Self::NoId,
        Self::WrongMethod,
        Self::WrongTarget,
        Self::NoTime,
        Self::OutOfTime,
        Self::NoTokenHash,
        Self::WrongTokenHash,
        Self::NonceNeeded,
        Self::OtherKey,
        Self::Spent,
    ];

    /// What the client is told, in plain words.
    #[must_use]
    pub fn words(self) -> Cow<'static, str> {
        match self {
            Self::Missing => "a proof in the header DPoP is needed".into(),
            Self::Twice => "send the header DPoP once".into(),
            Self::Unreadable => "the header DPoP must be a JWT, without crit".into(),
            Self::WrongType => "typ of the DPoP proof must be dpop+jwt".into(),
            Self::WrongAlgorithm => {
                let known = SigningAlgorithm::list_of(&SigningAlgorithm::OF_PROOFS);
                format!("the DPoP proof must be signed with {known}").into()
            },
            Self::NoKey => "the DPoP proof has no jwk".into(),
            Self::PrivateKey => {
                "jwk of the DPoP proof holds private key material, which is not secret any more; make a new key".into()
            }
            Self::UnfitKey => "jwk of the DPoP proof is no public key that its alg fits".into(),
            Self::WrongSignature => "the DPoP proof is not signed by its jwk".into(),
            Self::NoId => "the DPoP proof has no jti".into(),
            Self::WrongMethod => "htm of the DPoP proof is not the method of the request".into(),
            Self::WrongTarget => "htu of the DPoP proof is not the URL of the request".into(),
            Self::NoTime => "the DPoP proof has no iat".into(),
            Self::OutOfTime => format!(
                "iat of the DPoP proof is more than {PROOF_SKEW_SECONDS} seconds from now; sign a new one, set the clock of the client"
            )
            .into(),
            Self::NoTokenHash => "the DPoP proof has no ath".into(),
            Self::WrongTokenHash => "ath of the DPoP proof is not the SHA-256 of the access token".into(),
            Self::NonceNeeded => "the DPoP proof needs the nonce of the header DPoP-Nonce".into(),
            Self::OtherKey => "the DPoP proof is by another key than the one that is bound".into(),
            Self::Spent => "the jti of the DPoP proof was used before; sign a new one for each request".into(),
        }
    }
}
