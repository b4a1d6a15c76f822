//! One attempt at a password, reserved before the password is looked at.

use super::book::Reservation;
use super::line::Line;

/// A reserved attempt. It counts as a failure if the password was wrong; if it was right, or if the attempt was given up
/// before the password was looked at, it is as if it had not been.
#[must_use = "a password is only looked at within an attempt"]
pub struct Attempt {
    line: Line,
    reservations: Vec<Reservation>,
}

impl std::fmt::Debug for Attempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Attempt")
    }
}

impl Attempt {
    pub(super) fn of(line: Line, reservations: impl IntoIterator<Item = Reservation>) -> Self {
        Self { line, reservations: reservations.into_iter().collect() }
    }

    /// Where it waits for its password to be looked at.
    #[must_use]
    pub const fn line(&self) -> Line {
        self.line
    }

    /// Whether the password was right is known.
    pub fn settle(self, right: bool) {
        for reservation in self.reservations {
            if !right {
                reservation.fail();
            }
        }
    }
}
