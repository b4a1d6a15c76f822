//! The key that tokens are bound to (RFC 9449): by what it is known, and whether the one that was shown will do.

/// The letters of a SHA-256 in base64url.
const LETTERS: usize = 43;

/// A public key, known by the SHA-256 of its JWK (RFC 7638), as base64url.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct KeyThumbprint([u8; LETTERS]);

impl KeyThumbprint {
    /// As bytes of a token or a row.
    pub const BYTES: usize = LETTERS;

    /// Reads one; `None` for what no key has.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let is_base64url = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'));
        let letters: [u8; LETTERS] = text.as_bytes().try_into().ok()?;
        is_base64url.then_some(Self(letters))
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        core::str::from_utf8(&self.0).unwrap_or_default()
    }
}

/// What a token request shows of a key, beside the key that the code or refresh token is bound to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyCheck {
    /// The right one; or nothing is bound.
    Fits,
    /// None, where one is needed.
    Missing,
    Other,
}

/// Holds the key that a request has proven against the one that is bound. A client that proves who it is in another way may change its
/// key: its refresh token is bound to that (RFC 9449, 5), and is no bearer token all the same.
#[must_use]
pub fn check(bound: Option<KeyThumbprint>, proven: Option<KeyThumbprint>, may_change: bool) -> KeyCheck {
    match (bound, proven) {
        (None, _) => KeyCheck::Fits,
        (Some(_), None) => KeyCheck::Missing,
        (Some(bound), Some(proven)) if bound == proven || may_change => KeyCheck::Fits,
        (Some(_), Some(_)) => KeyCheck::Other,
    }
}
