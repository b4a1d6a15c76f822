//! The one place that draws random numbers, from the operating system.

use crate::secret::Secret;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;

/// The operating system has no randomness to give; nothing safe can be made.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no randomness: {0}")]
pub struct NoRandomness(getrandom::Error);

/// `N` random bytes.
#[expect(clippy::disallowed_methods, reason = "this is the door that the lint keeps everyone else out of")]
pub fn bytes<const N: usize>() -> Result<[u8; N], NoRandomness> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).map_err(NoRandomness)?;
    Ok(bytes)
}

/// A random positive 63-bit number.
pub fn number() -> Result<i64, NoRandomness> {
    Ok(i64::from_le_bytes(bytes()?) & i64::MAX)
}

/// A new client secret of 256 bits, with a prefix that secret scanners and people know.
pub fn client_secret() -> Result<Secret, NoRandomness> {
    Ok(Secret::new(format!("rgs_{}", URL_SAFE_NO_PAD.encode(bytes::<32>()?))))
}

/// A new id for a resource.
pub fn uuid() -> Result<String, NoRandomness> {
    Ok(uuid::Builder::from_random_bytes(bytes()?).into_uuid().to_string())
}
