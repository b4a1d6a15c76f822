//! The queue for passwords to be looked at, which costs much: every line has one turn at a time, and all lines in turn.
//!
//! However many guesses come from one address, it has one place among all who wait: the others stand behind that one, a
//! few of them, and the rest are turned away. Lines of those who were let in before are counted apart, so that strangers
//! from many addresses cannot take their places.

use super::throttle::Line;
use rules::limits::{SIGN_IN_LINES, SIGN_INS_WAITING};
use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::oneshot;

/// Why there is no place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Busy {
    /// Too many wait in this line.
    Line,
    /// Too many lines wait.
    Everywhere,
}

#[derive(Clone)]
pub(super) struct Queue(Arc<Mutex<Lines>>);

struct Lines {
    /// How many may have their turn now.
    free: usize,
    /// The lines in which somebody waits and nobody has their turn, in the order of their turns.
    round: VecDeque<Line>,
    waiting: HashMap<Line, VecDeque<oneshot::Sender<Turn>>>,
}

/// Somebody's turn, until it is dropped.
pub(super) struct Turn {
    /// Nothing where it was never taken.
    queue: Option<Queue>,
    line: Line,
}

impl std::fmt::Debug for Queue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Queue(…)")
    }
}

impl Queue {
    /// A queue in which so many have their turn at once.
    pub(super) fn new(at_once: usize) -> Self {
        Self(Arc::new(Mutex::new(Lines { free: at_once, round: VecDeque::new(), waiting: HashMap::new() })))
    }

    /// A turn in this line, when it comes. Whoever does not wait for it loses it to the next.
    pub(super) async fn turn(&self, line: Line) -> Result<Turn, Busy> {
        let (turn, comes) = oneshot::channel();
        {
            let mut lines = self.lock();
            lines.stand(line, turn)?;
            self.give(&mut lines);
        }
        comes.await.map_err(|_| Busy::Everywhere)
    }

    fn lock(&self) -> MutexGuard<'_, Lines> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Gives turns to those who are next, while any are free.
    fn give(&self, lines: &mut Lines) {
        while lines.free > 0
            && let Some(line) = lines.round.pop_front()
        {
            let mut taken = false;
            while !taken && let Some(next) = lines.waiting.get_mut(&line).and_then(VecDeque::pop_front) {
                match next.send(Turn { queue: Some(self.clone()), line }) {
                    Ok(()) => taken = true,
                    // Nobody waits there any more: this turn was none, and giving it back must not be waited for here.
                    Err(mut turn) => turn.queue = None,
                }
            }
            match taken {
                true => lines.free -= 1,
                false => lines.leave(line),
            }
        }
    }
}

impl Lines {
    fn stand(&mut self, line: Line, turn: oneshot::Sender<Turn>) -> Result<(), Busy> {
        if let Some(before) = self.waiting.get_mut(&line) {
            before.retain(|turn| !turn.is_closed());
            if before.len() >= SIGN_INS_WAITING {
                return Err(Busy::Line);
            }
            before.push_back(turn);
            return Ok(());
        }
        let alike = self.waiting.keys().filter(|other| other.is_known() == line.is_known()).count();
        if alike >= SIGN_IN_LINES {
            return Err(Busy::Everywhere);
        }
        self.waiting.insert(line, VecDeque::from([turn]));
        self.round.push_back(line);
        Ok(())
    }

    fn leave(&mut self, line: Line) {
        self.waiting.remove(&line);
    }
}

impl Drop for Turn {
    fn drop(&mut self) {
        let Some(queue) = self.queue.take() else { return };
        let mut lines = queue.lock();
        lines.free += 1;
        match lines.waiting.get(&self.line).is_some_and(|line| !line.is_empty()) {
            true => lines.round.push_back(self.line),
            false => lines.leave(self.line),
        }
        queue.give(&mut lines);
    }
}

#[cfg(test)]
#[path = "queue_tests.rs"]
mod tests;
