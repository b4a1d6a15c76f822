//! The one place that reads the time of day. Whoever begins something takes its moment here and passes it on.

use rules::moment::Moment;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// The service's clock: the machine's own, moved by an offset in a sandbox, or standing still in a test.
#[derive(Debug)]
pub struct Clock {
    base: Base,
    moved_by: AtomicI64,
    /// Seconds that were let pass, of those that it was moved by.
    let_pass: AtomicU64,
}

#[derive(Debug)]
enum Base {
    Machine { since: Instant },
    Standing { at: i64 },
}

impl Clock {
    /// The machine's clock, moved by `moved_by` milliseconds.
    #[must_use]
    pub fn running(moved_by: i64) -> Self {
        Self::new(Base::Machine { since: Instant::now() }, moved_by)
    }

    /// A clock that stands still until it is moved.
    #[must_use]
    pub fn standing(at: Moment) -> Self {
        Self::new(Base::Standing { at: at.0 }, 0)
    }

    fn new(base: Base, moved_by: i64) -> Self {
        Self { base, moved_by: AtomicI64::new(moved_by), let_pass: AtomicU64::new(0) }
    }

    #[must_use]
    pub fn now(&self) -> Moment {
        let base = match self.base {
            Base::Machine { .. } => i64::try_from(machine_time().as_millis()).unwrap_or(i64::MAX),
            Base::Standing { at } => at,
        };
        Moment(base.saturating_add(self.moved_by.load(Ordering::SeqCst)))
    }

    /// How long the service has run. It never goes back and never leaps, whatever becomes of the time of day; what a
    /// test or a sandbox lets pass counts as if it had been waited for.
    #[must_use]
    pub fn uptime(&self) -> Duration {
        let run = match self.base {
            Base::Machine { since } => since.elapsed(),
            Base::Standing { .. } => Duration::ZERO,
        };
        run.saturating_add(Duration::from_secs(self.let_pass.load(Ordering::SeqCst)))
    }

    /// The machine's own time of day since 1970, wherever the service's was moved to: for what is compared with other machines.
    #[must_use]
    pub fn of_machine(&self) -> Duration {
        machine_time()
    }

    /// Back to the machine's own time of day. What was let pass stays passed.
    pub fn reset(&self) {
        self.moved_by.store(0, Ordering::SeqCst);
    }

    /// Lets time pass, and gives the whole offset in milliseconds.
    pub fn advance_seconds(&self, seconds: i64) -> i64 {
        self.let_pass.fetch_add(u64::try_from(seconds).unwrap_or(0), Ordering::SeqCst);
        self.jump_seconds(seconds)
    }

    /// Sets the time of day forth or back, as somebody may set a machine's clock, and gives the whole offset in
    /// milliseconds. No time passes by it.
    pub fn jump_seconds(&self, seconds: i64) -> i64 {
        let by = seconds.saturating_mul(1000);
        self.moved_by.fetch_add(by, Ordering::SeqCst).saturating_add(by)
    }
}

#[expect(clippy::disallowed_methods, reason = "this is the door that the lint keeps everyone else out of")]
fn machine_time() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default()
}
