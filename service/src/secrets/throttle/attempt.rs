//! One attempt at a password, reserved before the password is looked at.

use super::book::Reservation;

/// A reserved attempt. It counts as a failure if the password was wrong; if it was right, or if the attempt was given up
/// before the password was looked at, it is as if it had not been.
#[must_use = "a password is only looked at within an attempt"]
pub struct Attempt(Vec<Reservation>);

impl std::fmt::Debug for Attempt {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Attempt")
    }
}

impl Attempt {
    pub(super) fn of(reservations: impl IntoIterator<Item = Reservation>) -> Self {
        Self(reservations.into_iter().collect())
    }

    /// Whether the password was right is known.
    pub fn settle(self, right: bool) {
        for reservation in self.0 {
            if !right {
                reservation.fail();
            }
        }
    }
}
