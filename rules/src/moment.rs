//! A moment: milliseconds since 1970-01-01T00:00:00Z. Rules are given one; they never ask a clock.

/// A point in time, in milliseconds, so that "at the limit it is over" is exact.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Moment(pub i64);

impl Moment {
    /// The moment `seconds` later; the end of time where that would overflow.
    #[must_use]
    pub const fn plus_seconds(self, seconds: i64) -> Self {
        Self(self.0.saturating_add(seconds.saturating_mul(1000)))
    }

    /// Whole seconds from `self` until `later`, never negative.
    #[must_use]
    pub const fn seconds_until(self, later: Self) -> i64 {
        let left = later.0.saturating_sub(self.0) / 1000;
        if left > 0 { left } else { 0 }
    }

    /// Whole seconds since 1970, as JSON Web Tokens and introspection count.
    #[must_use]
    pub const fn unix_seconds(self) -> i64 {
        self.0.div_euclid(1000)
    }

    /// "At the limit it is over": true from the very millisecond of `limit` on.
    #[must_use]
    pub const fn is_past(self, limit: Self) -> bool {
        self.0 >= limit.0
    }
}
