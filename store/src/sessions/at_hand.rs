//! The sessions that SQLite's one writer has at hand, as their rows are in the transaction under way: reading a row again
//! that it wrote itself a moment ago would cost a refresh more than writing it.

use super::Loaded;
use foldhash::fast::RandomState;
use std::collections::HashMap;

/// About 8 MiB.
const MOST: usize = 16_384;

/// Sessions by id. What a job changes it takes from here first; what a transaction took back must be cleared from here.
#[derive(Default)]
pub(crate) struct AtHand(HashMap<i64, Box<Loaded>, RandomState>);

impl std::fmt::Debug for AtHand {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "AtHand({})", self.0.len())
    }
}

impl AtHand {
    pub(crate) fn take(&mut self, id: i64) -> Option<Box<Loaded>> {
        self.0.remove(&id)
    }

    /// A full hand starts afresh.
    pub(crate) fn keep(&mut self, id: i64, session: Box<Loaded>) {
        if self.0.len() >= MOST {
            self.0.clear();
        }
        self.0.insert(id, session);
    }

    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}
