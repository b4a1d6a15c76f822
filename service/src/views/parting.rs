//! What happened before somebody came to the sign-in page, as it tells them: why they are not signed in any more, or not yet.

/// Why a browser is no longer signed in, or may be now.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parting {
    /// They said so.
    SignedOut,
    /// Too long without a page, or too long in all.
    TimedOut,
    /// Ended from another browser: there, by a new password, or by the operator.
    EndedElsewhere,
    /// Their account was made a moment ago.
    AccountMade,
}

impl Parting {
    const ALL: [Self; 4] = [Self::SignedOut, Self::TimedOut, Self::EndedElsewhere, Self::AccountMade];

    /// As the address of the sign-in page says it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SignedOut => "signed-out",
            Self::TimedOut => "timed-out",
            Self::EndedElsewhere => "ended",
            Self::AccountMade => "account-made",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|parting| parting.word() == word)
    }

    #[must_use]
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::SignedOut => "You are signed out.",
            Self::TimedOut => "You were signed out because you had been away for a while. Sign in again to go on.",
            Self::EndedElsewhere => {
                "This browser was signed out: from another browser, by a new password, or by the operator."
            }
            Self::AccountMade => "Your account is made. Sign in with your e-mail address and your password.",
        }
    }
}
