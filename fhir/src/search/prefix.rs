//! Prefixes of dates, numbers and quantities: how a stored value has to stand to the one searched for.

/// What stands before a value in a query.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prefix {
    Equal,
    NotEqual,
    Greater,
    Less,
    GreaterOrEqual,
    LessOrEqual,
    StartsAfter,
    EndsBefore,
    Approximate,
}

impl Prefix {
    /// The prefix of a value, and what follows it; equality where there is none.
    #[must_use]
    pub fn split(value: &str) -> (Self, &str) {
        let prefix = match value.get(..2) {
            Some("eq") => Self::Equal,
            Some("ne") => Self::NotEqual,
            Some("gt") => Self::Greater,
            Some("lt") => Self::Less,
            Some("ge") => Self::GreaterOrEqual,
            Some("le") => Self::LessOrEqual,
            Some("sa") => Self::StartsAfter,
            Some("eb") => Self::EndsBefore,
            Some("ap") => Self::Approximate,
            _ => return (Self::Equal, value),
        };
        (prefix, value.get(2..).unwrap_or_default())
    }
}
