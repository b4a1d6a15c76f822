//! How far the ledger is behind what was looked at, as whoever writes it says.

use rules::moment::Moment;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The oldest look at a record of those that are not in the ledger yet, by how far they have come. What cannot go on stays
/// where it is.
#[derive(Debug, Default)]
pub struct LedgerLag(Mutex<Stages>);

#[derive(Debug, Default)]
struct Stages {
    counted: Option<Moment>,
    written_down: Option<Moment>,
    being_added: Option<Moment>,
}

impl LedgerLag {
    /// Says when the oldest was of those that are to be written down.
    pub fn count(&self, oldest: Option<Moment>) {
        let mut stages = self.stages();
        stages.counted = older(stages.counted, oldest);
    }

    /// All that were counted are written down.
    pub fn write_down(&self) {
        let mut stages = self.stages();
        stages.written_down = older(stages.written_down, stages.counted.take());
    }

    /// All that are written down are about to be added.
    pub fn begin_adding(&self) {
        let mut stages = self.stages();
        stages.being_added = older(stages.being_added, stages.written_down.take());
    }

    /// They were.
    pub fn end_adding(&self) {
        self.stages().being_added = None;
    }

    /// The age of the oldest in seconds; 0 if all are in the ledger.
    #[must_use]
    pub fn seconds(&self, now: Moment) -> f64 {
        let stages = self.stages();
        let oldest = older(older(stages.counted, stages.written_down), stages.being_added);
        oldest.map_or(0.0, |oldest| (now.0 - oldest.0).max(0) as f64 / 1000.0)
    }

    fn stages(&self) -> MutexGuard<'_, Stages> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn older(one: Option<Moment>, other: Option<Moment>) -> Option<Moment> {
    one.into_iter().chain(other).min()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lag_is_the_age_of_the_oldest_and_none_where_all_is_in_the_ledger() {
        let lag = LedgerLag::default();
        assert_eq!(lag.seconds(Moment(9000)), 0.0);
        lag.count(Some(Moment(7500)));
        assert_eq!(lag.seconds(Moment(9000)), 1.5);
        assert_eq!(lag.seconds(Moment(7000)), 0.0, "the clock was set back");
        lag.write_down();
        lag.begin_adding();
        assert_eq!(lag.seconds(Moment(9000)), 1.5);
        lag.end_adding();
        assert_eq!(lag.seconds(Moment(9000)), 0.0);
    }

    #[test]
    fn what_could_not_be_written_or_added_stays_and_what_came_meanwhile_is_not_taken_for_added() {
        let lag = LedgerLag::default();
        lag.count(Some(Moment(1000)));
        lag.begin_adding();
        lag.end_adding();
        assert_eq!(lag.seconds(Moment(9000)), 8.0, "it is not written down yet");
        lag.count(Some(Moment(2000)));
        lag.write_down();
        lag.begin_adding();
        lag.count(Some(Moment(5000)));
        lag.write_down();
        assert_eq!(lag.seconds(Moment(9000)), 8.0);
        lag.begin_adding();
        assert_eq!(lag.seconds(Moment(9000)), 8.0, "the first time came to nothing");
        lag.count(Some(Moment(6000)));
        lag.write_down();
        lag.end_adding();
        assert_eq!(lag.seconds(Moment(9000)), 3.0);
    }
}
