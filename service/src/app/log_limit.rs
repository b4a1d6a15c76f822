//! A limit on lines of the log that come by the thousand when the database is away: the first of each second are written,
//! and how many were not.

use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

const SPAN: Duration = Duration::from_secs(1);

#[derive(Debug)]
pub(super) struct LogLimit {
    lines: u32,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    since: Option<Instant>,
    written: u32,
    unwritten: u64,
}

impl LogLimit {
    /// So many lines each second.
    pub(super) const fn of(lines: u32) -> Self {
        Self { lines, state: Mutex::new(State { since: None, written: 0, unwritten: 0 }) }
    }

    /// Whether to write a line, with the number of those that were not written before it.
    pub(super) fn admits(&self, now: Instant) -> Option<u64> {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        if state.since.is_none_or(|since| now.duration_since(since) >= SPAN) {
            state.since = Some(now);
            state.written = 0;
        }
        if state.written >= self.lines {
            state.unwritten += 1;
            return None;
        }
        state.written += 1;
        Some(std::mem::take(&mut state.unwritten))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_lines_of_each_second_are_written_and_the_others_counted() {
        let (limit, start) = (LogLimit::of(2), Instant::now());
        let at = |millis| limit.admits(start + Duration::from_millis(millis));
        assert_eq!([at(0), at(1), at(2), at(999)], [Some(0), Some(0), None, None]);
        assert_eq!([at(1000), at(1001), at(1002)], [Some(2), Some(0), None]);
        assert_eq!(at(5000), Some(1));
    }
}
