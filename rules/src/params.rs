//! Request parameters as the OAuth endpoints read them: each at most once, each bounded in length.

use crate::limits::PARAMETER_BYTES;
use alloc::{string::String, vec::Vec};

/// Decoded parameters, each name at most once, empty values left out (RFC 6749 3.1: "treated as if omitted").
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Params(Vec<(String, String)>);

/// What makes a set of parameters unreadable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ParamFault {
    Twice(String),
    TooLong(String),
}

impl Params {
    /// Takes decoded pairs in the order they came.
    pub fn read(pairs: impl IntoIterator<Item = (String, String)>) -> Result<Self, ParamFault> {
        let mut seen: Vec<(String, String)> = Vec::new();
        for (name, value) in pairs {
            if value.len() > PARAMETER_BYTES || name.len() > PARAMETER_BYTES {
                return Err(ParamFault::TooLong(shortened(name)));
            }
            if seen.iter().any(|(known, _)| *known == name) {
                return Err(ParamFault::Twice(name));
            }
            seen.push((name, value));
        }
        seen.retain(|(_, value)| !value.is_empty());
        Ok(Self(seen))
    }

    #[must_use]
    pub fn get(&self, name: &str) -> Option<&str> {
        self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }
}

/// A name that a person can be shown, whatever was sent.
fn shortened(name: String) -> String {
    if name.chars().count() <= 40 { name } else { name.chars().take(40).chain(core::iter::once('…')).collect() }
}
