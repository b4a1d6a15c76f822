//! The aftermath of an outage, in which what another node did last cannot be relied upon.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// After trouble, other nodes need this long to find out about their commits and to take back what they must. Half a
/// second is usual on a busy machine.
const LASTS: Duration = Duration::from_secs(3);

#[derive(Default)]
pub(super) struct Aftermath {
    /// When a connection was last found broken, or not to be had.
    troubled_at: Mutex<Option<Instant>>,
    /// Whether a transaction has lost its connection, and nobody has got one since.
    has_lost_one: AtomicBool,
}

impl Aftermath {
    pub(super) fn note_trouble(&self) {
        *self.troubled_at.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    /// A connection was lost: the database may be away for longer than any aftermath, so this one begins when somebody
    /// gets a connection again.
    pub(super) fn note_loss(&self) {
        self.has_lost_one.store(true, Ordering::Relaxed);
    }

    pub(super) fn note_connection(&self) {
        if self.has_lost_one.swap(false, Ordering::Relaxed) {
            self.note_trouble();
        }
    }

    /// Whether the database was away a moment ago, as far as this node has noticed.
    pub(super) fn is_now(&self) -> bool {
        let troubled_at = self.troubled_at.lock().unwrap_or_else(PoisonError::into_inner);
        troubled_at.is_some_and(|at| at.elapsed() < LASTS)
    }
}
