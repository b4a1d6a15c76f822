//! The queue for work that keeps a thread for long: every caller in turn, so that one's tenth piece waits behind everybody's first.
//!
//! Of the largest pieces one has its turn at a time, because of what their trees take; others pass it meanwhile.

use super::response_budget::Taker;
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

#[derive(Clone)]
pub(super) struct WorkQueue(Arc<Mutex<WorkLines>>);

struct WorkLines {
    /// How many may have their turn now, and whether a large one may.
    free: usize,
    is_large_free: bool,
    /// The callers of whom something waits, in the order of their turns.
    round: VecDeque<Taker>,
    waiting: HashMap<Taker, VecDeque<Waiter>>,
}

struct Waiter {
    is_large: bool,
    turn: oneshot::Sender<WorkTurn>,
}

/// The turn of a piece of work, until it is dropped.
pub(super) struct WorkTurn {
    /// Nothing where it was never taken.
    queue: Option<WorkQueue>,
    is_large: bool,
}

impl WorkQueue {
    /// A queue in which so many have their turn at once.
    pub(super) fn new(at_once: usize) -> Self {
        let lines = WorkLines { free: at_once, is_large_free: true, round: VecDeque::new(), waiting: HashMap::new() };
        Self(Arc::new(Mutex::new(lines)))
    }

    /// A turn for a piece of this caller's work, when it comes. Whoever does not wait for it loses it to the next.
    pub(super) async fn turn(&self, caller: Taker, is_large: bool) -> Option<WorkTurn> {
        let (turn, comes) = oneshot::channel();
        {
            let mut lines = self.lock();
            lines.stand(caller, Waiter { is_large, turn });
            self.give(&mut lines);
        }
        comes.await.ok()
    }

    fn lock(&self) -> MutexGuard<'_, WorkLines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives turns to those who are next, while any are free.
    fn give(&self, lines: &mut WorkLines) {
        while lines.free > 0
            && let Some(Waiter { is_large, turn }) = lines.next()
        {
            match turn.send(WorkTurn { queue: Some(self.clone()), is_large }) {
                Ok(()) => {
                    lines.free -= 1;
                    lines.is_large_free &= !is_large;
                }
                // Nobody waits for it any more: this turn was none, and giving it back must not be waited for here.
                Err(mut turn) => turn.queue = None,
            }
        }
    }
}

impl WorkLines {
    fn stand(&mut self, caller: Taker, waiter: Waiter) {
        let line = self.waiting.entry(caller).or_default();
        if line.is_empty() {
            self.round.push_back(caller);
        }
        line.push_back(waiter);
    }

    /// The next piece that may have its turn. Its caller's next one waits until everybody else had theirs.
    fn next(&mut self) -> Option<Waiter> {
        let may_go = |caller: &Taker| {
            let first = self.waiting.get(caller).and_then(VecDeque::front);
            first.is_none_or(|first| self.is_large_free || !first.is_large)
        };
        let place = self.round.iter().position(may_go)?;
        let caller = self.round.remove(place)?;
        let line = self.waiting.get_mut(&caller)?;
        let next = line.pop_front();
        match line.is_empty() {
            true => drop(self.waiting.remove(&caller)),
            false => self.round.push_back(caller),
        }
        next
    }
}

impl Drop for WorkTurn {
    fn drop(&mut self) {
        let Some(queue) = self.queue.take() else { return };
        let mut lines = queue.lock();
        lines.free += 1;
        lines.is_large_free |= self.is_large;
        queue.give(&mut lines);
    }
}

#[cfg(test)]
#[path = "work_queue_tests.rs"]
mod tests;
