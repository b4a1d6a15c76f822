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
