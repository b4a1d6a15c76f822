//! What is remembered of rows of resources. While no commit changes any, all of it is what the database says; so the index says which
//! rows are on a page, and none of them need be read.

use super::memory::{Entry, Look, Memory};
use crate::figures::Looks;
use rules::ids::RowId;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// A memory of rows, and how many commits that change any have begun and have ended. Only the writer counts.
#[derive(Debug)]
pub(crate) struct Rows {
    known: Memory<RowId>,
    begun: AtomicU64,
    ended: AtomicU64,
}

/// A time in which no commit changed a row, from when this was made: after so many.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CommitEpoch(u64);

impl Rows {
    pub(super) fn new(most: usize) -> Self {
        Self { known: Memory::new(most), begun: AtomicU64::new(0), ended: AtomicU64::new(0) }
    }

    /// Begins to watch, if no commit is under way.
    pub(crate) fn epoch(&self) -> Option<CommitEpoch> {
        // In this order: where the second is no more than the first was, none was under way in between.
        let ended = self.ended.load(Ordering::SeqCst);
        (self.begun.load(Ordering::SeqCst) == ended).then_some(CommitEpoch(ended))
    }

    /// Whether no commit has begun since. Then what was read of the database and what was remembered go together.
    pub(crate) fn holds(&self, epoch: CommitEpoch) -> bool {
        self.begun.load(Ordering::SeqCst) == epoch.0
    }

    pub(crate) fn look<T: Entry>(&self, row: RowId) -> Result<Arc<T>, Look> {
        self.known.look(&row)
    }

    /// Remembers what the database said in this epoch, if it holds. Whoever ends it forgets the row afterwards, which waits for
    /// this to be over.
    pub(crate) fn remember(&self, row: RowId, entry: Arc<dyn Entry>, epoch: CommitEpoch) {
        self.known.remember_if(row, entry, |_| self.holds(epoch));
    }

    pub(crate) fn forget(&self, row: RowId) {
        self.known.forget(&row);
    }

    pub(super) fn looks(&self) -> Looks {
        self.known.looks()
    }

    /// Hears of a commit before it can be seen.
    pub(super) fn begin(&self, touched: &[RowId]) {
        if !touched.is_empty() {
            self.begun.fetch_add(1, Ordering::SeqCst);
        }
    }

    /// Hears of it when it can be seen, or never will be.
    pub(super) fn end(&self, touched: &[RowId]) {
        if !touched.is_empty() {
            for row in touched {
                self.forget(*row);
            }
            self.ended.fetch_add(1, Ordering::SeqCst);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sql::touched::Touched;

    const ROW: RowId = RowId(7);

    struct Note;

    impl Entry for Note {
        fn weight(&self) -> usize {
            1
        }

        fn rests_on(&self, _: &Touched) -> bool {
            false
        }
    }

    fn rows() -> Rows {
        Rows::new(64 * 1024)
    }

    fn knows(rows: &Rows) -> bool {
        rows.look::<Note>(ROW).is_ok()
    }

    #[test]
    fn a_lull_lasts_until_a_commit_begins_that_changes_a_row_and_the_next_begins_when_that_has_ended() {
        let rows = rows();
        let epoch = rows.epoch().unwrap();
        rows.begin(&[]);
        rows.end(&[]);
        assert!(rows.holds(epoch));
        rows.begin(&[ROW]);
        assert!(!rows.holds(epoch) && rows.epoch().is_none());
        rows.end(&[ROW]);
        assert!(!rows.holds(epoch) && rows.holds(rows.epoch().unwrap()));
    }

    #[test]
    fn what_was_read_before_a_commit_is_neither_remembered_during_it_nor_after_it() {
        let rows = rows();
        let epoch = rows.epoch().unwrap();
        rows.begin(&[ROW]);
        rows.remember(ROW, Arc::new(Note), epoch);
        assert!(!knows(&rows));
        rows.end(&[ROW]);
        rows.remember(ROW, Arc::new(Note), epoch);
        assert!(!knows(&rows));
        rows.remember(ROW, Arc::new(Note), rows.epoch().unwrap());
        assert!(knows(&rows));
        rows.begin(&[ROW]);
        rows.end(&[ROW]);
        assert!(!knows(&rows));
    }
}
