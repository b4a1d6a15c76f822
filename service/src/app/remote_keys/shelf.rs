//! The keys of one client as they were last fetched, and when they may be fetched again.

use super::fetch::FetchedKeys;
use rules::key_freshness::{may_look_again, pause_seconds};
use rules::limits::LEAST_KEYS_GOOD_SECONDS;
use std::sync::Arc;
use std::time::Duration;
use store::clients::{ClientKey, KeySetUrl};

/// Moments are times for which the service has run: they never leap.
#[derive(Debug, Default)]
pub(super) struct KeyShelf {
    keys: Option<Arc<[ClientKey]>>,
    good_until: Duration,
    /// Fetches that failed one after the other, and when the next may begin.
    failures: u32,
    not_before: Duration,
    /// When good keys were last fetched again because one was unknown.
    looked_again_at: Option<Duration>,
    /// Fetches that have ended.
    pub(super) fetches: u64,
}

/// What to do for whoever asks.
#[derive(Debug)]
pub(super) enum ShelfTurn {
    Use(Arc<[ClientKey]>),
    Fetch,
    /// A fetch has just failed.
    Refuse,
}

impl KeyShelf {
    /// What is to be done where the keys are wanted that `fits` knows. Whoever has waited for somebody's fetch makes no other.
    pub(super) fn turn(&self, now: Duration, fits: impl Fn(&[ClientKey]) -> bool, has_waited: bool) -> ShelfTurn {
        let may_fetch = now >= self.not_before && !has_waited;
        match self.good(now) {
            Some(keys) if fits(keys) || !may_fetch || !self.may_look_again(now) => ShelfTurn::Use(keys.clone()),
            None if now < self.not_before => ShelfTurn::Refuse,
            _ => ShelfTurn::Fetch,
        }
    }

    fn good(&self, now: Duration) -> Option<&Arc<[ClientKey]>> {
        self.keys.as_ref().filter(|_| now < self.good_until)
    }

    fn may_look_again(&self, now: Duration) -> bool {
        let ago = self.looked_again_at.map(|at| now.saturating_sub(at).as_secs());
        may_look_again(ago.map(|seconds| i64::try_from(seconds).unwrap_or(i64::MAX)))
    }

    /// Notes that a fetch begins.
    pub(super) fn begin(&mut self, now: Duration) {
        if self.good(now).is_some() {
            self.looked_again_at = Some(now);
        }
    }

    /// Takes what was fetched, as keys of this URL.
    pub(super) fn take(
        &mut self,
        fetched: FetchedKeys,
        at: &KeySetUrl,
        (began, took): (Duration, Duration),
    ) -> Arc<[ClientKey]> {
        let keys = fetched.keys.into_iter().map(|key| ClientKey { jwk: key.jwk, salt: at.salt.clone() });
        let keys: Arc<[ClientKey]> = keys.collect();
        // Whoever waits for the answer gets it, however long that took.
        let least = began + took + seconds(LEAST_KEYS_GOOD_SECONDS);
        self.good_until = (began + seconds(fetched.good_seconds)).max(least);
        self.keys = Some(keys.clone());
        (self.failures, self.not_before) = (0, Duration::ZERO);
        self.fetches += 1;
        keys
    }

    /// Notes that a fetch failed.
    pub(super) fn fail(&mut self, ended: Duration) {
        self.failures = self.failures.saturating_add(1);
        self.not_before = ended + seconds(pause_seconds(self.failures));
        self.fetches += 1;
    }
}

fn seconds(seconds: i64) -> Duration {
    Duration::from_secs(u64::try_from(seconds).unwrap_or_default())
}
