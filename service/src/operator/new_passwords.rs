//! The passwords of a declaration: those that are the stored ones stay as they are, the others must be ones that may be
//! chosen, and are hashed.

use super::request::Progress;
use crate::secrets::passwords::{self, NotTaken};
use crate::secrets::secret::Secret;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use store::people::PasswordHash;

/// A declared password that must be looked at: whether it is the stored one still.
pub(super) struct Candidate {
    pub(super) at: String,
    pub(super) username: String,
    pub(super) password: Secret,
    pub(super) stored: Option<PasswordHash>,
}

impl Candidate {
    fn hash(&self) -> Result<PasswordHash, NotTaken> {
        match &self.stored {
            Some(stored) if passwords::is_password(&self.password, stored) => Ok(stored.clone()),
            _ => passwords::take(&self.password, &self.username),
        }
    }
}

/// Hashes are slow on purpose; all cores share them.
pub(super) fn hash_all(
    candidates: Vec<Candidate>,
    progress: &Progress,
) -> Vec<(Candidate, Result<PasswordHash, NotTaken>)> {
    let (next, done) = (AtomicUsize::new(0), Mutex::new(Vec::with_capacity(candidates.len())));
    let all = candidates.len() as u64;
    let work = || {
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(candidate) = candidates.get(at) else { return };
            let hashed = candidate.hash();
            let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
            done.push((at, hashed));
            progress(done.len() as u64, all);
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..cores.min(candidates.len()) {
            scope.spawn(work);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(PoisonError::into_inner);
    done.sort_unstable_by_key(|(at, _)| *at);
    candidates.into_iter().zip(done.into_iter().map(|(_, hashed)| hashed)).collect()
}
