//! How far the ledger is behind what was looked at, as whoever writes it says.

use rules::moment::Moment;
use std::sync::{Mutex, PoisonError};

/// The one place where it is said. While nobody has said anything, there is nothing to show.
#[derive(Debug, Default)]
pub struct LedgerLag(Mutex<Option<Option<Moment>>>);

impl LedgerLag {
    /// Says when the oldest access was that is not in the ledger yet; `None` if all of them are.
    pub fn tell(&self, oldest: Option<Moment>) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(oldest);
    }

    /// Its age in seconds.
    #[must_use]
    pub fn seconds(&self, now: Moment) -> Option<f64> {
        let told = *self.0.lock().unwrap_or_else(PoisonError::into_inner);
        Some(told?.map_or(0.0, |oldest| (now.0 - oldest.0).max(0) as f64 / 1000.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_lag_is_the_age_of_the_oldest_and_none_where_all_is_written() {
        let lag = LedgerLag::default();
        assert_eq!(lag.seconds(Moment(9000)), None);
        lag.tell(Some(Moment(7500)));
        assert_eq!(lag.seconds(Moment(9000)), Some(1.5));
        assert_eq!(lag.seconds(Moment(7000)), Some(0.0), "the clock was set back");
        lag.tell(None);
        assert_eq!(lag.seconds(Moment(9000)), Some(0.0));
    }
}
