//! The budget of request bodies: how many bytes of them may have been received and not answered yet, in all and of one caller; and
//! the same of what was made of them to be stored.
//!
//! Small bodies have bytes of their own, so that whoever sends little goes on while others send as much as there is room for.

use super::response_budget::Taker;
use rules::limits::{
    BODY_BYTES, BODY_BYTES_PER_CALLER, PREPARED_BYTES, PREPARED_BYTES_PER_CALLER, SMALL_BODIES_BYTES,
    SMALL_BODIES_BYTES_PER_CALLER, SMALL_BODY_BYTES,
};
use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Why there is no room for more of a body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BodyOverload {
    #[error("the bodies of this caller are as much as one caller's may be")]
    OfCaller,
    #[error("the bodies of all callers are as much as they may be")]
    InAll,
}

#[derive(Clone, Debug)]
pub struct BodyBudget {
    small: BodyShare,
    large: BodyShare,
}

/// The bytes of the small bodies, or of all others.
#[derive(Clone, Debug)]
struct BodyShare {
    counts: Arc<Mutex<BodyCounts>>,
    in_all: usize,
    per_caller: usize,
}

#[derive(Debug, Default)]
struct BodyCounts {
    in_all: usize,
    of: HashMap<Taker, usize>,
}

/// What one body has of the budget, until it is dropped.
#[derive(Debug)]
pub struct BodyClaim {
    budget: BodyBudget,
    caller: Taker,
    bytes: usize,
    is_large: bool,
}

impl BodyBudget {
    /// The budget of a service that takes bodies of so many bytes: there is always room for one of them, and for one of
    /// somebody else.
    #[must_use]
    pub fn new(longest: usize) -> Self {
        let per_caller = BODY_BYTES_PER_CALLER.max(longest);
        Self {
            small: BodyShare::new(SMALL_BODIES_BYTES, SMALL_BODIES_BYTES_PER_CALLER),
            large: BodyShare::new(BODY_BYTES.max(per_caller.saturating_mul(2)), per_caller),
        }
    }

    /// The budget of what was prepared to be stored, of bodies as long as this.
    #[must_use]
    pub fn of_prepared(longest: usize) -> Self {
        let per_caller = PREPARED_BYTES_PER_CALLER.max(longest.saturating_mul(5));
        Self {
            small: BodyShare::new(SMALL_BODIES_BYTES, SMALL_BODIES_BYTES_PER_CALLER),
            large: BodyShare::new(PREPARED_BYTES.max(per_caller.saturating_mul(2)), per_caller),
        }
    }

    /// The claim of a body of which nothing has come yet.
    #[must_use]
    pub fn claim(&self, caller: Taker) -> BodyClaim {
        BodyClaim { budget: self.clone(), caller, bytes: 0, is_large: false }
    }
}

impl BodyClaim {
    /// Whether there would be room for so many bytes in all.
    pub fn has_room(&self, bytes: usize) -> Result<(), BodyOverload> {
        match bytes <= SMALL_BODY_BYTES {
            true => Ok(()),
            false => self.budget.large.fits(&self.budget.large.lock(), self.caller, bytes),
        }
    }

    /// Claims so many bytes more. A body that is no small one any more leaves the bytes of the small ones to those.
    pub fn grow(&mut self, bytes: usize) -> Result<(), BodyOverload> {
        let all = self.bytes.saturating_add(bytes);
        let BodyBudget { small, large } = &self.budget;
        if self.is_large {
            large.take(self.caller, bytes)?;
        } else if all > SMALL_BODY_BYTES || small.take(self.caller, bytes).is_err() {
            large.take(self.caller, all)?;
            small.give_back(self.caller, self.bytes);
            self.is_large = true;
        }
        self.bytes = all;
        Ok(())
    }
}

impl Drop for BodyClaim {
    fn drop(&mut self) {
        let BodyBudget { small, large } = &self.budget;
        if self.is_large { large } else { small }.give_back(self.caller, self.bytes);
    }
}

impl BodyShare {
    fn new(in_all: usize, per_caller: usize) -> Self {
        Self { counts: Arc::default(), in_all, per_caller }
    }

    fn lock(&self) -> MutexGuard<'_, BodyCounts> {
        self.counts.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn fits(&self, counts: &BodyCounts, caller: Taker, bytes: usize) -> Result<(), BodyOverload> {
        let own = counts.of.get(&caller).copied().unwrap_or_default();
        if own.saturating_add(bytes) > self.per_caller {
            return Err(BodyOverload::OfCaller);
        }
        if counts.in_all.saturating_add(bytes) > self.in_all { Err(BodyOverload::InAll) } else { Ok(()) }
    }

    fn take(&self, caller: Taker, bytes: usize) -> Result<(), BodyOverload> {
        let mut counts = self.lock();
        self.fits(&counts, caller, bytes)?;
        counts.in_all += bytes;
        *counts.of.entry(caller).or_default() += bytes;
        Ok(())
    }

    fn give_back(&self, caller: Taker, bytes: usize) {
        if bytes == 0 {
            return;
        }
        let mut counts = self.lock();
        counts.in_all = counts.in_all.saturating_sub(bytes);
        if let Entry::Occupied(mut own) = counts.of.entry(caller) {
            *own.get_mut() = own.get().saturating_sub(bytes);
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

#[cfg(test)]
#[path = "body_budget_tests.rs"]
mod tests;
