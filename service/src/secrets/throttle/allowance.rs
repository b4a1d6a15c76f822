//! How many failures are allowed within how long, and how long one must wait after that.

use rules::limits::{FAILURE_WINDOW_SECONDS, FAILURES_PER_ACCOUNT, FAILURES_PER_ADDRESS};
use std::time::Duration;

/// The numbers of the throttle, as the operator sets them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Allowance {
    /// Failures are counted over a window of this length, which begins with the first of them.
    pub window: Duration,
    /// For one account or client; and for one account in one browser that it has signed in with before.
    pub per_account: u32,
    /// For one address.
    pub per_address: u32,
}

impl Default for Allowance {
    fn default() -> Self {
        Self {
            window: Duration::from_secs(FAILURE_WINDOW_SECONDS.unsigned_abs()),
            per_account: FAILURES_PER_ACCOUNT,
            per_address: FAILURES_PER_ADDRESS,
        }
    }
}

/// Must wait this many seconds, at least one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wait(pub i64);

impl Wait {
    /// Until a moment that is this far away.
    pub(super) fn of(duration: Duration) -> Self {
        let whole = duration.as_secs() + u64::from(duration.subsec_nanos() > 0);
        Self(i64::try_from(whole).unwrap_or(i64::MAX).max(1))
    }
}
