//! A value by which a resource is found, in the form in which it is compared.

use crate::types::ResourceType;
use crate::values::magnitude::Interval;
use crate::values::span::Span;

/// A value of a search parameter in a resource. What is as it was written is borrowed from the resource.
#[derive(Clone, Debug, PartialEq)]
pub enum IndexValue<'a> {
    /// A code of a system; either may be missing, not both.
    Token {
        system: Option<&'a str>,
        code: Option<&'a str>,
    },
    /// What people read where a token stands, folded: for `:text`.
    TokenText(String),
    /// An identifier with the type that it is of: for `:of-type`.
    TokenOfType {
        system: Option<&'a str>,
        code: &'a str,
        value: &'a str,
    },
    /// A text, or a part of a name or an address.
    Text {
        written: &'a str,
        folded: String,
    },
    /// The whole of a name whose sender wrote parts only, folded.
    Whole(String),
    Reference {
        target: Target<'a>,
        version: Option<&'a str>,
    },
    /// What a reference says of its target instead of where it is: for `:identifier`.
    Identifier {
        system: Option<&'a str>,
        value: &'a str,
    },
    Date(Span),
    Number(Interval),
    Quantity(Amount<'a>),
    Uri {
        uri: &'a str,
        version: Option<&'a str>,
    },
    /// An instance of a composite: for each component the values that it has in this instance.
    Composite(Vec<Vec<IndexValue<'a>>>),
}

/// What a reference is to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Target<'a> {
    /// A resource of this server, whether or not it is there.
    Local(ResourceType, &'a str),
    /// Anything else that has a URL: another server's resource, a canonical, a UUID.
    Url(&'a str),
    /// A resource inside the one that refers to it, by its id there.
    Contained(&'a str),
}

/// A quantity, or a range of them.
#[derive(Clone, Debug, PartialEq)]
pub struct Amount<'a> {
    /// The number as it is written.
    pub written: Interval,
    pub system: Option<&'a str>,
    pub code: Option<&'a str>,
    pub unit: Option<&'a str>,
    /// The number in base units and their code, where the unit is known.
    pub canonical: Option<(Interval, String)>,
}
