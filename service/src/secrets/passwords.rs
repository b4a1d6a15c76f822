//! Passwords: argon2id, behind a queue, so that a storm of logins can take neither all memory nor all cores, and one
//! address cannot keep the others waiting.

use crate::secrets::dice;
use crate::secrets::queue::{Busy, Queue};
use crate::secrets::secret::Secret;
use crate::secrets::throttle::{Attempt, Line};
use argon2::{Algorithm, Argon2, Params, PasswordHasher, PasswordVerifier, Version};
use rules::passwords::PasswordFault;
use store::people::PasswordHash;

/// 19 MiB, two passes, one lane.
const MEMORY_KIB: u32 = 19 * 1024;
const PASSES: u32 = 2;
const LANES: u32 = 1;

/// Hashes one password per core at a time, but for the core that is left to everybody else; always one.
#[derive(Debug)]
pub struct Passwords {
    queue: Queue,
    /// What a login of an unknown user is checked against, so that it takes as long as any other.
    nobody: PasswordHash,
}

/// A password could not be hashed.
#[derive(Debug, thiserror::Error)]
#[error("the password could not be hashed: {0}")]
pub struct CannotHash(String);

impl Passwords {
    pub fn new() -> Result<Self, CannotHash> {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        Ok(Self {
            queue: Queue::new(cores.saturating_sub(1).max(1)),
            // Costs as much to check as any hash; nothing matches it.
            nobody: PasswordHash(format!(
                "$argon2id$v=19$m={MEMORY_KIB},t={PASSES},p={LANES}$bm9ib2R5bm9ib2R5$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
            )),
        })
    }

    /// Whether `password` is the one of `hash`; an unknown user (`None`) costs the same and is always wrong. The attempt is
    /// settled when that is known, also if by then nobody waits for it any more: hanging up makes no guess free.
    pub async fn verify(&self, password: Secret, hash: Option<PasswordHash>, attempt: Attempt) -> Result<bool, Busy> {
        let turn = self.queue.turn(attempt.line()).await?;
        let known = hash.is_some();
        let hash = hash.unwrap_or_else(|| self.nobody.clone());
        let checked = tokio::task::spawn_blocking(move || {
            let right = is_password(&password, &hash) && known;
            attempt.settle(right);
            drop(turn);
            right
        });
        Ok(checked.await.unwrap_or(false))
    }

    /// Hashes the password that this user is to have, if it may be chosen.
    pub async fn take(
        &self,
        password: Secret,
        username: String,
        line: Line,
    ) -> Result<Result<PasswordHash, NotTaken>, Busy> {
        let turn = self.queue.turn(line).await?;
        let taken = tokio::task::spawn_blocking(move || {
            let taken = take(&password, &username);
            drop(turn);
            taken
        });
        taken.await.map_err(|_| Busy::Everywhere)
    }
}

/// Whether `password` is the one of `hash`. Takes tens of milliseconds.
#[must_use]
pub fn is_password(password: &Secret, hash: &PasswordHash) -> bool {
    hasher().is_ok_and(|hasher| hasher.verify_password(password.reveal().as_bytes(), hash.0.as_str()).is_ok())
}

/// Why a new password is not taken.
#[derive(Debug, thiserror::Error)]
pub enum NotTaken {
    #[error("{}", .0.words())]
    Fault(PasswordFault),
    #[error(transparent)]
    CannotHash(#[from] CannotHash),
}

/// Hashes the password that this user is to have, if it may be chosen. Takes tens of milliseconds.
pub fn take(password: &Secret, username: &str) -> Result<PasswordHash, NotTaken> {
    match rules::passwords::fault(password.reveal(), username) {
        Some(fault) => Err(NotTaken::Fault(fault)),
        None => Ok(hash(password)?),
    }
}

/// Hashes a password. Takes tens of milliseconds.
pub fn hash(password: &Secret) -> Result<PasswordHash, CannotHash> {
    let salt = dice::bytes::<16>().map_err(|error| CannotHash(error.to_string()))?;
    let hashed = hasher()?.hash_password_with_salt(password.reveal().as_bytes(), &salt);
    hashed.map(|hashed| PasswordHash(hashed.to_string())).map_err(|error| CannotHash(error.to_string()))
}

/// Whether an operator's `password_hash` can be used as it is.
#[must_use]
pub fn is_hash(text: &str) -> bool {
    text.starts_with("$argon2id$") && argon2::PasswordHash::new(text).is_ok()
}

fn hasher() -> Result<Argon2<'static>, CannotHash> {
    let params = Params::new(MEMORY_KIB, PASSES, LANES, None).map_err(|error| CannotHash(error.to_string()))?;
    Ok(Argon2::new(Algorithm::Argon2id, Version::V0x13, params))
}

#[cfg(test)]
#[path = "passwords_tests.rs"]
mod tests;
