//! How values are spread: counted in fixed steps, by atomic additions and without a lock.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts values by the first of some bounds that they do not exceed.
#[derive(Debug)]
pub struct Distribution {
    bounds: &'static [u64],
    /// One more than there are bounds: for what exceeds all of them.
    counts: Vec<AtomicU64>,
    sum: AtomicU64,
}

/// A distribution as it was at one moment.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spread {
    pub bounds: &'static [u64],
    /// How many values were within each bound and beyond the one before; the last of them beyond all.
    pub counts: Vec<u64>,
    pub sum: u64,
}

impl Distribution {
    #[must_use]
    pub fn new(bounds: &'static [u64]) -> Self {
        Self { bounds, counts: (0..=bounds.len()).map(|_| AtomicU64::new(0)).collect(), sum: AtomicU64::new(0) }
    }

    pub fn note(&self, value: u64) {
        let step = self.bounds.iter().position(|bound| value <= *bound).unwrap_or(self.bounds.len());
        if let Some(count) = self.counts.get(step) {
            count.fetch_add(1, Ordering::Relaxed);
        }
        self.sum.fetch_add(value, Ordering::Relaxed);
    }

    #[must_use]
    pub fn spread(&self) -> Spread {
        let counts = self.counts.iter().map(|count| count.load(Ordering::Relaxed)).collect();
        Spread { bounds: self.bounds, counts, sum: self.sum.load(Ordering::Relaxed) }
    }
}

impl Spread {
    /// How many values there were.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.counts.iter().sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_counted_by_the_first_bound_that_it_does_not_exceed() {
        let distribution = Distribution::new(&[1, 10, 100]);
        for value in [0, 1, 2, 10, 11, 100, 101, 5000] {
            distribution.note(value);
        }
        let spread = distribution.spread();
        assert_eq!((spread.counts.as_slice(), spread.sum, spread.count()), ([2, 2, 2, 2].as_slice(), 5225, 8));
    }
}
