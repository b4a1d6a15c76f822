//! An examination under way: the store that is looked at, and who hears what is found.

use super::fault::Fault;
use crate::ledger::Notary;
use crate::place::Place;
use crate::sql::budget::Budget;
use crate::store::Store;
use crate::upkeep::reindex::Reader;
use std::time::Duration;

/// Nobody waits for these reads but the one who asked for them.
pub(super) const BUDGET: Budget = Budget { time: Duration::from_secs(3600), readers: 1, waiting: 8 };

/// Hears of a fault of a check as soon as it is found: however many there are, none is kept.
pub(super) type Tell<'e> = &'e mut (dyn FnMut(&'static str, &Fault) + Send);

/// Hears how far a check is: its name, done and in all.
pub(super) type Progress<'e> = &'e mut (dyn FnMut(&'static str, u64, u64) + Send);

pub struct Examination<'e> {
    pub(super) place: &'e Place,
    /// What a body says.
    pub(super) reader: Reader,
    /// Who can tell whether the root of a month is good.
    pub(super) notary: Option<&'e dyn Notary>,
    /// The name of the check that is under way.
    pub(super) check: &'static str,
    /// What it has looked at, and what it will look at in all.
    pub(super) done: u64,
    pub(super) all: u64,
    pub(super) faults: u64,
    pub(super) tell: Tell<'e>,
    pub(super) progress: Progress<'e>,
}

impl std::fmt::Debug for Examination<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Examination").field("check", &self.check).field("faults", &self.faults).finish_non_exhaustive()
    }
}

impl Examination<'_> {
    pub(super) fn begin(&mut self, check: &'static str) {
        (self.check, self.done, self.all) = (check, 0, 0);
    }

    pub(super) fn tell(&mut self, fault: &Fault) {
        self.faults += 1;
        (self.tell)(self.check, fault);
    }

    /// Says that so many more were looked at.
    pub(super) fn advance(&mut self, by: u64) {
        self.done += by;
        self.all = self.all.max(self.done);
        (self.progress)(self.check, self.done, self.all);
    }

    /// The store, opened in order to look at it.
    pub(super) async fn open(&self) -> crate::error::Result<Store> {
        Store::look(self.place, BUDGET).await
    }
}
