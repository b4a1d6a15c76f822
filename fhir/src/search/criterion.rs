//! What one value of a query asks of one value of a resource.

use crate::search::prefix::Prefix;
use crate::search::word_test::WordTest;
use crate::types::ResourceType;
use crate::values::magnitude::Magnitude;
use crate::values::span::Span;

/// One of the values of which a query asks for any.
#[derive(Clone, Debug, PartialEq)]
pub enum Criterion {
    Token {
        system: SystemTest,
        code: Option<String>,
    },
    /// `:text`, folded.
    TokenText(String),
    TokenOfType {
        system: Option<String>,
        code: String,
        value: String,
    },
    Text {
        manner: TextManner,
        text: String,
    },
    /// What words must be there: `_text` and `_content`.
    Words(WordTest),
    Reference {
        target: TargetTest,
        version: Option<String>,
    },
    /// `:identifier` of a reference.
    Identifier {
        system: SystemTest,
        value: Option<String>,
    },
    Date {
        prefix: Prefix,
        span: Span,
    },
    Number {
        prefix: Prefix,
        magnitude: Magnitude,
    },
    Quantity {
        prefix: Prefix,
        magnitude: Magnitude,
        unit: Option<UnitTest>,
    },
    Uri {
        manner: UriManner,
        uri: String,
    },
    /// For each component what is asked of it.
    Composite(Vec<Criterion>),
}

/// What a token's system has to be.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum SystemTest {
    Any,
    /// `|code`
    None,
    Is(String),
}

/// How texts are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextManner {
    /// Both folded, from the start of a part or of the whole.
    Start,
    /// Both folded, anywhere.
    Contains,
    /// Byte for byte.
    Exact,
}

/// How URIs are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UriManner {
    Equal,
    /// The stored one is the start of the one searched for.
    Above,
    /// The one searched for is the start of the stored one.
    Below,
}

/// What a reference has to be to.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TargetTest {
    /// A resource of ours with this id, of any of these types; of any type where there are none.
    Id(Vec<ResourceType>, String),
    Url(String),
}

/// The unit of a quantity in a query.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitTest {
    pub system: Option<String>,
    /// The code; without a system also the unit as people write it.
    pub code: String,
    /// The number in base units and their code, where the unit is known.
    pub canonical: Option<(Magnitude, String)>,
}
