//! The pace of documents that anybody may ask for, without a token. They are made once and cost little, but two hundred connections
//! that ask for them again and again would take the processor from everybody else.

use rules::limits::{DOCUMENTS_AT_ONCE, DOCUMENTS_PER_SECOND};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;
use tokio::time::{Instant, sleep};

/// Networks that fall on the same place share its pace: nothing is kept for each that asks.
const PLACES: usize = 1024;
const MILLISECONDS_OF_ONE: u64 = 1000 / DOCUMENTS_PER_SECOND;

#[derive(Debug)]
pub struct DocumentPace {
    began: Instant,
    /// For each place until when its turns are given, in milliseconds.
    given: Vec<AtomicU64>,
}

impl Default for DocumentPace {
    fn default() -> Self {
        Self { began: Instant::now(), given: (0..PLACES).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl DocumentPace {
    /// Waits for the turn of somebody of this network.
    pub async fn wait(&self, network: u128) {
        let now = u64::try_from(self.began.elapsed().as_millis()).unwrap_or(u64::MAX);
        let wait = self.turn(network, now);
        if wait > 0 {
            sleep(Duration::from_millis(wait)).await;
        }
    }

    /// How many milliseconds there are until the next turn, which is given with this.
    fn turn(&self, network: u128, now: u64) -> u64 {
        let Some(given) = self.given.get(place(network)) else { return 0 };
        let next = |until: u64| until.max(now).saturating_add(MILLISECONDS_OF_ONE);
        let until = given.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |until| Some(next(until)));
        next(until.unwrap_or(now)).saturating_sub(now).saturating_sub(DOCUMENTS_AT_ONCE * MILLISECONDS_OF_ONE)
    }
}

fn place(network: u128) -> usize {
    let half = |bits: u128| u64::try_from(bits & u128::from(u64::MAX)).unwrap_or_default();
    let mixed = (half(network) ^ half(network >> 64)).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    usize::try_from(mixed >> 54).unwrap_or_default() % PLACES
}

#[cfg(test)]
mod tests {
    use super::*;

    const ONE: u128 = 0x1_7f00_0001;
    const OTHER: u128 = 0x1_7f00_0002;

    #[test]
    fn who_asks_for_few_never_waits() {
        let pace = DocumentPace::default();
        for second in 0..100 {
            for _ in 0..DOCUMENTS_PER_SECOND {
                assert_eq!(pace.turn(ONE, second * 1000), 0);
            }
        }
    }

    #[test]
    fn who_asks_for_many_waits_longer_with_each_and_nobody_else_does() {
        let pace = DocumentPace::default();
        let waits: Vec<u64> = (0..DOCUMENTS_AT_ONCE + 50).map(|_| pace.turn(ONE, 7000)).collect();
        let (at_once, later) = waits.split_at(usize::try_from(DOCUMENTS_AT_ONCE).unwrap());
        assert!(at_once.iter().all(|wait| *wait == 0));
        assert!(later.iter().zip(1..).all(|(wait, number)| *wait == number * MILLISECONDS_OF_ONE), "{later:?}");
        assert_ne!(place(ONE), place(OTHER));
        assert_eq!(pace.turn(OTHER, 7000), 0);
        assert_eq!(pace.turn(ONE, 60_000), 0, "after a while it is as at the beginning");
    }
}
