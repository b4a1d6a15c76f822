//! Waiting for what must come, but not for ever.

use std::time::{Duration, Instant};

/// How long anything that must come is waited for, on a machine that may be busy.
pub const PATIENCE: Duration = Duration::from_secs(300);
const PAUSE: Duration = Duration::from_millis(5);

/// Waits until something is so.
#[track_caller]
pub fn until(what: &str, mut is_so: impl FnMut() -> bool) {
    until_some(what, || is_so().then_some(()));
}

/// Waits until there is something, which is given.
#[track_caller]
pub fn until_some<T>(what: &str, mut find: impl FnMut() -> Option<T>) -> T {
    let deadline = Instant::now() + PATIENCE;
    loop {
        if let Some(found) = find() {
            return found;
        }
        assert!(Instant::now() < deadline, "it never came: {what}");
        std::thread::park_timeout(PAUSE);
    }
}
