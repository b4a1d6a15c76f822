//! The time of day, in which the ledger of the service on the same machine tells its moments.

use std::time::SystemTime;

#[expect(clippy::disallowed_methods, reason = "this is where the time of day is taken from")]
pub(crate) fn now() -> SystemTime {
    SystemTime::now()
}
