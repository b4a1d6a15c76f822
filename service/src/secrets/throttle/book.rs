//! One book of failures: how often each name in it has failed within its window, in bounded memory.
//!
//! A name that has failed too often is locked until its window ends, and nothing makes the book forget it before. When
//! the book is full, what is let go is the count that is nearest to its end and has locked nothing; a book full of
//! locked names takes no further ones, and says so.

use super::allowance::Wait;
use std::collections::{BTreeSet, HashMap};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// Names in one book. One weighs about 120 bytes, so a full book has about 6 MB.
pub(super) const NAMES: usize = 50_000;

/// What a name is to a book: an id, a network, or a keyed digest. Each sort has a book of its own.
pub(super) type Name = u128;

/// A book of failures.
pub(super) struct Book {
    pages: Arc<Mutex<Pages>>,
    most: u32,
    window: Duration,
}

/// Why a name may not be tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum NoTry {
    /// It has failed too often, or is being tried by as many as it has failures left.
    Locked(Wait),
    /// It is not in the book, which is full of locked names.
    NoRoom(Wait),
}

impl NoTry {
    pub(super) const fn wait(self) -> Wait {
        match self {
            Self::Locked(wait) | Self::NoRoom(wait) => wait,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Tally {
    failures: u32,
    /// Tries under way, each of which may become a failure.
    trying: u32,
    window_ends: Duration,
}

#[derive(Default)]
struct Pages {
    tallies: HashMap<Name, Tally>,
    /// Those that are not locked and that nobody is trying, by the end of their window.
    open: BTreeSet<(Duration, Name)>,
    /// Those that are locked, likewise.
    locked: BTreeSet<(Duration, Name)>,
}

/// A try that is under way. It must become a failure, or else it is as if it had not been.
pub(super) struct Reservation {
    pages: Arc<Mutex<Pages>>,
    name: Name,
    most: u32,
    failed: bool,
}

impl Book {
    pub(super) fn new(most: u32, window: Duration) -> Self {
        Self { pages: Arc::default(), most, window }
    }

    /// Reserves a try. `now` never goes back.
    pub(super) fn reserve(&self, name: Name, now: Duration) -> Result<Reservation, NoTry> {
        let mut pages = lock(&self.pages);
        pages.forget_what_is_over(now);
        let fresh = Tally { failures: 0, trying: 0, window_ends: now.saturating_add(self.window) };
        let known = pages.tallies.get(&name).copied();
        if known.is_none() {
            pages.make_room(now)?;
        }
        let mut tally = known.unwrap_or(fresh);
        if tally.window_ends <= now {
            // Its window ended while somebody was trying.
            tally = Tally { trying: tally.trying, ..fresh };
        }
        if tally.failures >= self.most {
            return Err(NoTry::Locked(Wait::of(tally.window_ends.saturating_sub(now))));
        }
        if tally.failures.saturating_add(tally.trying) >= self.most {
            // Soon known: those who are trying have it or have failed.
            return Err(NoTry::Locked(Wait::of(Duration::ZERO)));
        }
        tally.trying += 1;
        pages.put(name, tally, self.most);
        Ok(Reservation { pages: self.pages.clone(), name, most: self.most, failed: false })
    }
}

impl Reservation {
    /// The try was a failure.
    pub(super) fn fail(mut self) {
        self.failed = true;
    }
}

impl Drop for Reservation {
    fn drop(&mut self) {
        let mut pages = lock(&self.pages);
        if let Some(tally) = pages.tallies.get(&self.name).copied() {
            let failures = tally.failures.saturating_add(u32::from(self.failed));
            let tally = Tally { failures, trying: tally.trying.saturating_sub(1), ..tally };
            pages.put(self.name, tally, self.most);
        }
    }
}

impl Pages {
    /// Writes a tally where it belongs; one that counts nothing is not kept.
    fn put(&mut self, name: Name, tally: Tally, most: u32) {
        self.take(name);
        let Tally { failures, trying, window_ends } = tally;
        if failures == 0 && trying == 0 {
            return;
        }
        self.tallies.insert(name, tally);
        if failures >= most {
            self.locked.insert((window_ends, name));
        } else if trying == 0 {
            self.open.insert((window_ends, name));
        }
    }

    fn take(&mut self, name: Name) {
        if let Some(before) = self.tallies.remove(&name) {
            self.open.remove(&(before.window_ends, name));
            self.locked.remove(&(before.window_ends, name));
        }
    }

    fn forget_what_is_over(&mut self, now: Duration) {
        let over = |(ends, _): &&(Duration, Name)| *ends <= now;
        while let Some((_, name)) = self.open.first().filter(over).or_else(|| self.locked.first().filter(over)) {
            self.take(*name);
        }
    }

    /// Room for one more name. Those that somebody is trying are few, and stay.
    fn make_room(&mut self, now: Duration) -> Result<(), NoTry> {
        if self.tallies.len() < NAMES {
            return Ok(());
        }
        if let Some((_, oldest)) = self.open.first().copied() {
            self.take(oldest);
            return Ok(());
        }
        let soonest = self.locked.first().map_or(Duration::ZERO, |(ends, _)| ends.saturating_sub(now));
        Err(NoTry::NoRoom(Wait::of(soonest)))
    }
}

fn lock(pages: &Mutex<Pages>) -> MutexGuard<'_, Pages> {
    pages.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
#[path = "book_tests.rs"]
mod tests;
