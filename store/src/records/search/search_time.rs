//! The time of one search: all its types, all pieces of what it looks through and all rounds of what comes along share it.

use crate::error::{Error, Result};
use crate::store::Store;
use std::time::Instant;

/// When a search has to have ended.
#[derive(Clone, Copy, Debug)]
pub struct SearchTime(Instant);

impl SearchTime {
    /// From now on, as long as one read of this store may take.
    #[must_use]
    pub fn of(store: &Store) -> Self {
        Self::until(Instant::now() + store.budget.time)
    }

    #[must_use]
    pub const fn until(end: Instant) -> Self {
        Self(end)
    }

    /// Refuses whoever has used it up.
    pub(crate) fn must_be_left(self) -> Result<()> {
        if Instant::now() > self.0 { Err(Error::TooCostly) } else { Ok(()) }
    }
}
