//! One soak, as it was ordered.

use std::time::Duration;

#[derive(Debug, Clone)]
pub(crate) struct SoakPlan {
    pub(crate) json: bool,
    pub(crate) length: Duration,
    pub(crate) seed: u64,
}

/// Its history is judged and forgotten after so long at the most, so that hours of it need no more memory than minutes.
const ROUND: Duration = Duration::from_secs(300);

impl SoakPlan {
    /// How long each round lasts; all are equally long.
    pub(crate) fn rounds(&self) -> Vec<Duration> {
        let count = u32::try_from(self.length.as_secs().div_ceil(ROUND.as_secs()).max(1)).unwrap_or(u32::MAX);
        (0..count).map(|_| self.length / count).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_short_soak_is_one_round_and_a_long_one_is_many_of_bounded_length() {
        let rounds = |seconds| SoakPlan { json: false, length: Duration::from_secs(seconds), seed: 1 }.rounds();
        assert_eq!(rounds(15), [Duration::from_secs(15)]);
        assert_eq!(rounds(600), [ROUND, ROUND]);
        let hours = rounds(7201);
        assert!(hours.iter().all(|round| *round <= ROUND));
        assert!(hours.iter().sum::<Duration>().abs_diff(Duration::from_secs(7201)) < Duration::from_millis(1));
    }
}
