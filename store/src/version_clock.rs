//! The moments of versions. A clock can be set back, or differ between nodes; a version is never from before the newest that is
//! known of, and always from after its predecessor.

use rules::moment::Moment;
use std::sync::atomic::{AtomicI64, Ordering};

/// The newest moment of a version that this process knows of.
#[derive(Debug)]
pub(crate) struct VersionClock(AtomicI64);

impl VersionClock {
    pub(crate) const fn new(newest: Moment) -> Self {
        Self(AtomicI64::new(newest.0))
    }

    /// The moment of versions that are written while the clock on the wall says this.
    pub(crate) fn moment(&self, wall: Moment) -> VersionMoment<'_> {
        VersionMoment { clock: self, wall, at: self.see(wall) }
    }

    /// Knows of a version of this moment, and gives the newest.
    pub(crate) fn see(&self, moment: Moment) -> Moment {
        Moment(self.0.fetch_max(moment.0, Ordering::SeqCst).max(moment.0))
    }
}

/// When versions are written that are written together.
#[derive(Clone, Copy, Debug)]
pub(crate) struct VersionMoment<'c> {
    clock: &'c VersionClock,
    /// The time of day as it was read: what is noted of the write goes by it.
    pub wall: Moment,
    /// The moment of a version without a predecessor.
    pub at: Moment,
}

impl VersionMoment<'_> {
    /// The moment of the version behind one of this moment. Where that lies ahead of the clock it is a millisecond later, so that
    /// the two can be told apart.
    pub(crate) fn after(&self, before: Option<Moment>) -> Moment {
        match before {
            Some(before) if before > self.wall => self.clock.see(Moment(self.at.0.max(before.0.saturating_add(1)))),
            _ => self.at,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_that_runs_evenly_is_taken_at_its_word() {
        let clock = VersionClock::new(Moment(100));
        for now in [100, 100, 105, 2_000] {
            let moment = clock.moment(Moment(now));
            assert_eq!((moment.at, moment.after(Some(Moment(100)))), (Moment(now), Moment(now)));
        }
    }

    #[test]
    fn a_clock_that_was_set_back_gives_no_moment_before_the_newest_and_a_later_one_to_each_next_version() {
        let clock = VersionClock::new(Moment(5_000));
        let first = clock.moment(Moment(1_000));
        assert_eq!(first.after(None), Moment(5_000));
        let mut before = Moment(5_000);
        for version in 2..6 {
            let next = clock.moment(Moment(1_000 + version)).after(Some(before));
            assert_eq!(next, Moment(before.0 + 1));
            before = next;
        }
        assert_eq!(clock.moment(Moment(1_100)).after(Some(Moment(3_000))), before, "not before the newest");
        assert_eq!(clock.moment(Moment(9_000)).after(Some(before)), Moment(9_000), "the clock has caught up");
    }
}
