//! How long the machine itself keeps somebody waiting who asks for next to nothing: a thread that only sleeps, a millisecond at a
//! time, and notes by how much it was woken too late.

use super::trouble::Trouble;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{JoinHandle, sleep, spawn};
use std::time::{Duration, Instant};

const NAP: Duration = Duration::from_millis(1);

#[derive(Debug)]
pub(crate) struct LongestGap {
    over: Arc<AtomicBool>,
    sleeper: JoinHandle<Duration>,
}

impl LongestGap {
    pub(crate) fn watch() -> Self {
        let over = Arc::new(AtomicBool::new(false));
        let until = Arc::clone(&over);
        let sleeper = spawn(move || {
            let mut longest = Duration::ZERO;
            while !until.load(Ordering::Relaxed) {
                let began = Instant::now();
                sleep(NAP);
                longest = longest.max(began.elapsed().saturating_sub(NAP));
            }
            longest
        });
        Self { over, sleeper }
    }

    /// The longest that it was woken too late, in milliseconds.
    pub(crate) fn end_ms(self) -> Result<f64, Trouble> {
        self.over.store(true, Ordering::Relaxed);
        let longest = self.sleeper.join().map_err(|_| "the thread that watches the machine has ended")?;
        Ok(longest.as_secs_f64() * 1e3)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sleeper_is_woken_late_by_something_and_ends_when_told() {
        let watch = LongestGap::watch();
        sleep(5 * NAP);
        assert!(watch.end_ms().unwrap() > 0.0);
    }
}
