//! Which passwords may be chosen. There are no rules of composition: length, and not what everybody tries first.

use crate::limits::PASSWORD_CHARACTERS;
use alloc::{format, string::String};

/// Those of the ten thousand commonest passwords that are long enough to be chosen, in lower case, sorted.
const COMMONEST: &str = include_str!("../lists/commonest-passwords.txt");

/// Why a password may not be chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PasswordFault {
    TooShort,
    TooLong,
    /// It is the user name, however spelt.
    IsUsername,
    /// It is among the ten thousand commonest, however spelt.
    IsCommon,
}

impl PasswordFault {
    /// The fault in words, for whoever chooses the password.
    #[must_use]
    pub fn words(self) -> String {
        match self {
            Self::TooShort => format!("the password must have at least {} characters", PASSWORD_CHARACTERS.start()),
            Self::TooLong => format!("the password must have at most {} characters", PASSWORD_CHARACTERS.end()),
            Self::IsUsername => "the password must not be the username".into(),
            Self::IsCommon => "the password is among the ten thousand commonest, which are tried first".into(),
        }
    }
}

/// The rule in words, for whoever chooses a password.
#[must_use]
pub fn rule() -> String {
    let (least, most) = (PASSWORD_CHARACTERS.start(), PASSWORD_CHARACTERS.end());
    format!("{least} to {most} characters of any kind, but not your username and none of the commonest passwords.")
}

/// What is wrong with a password that is about to be chosen, if anything.
#[must_use]
pub fn fault(password: &str, username: &str) -> Option<PasswordFault> {
    let characters = password.chars().count();
    if characters < *PASSWORD_CHARACTERS.start() {
        return Some(PasswordFault::TooShort);
    }
    if characters > *PASSWORD_CHARACTERS.end() {
        return Some(PasswordFault::TooLong);
    }
    let spelt_small = password.to_lowercase();
    if spelt_small == username.to_lowercase() {
        return Some(PasswordFault::IsUsername);
    }
    COMMONEST.lines().any(|common| common == spelt_small).then_some(PasswordFault::IsCommon)
}
