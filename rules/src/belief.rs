//! How far the time of day is believed by whoever deletes for good. A clock can be set wrong for a second, and what was
//! deleted in that second stays deleted.

use crate::limits::{CLOCK_HELD_SECONDS, CLOCK_LEAP_SECONDS};
use crate::moment::Moment;
use core::time::Duration;

/// What is known of the clock at one look.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ClockReading {
    /// The time of day, as the clock has it.
    pub now: Moment,
    /// The time of day as it was last known, and the time since; none where nothing was ever noted.
    pub expected: Option<Moment>,
    /// For how long the clock has run evenly, by a time that nobody can set.
    pub held: Duration,
}

impl ClockReading {
    /// The moment as of which may be deleted. A clock ahead of what is known waits until it has held: a store may have
    /// stood still for months, and after that time it is the clock that is right. A clock behind it is followed at once:
    /// by it less is deleted, never more.
    #[must_use]
    pub fn believed(&self) -> Moment {
        match self.expected {
            Some(expected) if self.is_doubtful() => expected,
            _ => self.now,
        }
    }

    /// Whether the clock is ahead of what is known, and has not held for long enough.
    #[must_use]
    pub fn is_doubtful(&self) -> bool {
        !self.has_held() && self.expected.is_some_and(|expected| self.now > expected.plus_seconds(CLOCK_LEAP_SECONDS))
    }

    const fn has_held(&self) -> bool {
        self.held.as_secs() >= CLOCK_HELD_SECONDS
    }

    /// Whether the clock agrees with what is known, or is what is known from now on.
    fn is_known(&self) -> bool {
        let agrees = |expected: Moment| is_even(self.now, expected);
        self.has_held() || self.expected.is_none_or(agrees)
    }
}

/// The looks of one process at its clock.
#[derive(Clone, Copy, Debug)]
pub struct ClockBelief {
    /// A time of day that was known, and when, by a time that nobody can set.
    known: Option<(Moment, Duration)>,
    /// What was read last, and when.
    last: Option<(Moment, Duration)>,
    /// Since when the clock has not leapt.
    held_since: Duration,
}

impl ClockBelief {
    /// Begins with the moment of the newest line that was noted before this process noted any.
    #[must_use]
    pub fn new(newest_line: Option<Moment>, uptime: Duration) -> Self {
        Self { known: newest_line.map(|line| (line, uptime)), last: None, held_since: uptime }
    }

    /// Looks at the clock.
    pub fn look(&mut self, now: Moment, uptime: Duration) -> ClockReading {
        if self.last.is_some_and(|last| !is_even(now, later(last, uptime))) {
            self.held_since = uptime;
        }
        self.last = Some((now, uptime));
        let reading = ClockReading {
            now,
            expected: self.known.map(|known| later(known, uptime)),
            held: uptime.saturating_sub(self.held_since),
        };
        if reading.is_known() {
            self.known = Some((now, uptime));
        }
        reading
    }
}

/// What time it is at `uptime`, if it was `moment` at `then`.
fn later((moment, then): (Moment, Duration), uptime: Duration) -> Moment {
    let passed = uptime.saturating_sub(then).as_millis();
    Moment(moment.0.saturating_add(i64::try_from(passed).unwrap_or(i64::MAX)))
}

/// Whether two moments are one, as far as a clock that is being corrected can tell.
const fn is_even(one: Moment, other: Moment) -> bool {
    one.0.saturating_sub(other.0).unsigned_abs() <= CLOCK_LEAP_SECONDS.unsigned_abs() * 1000
}
