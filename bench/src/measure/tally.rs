//! What one round of load came to: how many answers, in how long, and how late each was.

use std::time::Duration;

#[derive(Debug, Clone, Default)]
pub(crate) struct Tally {
    window: Duration,
    /// Nanoseconds; four seconds is more than any round waits for one answer.
    latencies: Vec<u32>,
    /// All answers, also those outside the window, and the processor time that the server spent on them.
    answers: u32,
    spent: Duration,
}

impl Tally {
    pub(crate) fn of(window: Duration, expected: usize) -> Self {
        Self { window, latencies: Vec::with_capacity(expected), answers: 0, spent: Duration::ZERO }
    }

    pub(crate) fn add(&mut self, latency: Duration) {
        self.latencies.push(u32::try_from(latency.as_nanos()).unwrap_or(u32::MAX));
    }

    /// How many latencies there are.
    pub(crate) fn count(&self) -> u32 {
        u32::try_from(self.latencies.len()).unwrap_or(u32::MAX)
    }

    pub(crate) fn answered(&mut self) {
        self.answers += 1;
    }

    pub(crate) fn cost(&mut self, spent: Duration) {
        self.spent = spent;
    }

    /// Joins what another connection counted in the same window.
    pub(crate) fn absorb(&mut self, other: Self) {
        self.window = other.window;
        self.latencies.extend(other.latencies);
        self.answers += other.answers;
        self.spent += other.spent;
    }

    /// What one answer cost the server, in microseconds of processor time. Unlike a rate it hardly changes when
    /// others use the machine too.
    pub(crate) fn cpu_us(&self) -> f64 {
        self.spent.as_secs_f64() * 1e6 / f64::from(self.answers.max(1))
    }

    #[expect(clippy::cast_precision_loss, reason = "a count of answers is far below 2^52")]
    pub(crate) fn per_second(&self) -> f64 {
        self.latencies.len() as f64 / self.window.as_secs_f64()
    }

    /// The latency in milliseconds below which this share of the answers came; 0 when none came.
    pub(crate) fn percentile_ms(&self, share: f64) -> f64 {
        let mut sorted = self.latencies.clone();
        sorted.sort_unstable();
        let last = sorted.len().saturating_sub(1);
        #[expect(
            clippy::cast_precision_loss,
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an index within a list, scaled by a share between 0 and 1"
        )]
        let place = (last as f64 * share).round() as usize;
        sorted.get(place).map_or(0.0, |nanos| f64::from(*nanos) / 1e6)
    }
}

/// The middle value; between the two middle ones when their number is even; 0 of nothing.
pub(crate) fn median(values: &[f64]) -> f64 {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    let upper = sorted.get(middle).copied().unwrap_or(0.0);
    match sorted.len() % 2 {
        0 => f64::midpoint(sorted.get(middle.saturating_sub(1)).copied().unwrap_or(0.0), upper),
        _ => upper,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rate_and_the_percentiles_cover_every_connection() {
        let mut whole = Tally::default();
        for half in [1..=50, 51..=100] {
            let mut part = Tally::of(Duration::from_secs(2), 50);
            part.cost(Duration::from_millis(1));
            half.for_each(|ms| {
                part.answered();
                part.add(Duration::from_millis(ms));
            });
            whole.absorb(part);
        }
        assert!((whole.per_second() - 50.0).abs() < 1e-9);
        assert!((whole.percentile_ms(0.99) - 99.0).abs() < 1e-9);
        assert!((whole.percentile_ms(0.0) - 1.0).abs() < 1e-9);
        assert!((whole.cpu_us() - 20.0).abs() < 1e-9);
    }

    #[test]
    fn the_median_is_the_middle_and_ignores_one_wild_round() {
        assert!((median(&[0.6, 9.0, 0.5]) - 0.6).abs() < 1e-9);
        assert!((median(&[4.0, 1.0, 2.0, 3.0]) - 2.5).abs() < 1e-9);
        assert!(median(&[]).abs() < 1e-9);
    }
}
