//! A notice for the log that would be given again and again: once a minute is enough.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

const EVERY: Duration = Duration::from_secs(60);

/// When it was given last.
#[derive(Debug, Default)]
pub(super) struct Notice(Mutex<Option<Instant>>);

impl Notice {
    /// Whether it should be given now; then it counts as given.
    pub(super) fn is_due(&self) -> bool {
        let mut last = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let due = last.is_none_or(|last| last.elapsed() >= EVERY);
        if due {
            *last = Some(Instant::now());
        }
        due
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_notice_is_given_at_once_and_then_once_a_minute() {
        let notice = Notice::default();
        assert_eq!([notice.is_due(), notice.is_due()], [true, false]);
        tokio::time::advance(EVERY).await;
        assert_eq!([notice.is_due(), notice.is_due()], [true, false]);
    }
}
