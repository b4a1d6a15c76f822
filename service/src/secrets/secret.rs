//! Secrets: what must never be printed, and their fingerprints, which may be stored.

use sha2::{Digest, Sha256};
use store::clients::Fingerprint;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// A password, client secret, code or token that somebody sent or will be sent. It has no `Debug` that tells.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(Zeroizing<String>);

impl std::fmt::Debug for Secret {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Secret(…)")
    }
}

impl Secret {
    #[must_use]
    pub fn new(text: String) -> Self {
        Self(Zeroizing::new(text))
    }

    /// The text itself: for the one answer that hands it over, or the one check it is for.
    #[must_use]
    pub fn reveal(&self) -> &str {
        &self.0
    }

    /// What may be stored of a high-entropy secret.
    #[must_use]
    pub fn fingerprint(&self) -> Fingerprint {
        Fingerprint(Sha256::digest(self.0.as_bytes()).into())
    }

    /// Whether this is the secret of a stored fingerprint, in constant time.
    #[must_use]
    pub fn matches(&self, stored: &Fingerprint) -> bool {
        bool::from(self.fingerprint().0.ct_eq(&stored.0))
    }
}
