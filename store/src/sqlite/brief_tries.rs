//! Who is tried in place: most searches are found at once, and then a change of threads costs more than the search. Whose try
//! did not end is not tried again for a while, with the same statement at all, and with others less often: what is tried in vain
//! holds up everybody whom the same thread serves.

use crate::sql::caller_key::CallerKey;
use foldhash::fast::{FixedState, RandomState};
use std::hash::BuildHasher;
use std::sync::atomic::{AtomicU32, Ordering};

/// Callers, and their statements, are kept apart by this many counters; some share one, which costs them a change of threads.
const COUNTERS: usize = 4096;

/// Reads by the same statement that are not tried after one that was tried in vain.
const REST_OF_STATEMENT: u32 = 32;
/// What a try in vain costs its caller, at the most in all, and from when on the caller's reads are not tried.
const IN_VAIN: u32 = 8;
const MOST: u32 = 64;
const TOO_MANY: u32 = 16;

/// What was tried in vain lately, by caller and statement.
#[derive(Debug)]
pub(super) struct BriefTries {
    counters: Vec<AtomicU32>,
    hasher: FixedState,
}

/// A try that may be made: of whom, by what.
#[derive(Clone, Copy, Debug)]
pub(super) struct BriefTry {
    caller: usize,
    statement: usize,
}

impl BriefTries {
    /// Nobody outside can know which of them share a counter.
    pub(super) fn new() -> Self {
        Self::seeded(RandomState::default().hash_one(COUNTERS))
    }

    fn seeded(seed: u64) -> Self {
        let counters = (0..COUNTERS).map(|_| AtomicU32::new(0)).collect();
        Self { counters, hasher: FixedState::with_seed(seed) }
    }

    /// Whether this caller's read by this statement is tried in place. Each that is not makes the next more likely.
    pub(super) fn begin(&self, caller: Option<CallerKey>, sql: &str) -> Option<BriefTry> {
        let place = |hash: u64| usize::try_from(hash % COUNTERS as u64).unwrap_or_default();
        let of_caller = place(self.hasher.hash_one(caller));
        let of_statement = place(self.hasher.hash_one((caller, sql)));
        if self.pay(of_statement, 1) || self.pay(of_caller, TOO_MANY) {
            return None;
        }
        Some(BriefTry { caller: of_caller, statement: of_statement })
    }

    /// The try found all that there was.
    pub(super) fn found(&self, tried: BriefTry) {
        self.pay(tried.caller, 1);
    }

    /// The try was given up.
    pub(super) fn in_vain(&self, tried: BriefTry) {
        if let (Some(caller), Some(statement)) = (self.counters.get(tried.caller), self.counters.get(tried.statement)) {
            statement.store(REST_OF_STATEMENT, Ordering::Relaxed);
            caller.store((caller.load(Ordering::Relaxed) + IN_VAIN).min(MOST), Ordering::Relaxed);
        }
    }

    /// Takes one off a counter that is at least so high; tells whether it was.
    fn pay(&self, place: usize, least: u32) -> bool {
        let Some(counter) = self.counters.get(place) else { return false };
        let count = counter.load(Ordering::Relaxed);
        // Nearly all are zero, which everybody may read at once. That two at a time take one off together does no harm.
        if count >= least {
            counter.store(count - 1, Ordering::Relaxed);
        }
        count >= least
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: Option<CallerKey> = Some(CallerKey(1));
    const OTHER: Option<CallerKey> = Some(CallerKey(2));

    fn tried(tries: &BriefTries, caller: Option<CallerKey>, sql: &str, is_found: bool) -> bool {
        let Some(tried) = tries.begin(caller, sql) else { return false };
        if is_found {
            tries.found(tried)
        } else {
            tries.in_vain(tried)
        }
        true
    }

    #[test]
    fn what_is_found_is_tried_every_time() {
        let tries = BriefTries::seeded(7);
        assert!((0..1000).all(|_| tried(&tries, ONE, "quick", true)));
    }

    #[test]
    fn a_statement_that_was_tried_in_vain_rests_and_others_are_tried() {
        let tries = BriefTries::seeded(7);
        let made = (0..330).filter(|_| tried(&tries, ONE, "slow", false)).count();
        assert!((8..=11).contains(&made), "{made} of 330");
        let tries = BriefTries::seeded(7);
        assert!(tried(&tries, ONE, "slow", false) && !tried(&tries, ONE, "slow", false));
        assert!(tried(&tries, ONE, "quick", true), "another statement");
        assert!(tried(&tries, OTHER, "slow", true), "another caller");
    }

    #[test]
    fn a_caller_who_asks_slowly_in_ever_new_words_is_tried_seldom_and_again_in_time() {
        let tries = BriefTries::seeded(7);
        let made = (0..900).filter(|number| tried(&tries, ONE, &format!("slow {number}"), false)).count();
        assert!(made <= 200, "{made} of 900");
        assert!((0..200).filter(|number| tried(&tries, ONE, &format!("quick {number}"), true)).count() > 50);
    }
}
