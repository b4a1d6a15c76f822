//! The random salt in a row that every token of it is checked against, so that a stolen key ring alone forges nothing.

use crate::error::{Error, Result};
use sha2::{Digest, Sha256};
use subtle::ConstantTimeEq;

/// Sixteen random bytes; never shown.
#[derive(Clone, PartialEq, Eq)]
pub struct Salt([u8; 16]);

/// The check value that a sealed token carries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct TokenCheck(pub [u8; 16]);

impl std::fmt::Debug for TokenCheck {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("TokenCheck(…)")
    }
}

impl std::fmt::Debug for Salt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Salt(…)")
    }
}

impl Salt {
    #[must_use]
    pub fn new(random: [u8; 16]) -> Self {
        Self(random)
    }

    pub(crate) fn from_bytes(bytes: &[u8]) -> Result<Self> {
        bytes.try_into().map(Self).map_err(|_| Error::Impossible("a salt that is not 16 bytes long".into()))
    }

    /// A client's fingerprint serves as the salt of its access tokens: a new secret ends the old ones.
    #[must_use]
    pub fn of_fingerprint(fingerprint: &[u8]) -> Self {
        let mut salt = [0; 16];
        for (to, from) in salt.iter_mut().zip(fingerprint) {
            *to = *from;
        }
        Self(salt)
    }

    /// The salts of several keys, one behind the other.
    pub(crate) fn many_from_bytes(bytes: &[u8]) -> Result<Vec<Self>> {
        bytes.chunks(16).map(Self::from_bytes).collect()
    }

    pub(crate) fn as_bytes(&self) -> &[u8] {
        &self.0
    }

    /// The check value of a token that says `content` of itself.
    #[must_use]
    pub fn check(&self, content: &[u8]) -> TokenCheck {
        let digest = Sha256::new().chain_update(self.0).chain_update(content).finalize();
        TokenCheck(digest.first_chunk().copied().unwrap_or_default())
    }

    /// Whether a token that says `content` of itself and carries `check` was made with this salt.
    #[must_use]
    pub fn vouches_for(&self, content: &[u8], check: &TokenCheck) -> bool {
        bool::from(self.check(content).0.ct_eq(&check.0))
    }
}
