//! When the sight of each patient was last changed, counted in commits: what a consent opened may be answered from memory while
//! nothing has changed of who sees its patient.

use crate::sql::touched::Touched;
use rules::ids::PatientId;
use std::sync::atomic::{AtomicU64, Ordering};

/// Patients share these places. That two of them share one costs a look at the database, and tells nobody anything.
const PLACES: usize = 4096;

/// The commits that changed who sees whom.
#[derive(Debug)]
pub(crate) struct SightChanges {
    commits: AtomicU64,
    /// The number of the last commit that changed the sight of a patient of this place.
    last: Vec<AtomicU64>,
}

/// A moment among the commits of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SightMark(u64);

impl Default for SightChanges {
    fn default() -> Self {
        Self { commits: AtomicU64::new(0), last: (0..PLACES).map(|_| AtomicU64::new(0)).collect() }
    }
}

impl SightChanges {
    /// The present moment, taken before the database is asked.
    pub(crate) fn mark(&self) -> SightMark {
        SightMark(self.commits.load(Ordering::SeqCst))
    }

    /// Hears of a commit when it can be seen: whoever takes a mark after this reads what the commit wrote.
    pub(super) fn note(&self, touched: &Touched) {
        if touched.sight.is_empty() {
            return;
        }
        let commit = self.commits.fetch_add(1, Ordering::SeqCst) + 1;
        for place in touched.sight.iter().filter_map(|patient| self.place(*patient)) {
            place.store(commit, Ordering::SeqCst);
        }
    }

    /// Whether the sight of this patient is as it was at that moment.
    pub(crate) fn is_unchanged(&self, patient: PatientId, since: SightMark) -> bool {
        self.place(patient).is_some_and(|last| last.load(Ordering::SeqCst) <= since.0)
    }

    fn place(&self, patient: PatientId) -> Option<&AtomicU64> {
        let at = patient.0.unsigned_abs() % PLACES as u64;
        self.last.get(usize::try_from(at).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn touched(patients: &[i64]) -> Touched {
        Touched { sight: patients.iter().copied().map(PatientId).collect(), ..Touched::default() }
    }

    #[test]
    fn the_sight_of_a_patient_is_unchanged_until_a_commit_changes_it() {
        let changes = SightChanges::default();
        let (one, other) = (PatientId(7), PatientId(8));
        let first = changes.mark();
        changes.note(&touched(&[]));
        assert_eq!(changes.mark(), first, "a commit that changes nobody's sight is none of these");
        changes.note(&touched(&[7]));
        assert!(!changes.is_unchanged(one, first) && changes.is_unchanged(other, first));
        let second = changes.mark();
        assert!(changes.is_unchanged(one, second));
        changes.note(&touched(&[8, 7]));
        assert!(!changes.is_unchanged(one, second) && !changes.is_unchanged(other, first));
    }
}
