//! Mail: of what the service writes to people, what a link in it is for, and when one that could not be sent is tried again. What
//! is in somebody's record is in none of them.

use crate::limits::{MAIL_FIRST_WAIT_SECONDS, MAIL_LONGEST_WAIT_SECONDS};

/// What is written to somebody.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MailKind {
    /// Somebody has forgotten their password: the link by which they choose another.
    Reset,
    /// The link by which they say that the address is theirs.
    Confirm,
    /// To the address that was theirs: another took its place.
    AddressChanged,
    /// Their password was changed by a link.
    PasswordChanged,
    /// They closed their account.
    Closed,
}

/// What a link is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum LinkPurpose {
    /// To choose a new password.
    Reset,
    /// To confirm an address.
    Confirm,
}

impl MailKind {
    pub const ALL: [Self; 5] = [Self::Reset, Self::Confirm, Self::AddressChanged, Self::PasswordChanged, Self::Closed];

    /// The word of the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reset => "RESET",
            Self::Confirm => "CONFIRM",
            Self::AddressChanged => "ADDRESS_CHANGED",
            Self::PasswordChanged => "PASSWORD_CHANGED",
            Self::Closed => "CLOSED",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.word() == word)
    }

    /// What the link is for that it brings, if it brings one.
    #[must_use]
    pub const fn link(self) -> Option<LinkPurpose> {
        match self {
            Self::Reset => Some(LinkPurpose::Reset),
            Self::Confirm => Some(LinkPurpose::Confirm),
            Self::AddressChanged | Self::PasswordChanged | Self::Closed => None,
        }
    }
}

impl LinkPurpose {
    /// The word of the database.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Reset => "RESET",
            Self::Confirm => "CONFIRM",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        [Self::Reset, Self::Confirm].into_iter().find(|purpose| purpose.word() == word)
    }
}

/// In how many seconds a mail is tried again that was tried so often, this time included: each wait is twice the one before.
#[must_use]
pub fn wait_after(tries: i64) -> i64 {
    let doublings = u32::try_from(tries.clamp(1, 32) - 1).unwrap_or_default();
    MAIL_FIRST_WAIT_SECONDS.saturating_mul(1 << doublings).min(MAIL_LONGEST_WAIT_SECONDS)
}
