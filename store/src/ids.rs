//! Ids of our own: 64-bit integers that grow with time, so that new rows go to the end of their table, and that many
//! nodes can make without asking each other.

use rules::moment::Moment;
use std::sync::atomic::{AtomicI64, Ordering};

/// 2024-01-01T00:00:00Z: 41 bits of milliseconds from here last until 2093.
const EPOCH: i64 = 1_704_067_200_000;
/// Below the milliseconds: 10 bits of node, 12 bits of count.
const TIME_SHIFT: u32 = 22;
const NODE_SHIFT: u32 = 12;

/// Makes ids; one per process.
#[derive(Debug)]
pub struct Ids {
    node: i64,
    /// Milliseconds and count of the last id, without the node.
    last: AtomicI64,
}

impl Ids {
    /// `node` is a number that no other running process shares, or at random; ten bits of it are used.
    #[must_use]
    pub fn new(node: u16) -> Self {
        Self { node: i64::from(node & 0x3ff), last: AtomicI64::new(0) }
    }

    /// An id greater than every id made before by this process.
    #[must_use]
    pub fn next(&self, now: Moment) -> i64 {
        let floor = now.0.saturating_sub(EPOCH).max(0) << NODE_SHIFT;
        let next = |last: i64| (last + 1).max(floor);
        let last = self.last.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(next(last)));
        let made = next(last.unwrap_or(floor));
        let (time, count) = (made >> NODE_SHIFT, made & ((1 << NODE_SHIFT) - 1));
        (time << TIME_SHIFT) | (self.node << NODE_SHIFT) | count
    }
}

/// The least id that any process could make at a moment.
pub(crate) fn least(at: Moment) -> i64 {
    at.0.saturating_sub(EPOCH).clamp(0, (1 << 41) - 1) << TIME_SHIFT
}

/// The moment at which an id was made.
pub(crate) const fn made_at(id: i64) -> Moment {
    Moment((id >> TIME_SHIFT) + EPOCH)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    const NOW: Moment = Moment(1_800_000_000_000);

    #[test]
    fn ids_grow_strictly_within_a_millisecond_and_beyond_its_share() {
        let ids = Ids::new(5);
        let made: Vec<i64> = (0..20_000).map(|_| ids.next(NOW)).collect();
        assert!(made.is_sorted_by(|a, b| a < b), "more than a millisecond has numbers for");
        assert!(ids.next(Moment(NOW.0 + 1)) > *made.last().unwrap());
    }

    #[test]
    fn ids_grow_strictly_in_each_thread_and_no_two_threads_share_one() {
        let ids = Ids::new(5);
        let in_threads: Vec<Vec<i64>> = std::thread::scope(|scope| {
            let made = |thread: i64| {
                let ids = &ids;
                scope.spawn(move || (0..20_000).map(|n| ids.next(Moment(NOW.0 + thread * 7 + n / 100))).collect())
            };
            let threads: Vec<_> = (0..8).map(made).collect();
            threads.into_iter().map(|thread| thread.join().unwrap()).collect()
        });
        for made in &in_threads {
            assert!(made.is_sorted_by(|a, b| a < b));
        }
        let all: HashSet<i64> = in_threads.into_iter().flatten().collect();
        assert_eq!(all.len(), 8 * 20_000);
    }

    #[test]
    fn no_two_nodes_make_the_same_id() {
        let nodes: Vec<Ids> = [0, 1, 2, 511, 1023].into_iter().map(Ids::new).collect();
        let all: HashSet<i64> = nodes.iter().flat_map(|ids| (0..10_000).map(|n| ids.next(Moment(n / 3)))).collect();
        assert_eq!(all.len(), 5 * 10_000);
    }

    #[test]
    fn ids_go_on_growing_when_the_clock_goes_backwards() {
        let ids = Ids::new(5);
        let mut last = 0;
        for step in 0..5_000 {
            let next = ids.next(Moment(NOW.0 - step * 1000));
            assert!(next > last);
            last = next;
        }
    }

    #[test]
    fn ids_are_positive_from_before_their_epoch_until_2093() {
        for now in [Moment(i64::MIN), Moment(0), Moment(EPOCH), Moment(EPOCH + (1 << 41) - 2)] {
            assert!(Ids::new(1023).next(now) > 0, "at {now:?}");
        }
    }
}
