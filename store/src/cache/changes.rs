//! When resources of each type were last changed, counted in commits: a search that was made before the writer's turn finds the
//! same in it where nothing that it looked at was changed since.

use crate::sql::touched::Touched;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};

/// The commits that changed what searches find.
#[derive(Debug, Default)]
pub(crate) struct RecordChanges {
    commits: AtomicU64,
    last: Mutex<LastChanges>,
}

/// The number of the last commit that changed a type, and of the last that changed what is found of all types.
#[derive(Debug, Default)]
struct LastChanges {
    of_types: BTreeMap<i64, u64>,
    of_all: u64,
}

/// A moment among the commits of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WriteMark(u64);

impl RecordChanges {
    /// The present moment. Whoever reads after it sees all commits that were before it.
    pub(crate) fn mark(&self) -> WriteMark {
        WriteMark(self.commits.load(Ordering::SeqCst))
    }

    /// Hears of a commit when it can be seen: earlier, a mark could be behind it and a read that follows not see it.
    pub(super) fn note(&self, touched: &Touched) {
        if touched.types.is_empty() && !touched.finding {
            return;
        }
        let commit = self.commits.load(Ordering::SeqCst) + 1;
        let mut last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        last.of_types.extend(touched.types.iter().map(|number| (*number, commit)));
        if touched.finding {
            last.of_all = commit;
        }
        self.commits.store(commit, Ordering::SeqCst);
    }

    /// Whether no commit since then changed what a search through these types finds. Only the writer can ask: for others the
    /// next commit may be under way.
    pub(crate) fn is_unchanged(&self, since: WriteMark, types: &BTreeSet<i64>) -> bool {
        let last = self.last.lock().unwrap_or_else(PoisonError::into_inner);
        let is_earlier = |commit: &u64| *commit <= since.0;
        is_earlier(&last.of_all) && types.iter().filter_map(|number| last.of_types.get(number)).all(is_earlier)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(types: &[i64], finding: bool) -> Touched {
        Touched { types: types.iter().copied().collect(), finding, ..Touched::default() }
    }

    #[test]
    fn a_type_is_unchanged_until_a_commit_changes_it_or_what_is_found_of_all() {
        let changes = RecordChanges::default();
        let is_unchanged = |since, types: &[i64]| changes.is_unchanged(since, &types.iter().copied().collect());
        let first = changes.mark();
        assert!(is_unchanged(first, &[1, 2]));
        changes.note(&touched(&[], false));
        assert_eq!(changes.mark(), first, "a refresh changes nothing that is found");
        changes.note(&touched(&[1], false));
        assert!(!is_unchanged(first, &[1, 2]) && is_unchanged(first, &[2]));
        let second = changes.mark();
        assert!(is_unchanged(second, &[1, 2]));
        changes.note(&touched(&[], true));
        assert!(!is_unchanged(second, &[2]), "who sees what is a part of every search");
    }
}
