//! Request parameters as the OAuth endpoints read them: each at most once, each bounded in length.

use crate::limits::{FORM_BODY_BYTES, PARAMETER_BYTES, PASSKEY_ANSWER_BYTES, REQUEST_URI_BYTES, TEXT_BYTES};
use alloc::{borrow::Cow, format, string::String, vec::Vec};
use core::fmt;

/// The most characters of a parameter's name that a fault repeats.
const NAME_SHOWN: usize = 40;

/// About as many as are sent to the token endpoint.
const USUAL: usize = 8;

/// The field of our own forms that holds a whole request, sealed: only the body's limit bounds it, or a page could be
/// shown whose answer is then too long.
pub const SEALED_FIELD: &str = "form";

/// The field of our own forms in which people write at length.
pub const TEXT_FIELD: &str = "text";

/// The field of our own forms into which a browser puts what it answers for a passkey.
pub const PASSKEY_FIELD: &str = "answer";

/// The name of a pushed request, which holds it sealed.
pub const REQUEST_URI_FIELD: &str = "request_uri";

/// Parameters that may be sent more than once: RFC 8707 2 lets a client name several resources.
const REPEATABLE: [&str; 1] = ["resource"];

/// Decoded parameters, each name at most once (but for those that may be repeated), empty values left out (RFC 6749 3.1: "treated as if omitted").
/// Borrowed from what was sent where nothing in it had to be decoded; sorted by name.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Params<'s>(Vec<(Cow<'s, str>, Cow<'s, str>)>);

/// What makes a set of parameters unreadable, with the parameter's name as it may be shown.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamFault {
    Twice(String),
    TooLong(String),
    /// No UTF-8.
    NotText(String),
}

impl ParamFault {
    /// A parameter whose name or value is no UTF-8.
    #[must_use]
    pub fn not_text(name: &str) -> Self {
        Self::NotText(shown(name))
    }

    /// What was wrong, for a person on an error page.
    #[must_use]
    pub fn words(&self) -> String {
        match self {
            Self::Twice(name) => format!("The parameter {name} was sent twice."),
            Self::TooLong(name) => format!("The parameter {name} is too long."),
            Self::NotText(name) => format!("The parameter {name} is not text in UTF-8."),
        }
    }
}

impl<'s> Params<'s> {
    /// Takes decoded pairs in the order they came.
    pub fn read<T: Into<Cow<'s, str>>>(pairs: impl IntoIterator<Item = (T, T)>) -> Result<Self, ParamFault> {
        let mut sent: Vec<(Cow<'s, str>, Cow<'s, str>)> = Vec::with_capacity(USUAL);
        for (name, value) in pairs.into_iter().map(|(name, value)| (name.into(), value.into())) {
            let longest = match name.as_ref() {
                SEALED_FIELD => FORM_BODY_BYTES,
                REQUEST_URI_FIELD => REQUEST_URI_BYTES,
                TEXT_FIELD => TEXT_BYTES,
                PASSKEY_FIELD => PASSKEY_ANSWER_BYTES,
                _ => PARAMETER_BYTES,
            };
            if value.len() > longest || name.len() > PARAMETER_BYTES {
                return Err(ParamFault::TooLong(shown(&name)));
            }
            sent.push((name, value));
        }
        // Sorted, equal names stand side by side: however many were sent, each is compared with few others.
        sent.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
        let twice = sent.windows(2).find_map(|pair| match pair {
            [(one, _), (other, _)] if one == other && !REPEATABLE.contains(&one.as_ref()) => Some(shown(one)),
            _ => None,
        });
        if let Some(name) = twice {
            return Err(ParamFault::Twice(name));
        }
        sent.retain(|(_, value)| !value.is_empty());
        Ok(Self(sent))
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        let at = self.0.binary_search_by(|(known, _)| known.as_ref().cmp(name)).ok()?;
        self.0.get(at).map(|(_, value)| value.as_ref())
    }

    /// The same, borrowed from nothing.
    #[must_use]
    pub fn into_owned(self) -> Params<'static> {
        let owned = |text: Cow<'_, str>| Cow::Owned(text.into_owned());
        Params(self.0.into_iter().map(|(name, value)| (owned(name), owned(value))).collect())
    }
}

/// Names only: the values are codes, tokens, secrets and passwords.
impl fmt::Debug for Params<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.iter().map(|(name, _)| name)).finish()
    }
}

/// A name that a person can be shown and an `error_description` may carry, whatever was sent.
#[must_use]
pub fn shown(name: &str) -> String {
    let plain = |c: char| if matches!(c, ' '..='~') && !matches!(c, '"' | '\\') { c } else { '?' };
    let dots = if name.chars().nth(NAME_SHOWN).is_some() { "..." } else { "" };
    name.chars().take(NAME_SHOWN).map(plain).chain(dots.chars()).collect()
}
