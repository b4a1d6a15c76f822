//! Chance that can be repeated: SplitMix64, so that one seed gives one schedule on every machine.

use std::time::Duration;

#[derive(Debug, Clone)]
pub(crate) struct Dice(u64);

impl Dice {
    /// Dice of their own for one of many, so that nobody's throws depend on how fast the others are.
    pub(crate) fn of(seed: u64, number: u64) -> Self {
        let mut dice = Self(seed ^ number.wrapping_mul(0xD134_2543_DE82_EF95));
        Self(dice.throw())
    }

    fn throw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ (mixed >> 31)
    }

    /// From 0 to just below `end`. The bias of the remainder is far below anything seen here.
    pub(crate) fn below(&mut self, end: usize) -> usize {
        usize::try_from(self.throw() % (end.max(1) as u64)).unwrap_or_default()
    }

    /// True once in so many throws.
    pub(crate) fn one_in(&mut self, count: usize) -> bool {
        self.below(count) == 0
    }

    pub(crate) fn millis(&mut self, from: u64, to: u64) -> Duration {
        Duration::from_millis(from + self.throw() % (to - from).max(1))
    }
}
