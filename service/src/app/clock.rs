//! The one place that reads the time of day. Whoever begins something takes its moment here and passes it on.

use rules::moment::Moment;
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

/// The service's clock: the machine's own, moved by an offset in a sandbox, or standing still in a test.
#[derive(Debug)]
pub struct Clock {
    stands_at: Option<i64>,
    moved_by: AtomicI64,
}

impl Clock {
    /// The machine's clock, moved by `moved_by` milliseconds.
    #[must_use]
    pub const fn running(moved_by: i64) -> Self {
        Self { stands_at: None, moved_by: AtomicI64::new(moved_by) }
    }

    /// A clock that stands still until it is moved.
    #[must_use]
    pub const fn standing(at: Moment) -> Self {
        Self { stands_at: Some(at.0), moved_by: AtomicI64::new(0) }
    }

    #[must_use]
    pub fn now(&self) -> Moment {
        let base = self.stands_at.unwrap_or_else(machine_time);
        Moment(base.saturating_add(self.moved_by.load(Ordering::SeqCst)))
    }

    /// Back to the machine's own time.
    pub fn reset(&self) {
        self.moved_by.store(0, Ordering::SeqCst);
    }

    /// Moves the clock and gives the whole offset, in milliseconds.
    pub fn advance_seconds(&self, seconds: i64) -> i64 {
        let by = seconds.saturating_mul(1000);
        self.moved_by.fetch_add(by, Ordering::SeqCst).saturating_add(by)
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the door that the lint keeps everyone else out of")]
fn machine_time() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_millis()).unwrap_or(i64::MAX)
}
