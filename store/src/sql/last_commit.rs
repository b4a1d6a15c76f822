//! Whether the last write of a store could be committed.

use crate::error::Error;
use crate::obstacle::Obstacle;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

/// How often a store that takes no writes is tried.
const BETWEEN_PROBES: Duration = Duration::from_secs(1);

/// What became of the last writes. A write that failed is only a hint, since it may have been its own fault: a probe says.
#[derive(Debug, Default)]
pub(crate) struct LastCommit {
    is_suspect: AtomicBool,
    is_failed: AtomicBool,
    inner: Mutex<Inner>,
}

#[derive(Debug, Default)]
struct Inner {
    why: String,
    probed_at: Option<Instant>,
}

impl LastCommit {
    /// Notes what a write met, if that was trouble of the database.
    pub(crate) fn note<T>(&self, outcome: &Result<T, Error>) {
        match outcome {
            // A row that somebody else wrote first shows a database that is well.
            Err(error) if error.is_passing() && !matches!(error.kind(), Error::NotReady(_) | Error::Taken(_)) => {
                self.is_suspect.store(true, Ordering::Relaxed);
            }
            _ => {}
        }
    }

    /// Whether a probe is due, and takes its turn.
    pub(crate) fn takes_turn(&self) -> bool {
        if !self.is_suspect.load(Ordering::Relaxed) && !self.is_failed.load(Ordering::Relaxed) {
            return false;
        }
        let mut inner = self.inner.lock().unwrap_or_else(PoisonError::into_inner);
        let is_due = inner.probed_at.is_none_or(|at| at.elapsed() >= BETWEEN_PROBES);
        if is_due {
            inner.probed_at = Some(Instant::now());
        }
        is_due
    }

    /// Notes what a probe found.
    pub(crate) fn settle(&self, probe: Result<(), Error>) {
        if let Err(error) = &probe {
            self.inner.lock().unwrap_or_else(PoisonError::into_inner).why = error.to_string();
        }
        self.is_failed.store(probe.is_err(), Ordering::Release);
        self.is_suspect.store(false, Ordering::Relaxed);
    }

    pub(crate) fn obstacle(&self) -> Option<Obstacle> {
        if !self.is_failed.load(Ordering::Acquire) {
            return None;
        }
        Some(Obstacle::CommitFailed(self.inner.lock().unwrap_or_else(PoisonError::into_inner).why.clone()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_failed_write_is_a_hint_and_what_a_probe_finds_is_the_verdict() {
        let last = LastCommit::default();
        assert!(!last.takes_turn(), "nothing failed");
        last.note::<()>(&Err(Error::Unavailable("away".into())));
        assert_eq!(last.obstacle(), None);
        assert!(last.takes_turn() && !last.takes_turn(), "one at a time");
        last.settle(Err(Error::Unavailable("away".into())));
        assert!(last.obstacle().unwrap().to_string().contains("away"));
        last.settle(Ok(()));
        assert_eq!(last.obstacle(), None);
        assert!(!last.takes_turn(), "nothing has failed since");
    }

    #[test]
    fn a_write_that_was_refused_at_the_door_says_nothing_of_the_disk() {
        let last = LastCommit::default();
        last.note::<()>(&Err(Error::NotReady(Obstacle::NoSpace { free_mib: 0, least_mib: 1 })));
        last.note::<()>(&Err(Error::Database("syntax".into())));
        assert!(!last.takes_turn());
    }
}
