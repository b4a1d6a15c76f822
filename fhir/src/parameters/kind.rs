//! The kinds of search parameters: how a value of one is written in a query and compared.

/// A kind of search parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    Composite,
    Date,
    Number,
    Quantity,
    Reference,
    String,
    /// Words anywhere in the narrative or in the whole resource: `_text` and `_content`.
    Text,
    Token,
    Uri,
}

impl Kind {
    /// As HL7 names it, but for `text`, which is ours.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Composite => "composite",
            Self::Date => "date",
            Self::Number => "number",
            Self::Quantity => "quantity",
            Self::Reference => "reference",
            Self::String => "string",
            Self::Text => "text",
            Self::Token => "token",
            Self::Uri => "uri",
        }
    }

    /// The code of HL7's SearchParamType: R4 has `_text` and `_content` as strings.
    #[must_use]
    pub const fn code(self) -> &'static str {
        match self {
            Self::Text => Self::String.name(),
            other => other.name(),
        }
    }

    pub(crate) fn named(name: &str) -> Option<Self> {
        let all = [
            Self::Composite,
            Self::Date,
            Self::Number,
            Self::Quantity,
            Self::Reference,
            Self::String,
            Self::Text,
            Self::Token,
            Self::Uri,
        ];
        all.into_iter().find(|kind| kind.name() == name)
    }
}
