//! A bound on lines of the log that strangers can cause: somebody who guesses must not fill the disk.

use rules::limits::{STRANGERS_LINES, STRANGERS_LINES_A_SECOND};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

/// So many lines at once, then so many a second. Takes the time since the service began, which no clock can set.
#[derive(Debug)]
pub struct LineBudget(Mutex<Remainder>);

#[derive(Debug)]
struct Remainder {
    lines: f64,
    at: Duration,
    left_out: u64,
}

impl Default for LineBudget {
    fn default() -> Self {
        Self(Mutex::new(Remainder { lines: STRANGERS_LINES, at: Duration::ZERO, left_out: 0 }))
    }
}

impl LineBudget {
    /// Whether another line may be written, and how many were left out since the last one.
    pub fn take(&self, uptime: Duration) -> Option<u64> {
        let mut left = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let passed = uptime.saturating_sub(left.at).as_secs_f64();
        left.lines = passed.mul_add(STRANGERS_LINES_A_SECOND, left.lines).min(STRANGERS_LINES);
        left.at = left.at.max(uptime);
        if left.lines < 1.0 {
            left.left_out += 1;
            return None;
        }
        left.lines -= 1.0;
        Some(std::mem::take(&mut left.left_out))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_flood_gets_its_first_lines_then_a_few_a_second_and_the_rest_is_counted() {
        let budget = LineBudget::default();
        let flood = |at: f64| (0..10_000).filter_map(|_| budget.take(Duration::from_secs_f64(at))).collect::<Vec<_>>();
        assert_eq!(flood(5.0).len() as f64, STRANGERS_LINES);
        let next = flood(6.0);
        assert_eq!(next.len() as f64, STRANGERS_LINES_A_SECOND);
        assert_eq!(next[0] as f64, 10_000.0 - STRANGERS_LINES, "what was left out is told with the next line");
        assert_eq!(next[1], 0);
        assert_eq!(flood(1e6).len() as f64, STRANGERS_LINES, "it does not save up");
    }
}
