//! What this process believes of its clock: shared by whoever deletes for good and whoever gives lines of the ledger their
//! place in time.

use super::clock::Clock;
use rules::belief::{ClockBelief, ClockReading};
use rules::moment::Moment;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Empty until the ledger could be asked.
#[derive(Debug, Default)]
pub struct SharedBelief(Mutex<Option<ClockBelief>>);

impl SharedBelief {
    /// Begins with the moment of the newest line that was noted before this process noted any.
    pub fn begin(&self, newest_line: Option<Moment>, clock: &Clock) {
        *self.held() = Some(ClockBelief::new(newest_line, clock.uptime()));
    }

    /// Looks at the clock, and remembers how it stood.
    pub fn look(&self, clock: &Clock) -> Option<ClockReading> {
        self.held().as_mut().map(|belief| belief.look(clock.now(), clock.uptime()))
    }

    /// The moment that is believed. Nothing is remembered: whoever asks every second would believe a clock that leaps in
    /// small steps.
    pub fn moment(&self, clock: &Clock) -> Moment {
        let now = clock.now();
        let asked = *self.held();
        asked.map_or(now, |mut belief| belief.look(now, clock.uptime()).believed())
    }

    fn held(&self) -> MutexGuard<'_, Option<ClockBelief>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
