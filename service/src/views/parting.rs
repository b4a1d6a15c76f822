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
    /// They chose a new password by a link.
    PasswordChanged,
    /// They closed their account.
    AccountClosed,
}

impl Parting {
    const ALL: [Self; 6] = [
        Self::SignedOut,
        Self::TimedOut,
        Self::EndedElsewhere,
        Self::AccountMade,
        Self::PasswordChanged,
        Self::AccountClosed,
    ];

    /// As the address of the sign-in page says it.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::SignedOut => "signed-out",
            Self::TimedOut => "timed-out",
            Self::EndedElsewhere => "ended",
            Self::AccountMade => "account-made",
            Self::PasswordChanged => "password-changed",
            Self::AccountClosed => "account-closed",
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
            Self::PasswordChanged => "Your password is changed. Sign in with the new one.",
            Self::AccountClosed => "Your account is closed. Nobody can sign in with it any more.",
        }
    }
}
