//! The stretch of time whose requests count, however late their answers come. Load begins at once and ends with the window.

use std::time::{Duration, Instant};

#[derive(Debug, Clone, Copy)]
pub(crate) struct Window {
    from: Instant,
    to: Instant,
}

impl Window {
    pub(crate) fn after(warm_up: Duration, length: Duration) -> Self {
        let from = Instant::now() + warm_up;
        Self { from, to: from + length }
    }

    pub(crate) fn length(self) -> Duration {
        self.to.saturating_duration_since(self.from)
    }

    /// Whether a request of this instant counts.
    pub(crate) fn holds(self, instant: Instant) -> bool {
        instant >= self.from && instant < self.to
    }

    /// Whether the load has come to its end.
    pub(crate) fn is_over_at(self, instant: Instant) -> bool {
        instant >= self.to
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_asked_while_the_servers_warm_up_or_after_the_end_does_not_count() {
        let second = Duration::from_secs(1);
        let window = Window::after(second, second);
        assert!(!window.holds(window.from - second) && !window.is_over_at(window.from - second));
        assert!(window.holds(window.from) && !window.is_over_at(window.from));
        assert!(!window.holds(window.to) && window.is_over_at(window.to));
        assert_eq!(window.length(), second);
    }
}
