//! What the one writer has at hand: rows that it wrote or read itself, as they are in the transaction under way. Reading one back
//! would cost a refresh more than writing it. What they are is the business of those who keep them here.

use foldhash::fast::RandomState;
use std::any::Any;
use std::collections::HashMap;

/// About 8 MiB of sessions.
const MOST: usize = 16_384;

type RowsById = HashMap<i64, Box<dyn Any + Send>, RandomState>;

/// Values by number. What a job changes it takes from here first; what was taken back must be cleared from here.
#[derive(Default)]
pub(crate) struct WriterRows {
    newer: RowsById,
    /// What was newer until `newer` became full, as far as nobody has taken it since.
    older: RowsById,
}

impl std::fmt::Debug for WriterRows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "WriterRows({})", self.newer.len() + self.older.len())
    }
}

impl WriterRows {
    pub(crate) fn take(&mut self, id: i64) -> Option<Box<dyn Any + Send>> {
        self.newer.remove(&id).or_else(|| self.older.remove(&id))
    }

    /// Keeps a value; in a full hand, what was not used for longest makes room.
    pub(crate) fn keep(&mut self, id: i64, value: Box<dyn Any + Send>) {
        if self.newer.len() >= MOST / 2 {
            self.older = std::mem::take(&mut self.newer);
        }
        self.newer.insert(id, value);
    }

    /// Keeps only what `keep` says to.
    pub(crate) fn retain(&mut self, keep: impl Fn(&(dyn Any + Send)) -> bool) {
        self.newer.retain(|_, row| keep(&**row));
        self.older.retain(|_, row| keep(&**row));
    }

    pub(crate) fn clear(&mut self) {
        self.newer.clear();
        self.older.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_full_hand_lets_go_of_what_was_not_used_for_longest() {
        let mut hand = WriterRows::default();
        let most = i64::try_from(MOST).unwrap();
        for id in 0..2 * most {
            hand.keep(id, Box::new(id));
            let used = hand.take(0).expect("used all the time");
            hand.keep(0, used);
        }
        assert!(hand.take(1).is_none(), "nobody used it");
        let last = hand.take(2 * most - 1).and_then(|value| value.downcast::<i64>().ok());
        assert_eq!(last, Some(Box::new(2 * most - 1)));
        assert!(hand.newer.len() + hand.older.len() <= MOST);
    }
}
