//! Draws that a seed decides (SplitMix64): the same on every machine and in every run.

/// One row of draws.
#[derive(Clone, Debug)]
pub struct Dice(u64);

/// The step of SplitMix64: 2^64 divided by the golden ratio.
const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

impl Dice {
    /// The draws of something that has a name or a number under a seed. They have nothing to do with its neighbours'.
    pub fn about(seed: u64, what: &[u8]) -> Self {
        let mut dice = Self(seed);
        for byte in what {
            dice.0 = dice.next() ^ u64::from(*byte);
        }
        Self(dice.next())
    }

    pub const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(STEP);
        let mut drawn = self.0;
        drawn = (drawn ^ (drawn >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        drawn = (drawn ^ (drawn >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        drawn ^ (drawn >> 31)
    }

    /// A number from `least` to `most`, both of them included.
    pub fn between(&mut self, least: i64, most: i64) -> i64 {
        let width = most.saturating_sub(least).saturating_add(1).max(1).unsigned_abs();
        least.saturating_add_unsigned(self.next() % width)
    }

    /// True `of_hundred` times out of a hundred.
    pub fn chance(&mut self, of_hundred: i64) -> bool {
        self.between(1, 100) <= of_hundred
    }

    /// One of them; `None` of nothing.
    pub fn one_of<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        let last = i64::try_from(all.len()).ok()?.checked_sub(1)?;
        let at = self.between(0, last);
        all.get(usize::try_from(at).ok()?)
    }

    /// One of some words.
    pub fn word(&mut self, all: &[&'static str]) -> &'static str {
        self.one_of(all).copied().unwrap_or_default()
    }

    /// A UUID of version 4 in form; that nobody else draws it is by its 122 bits.
    pub fn uuid(&mut self) -> String {
        let (high, low) = (self.next(), self.next());
        let (first, second, third) = (high >> 32, (high >> 16) & 0xffff, high & 0x0fff | 0x4000);
        let (fourth, fifth) = (low >> 48 & 0x3fff | 0x8000, low & 0xffff_ffff_ffff);
        format!("{first:08x}-{second:04x}-{third:04x}-{fourth:04x}-{fifth:012x}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_is_between_its_bounds_and_reaches_both() {
        let mut dice = Dice(7);
        let drawn: Vec<i64> = (0..1_000).map(|_| dice.between(-2, 2)).collect();
        assert_eq!((drawn.iter().min(), drawn.iter().max()), (Some(&-2), Some(&2)));
    }

    #[test]
    fn neighbours_draw_different_things() {
        assert_ne!(Dice::about(1, b"1").next(), Dice::about(1, b"2").next());
        assert_ne!(Dice::about(1, b"1").next(), Dice::about(2, b"1").next());
    }

    #[test]
    fn a_uuid_has_the_form_of_version_4() {
        let uuid = Dice(3).uuid();
        assert_eq!(uuid.len(), 36);
        assert_eq!(uuid.as_bytes()[14], b'4', "{uuid}");
        assert!(b"89ab".contains(&uuid.as_bytes()[19]), "{uuid}");
    }
}
