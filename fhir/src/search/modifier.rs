//! Modifiers: what a colon behind a parameter's name says about how its values are compared.

use crate::parameters::kind::Kind;
use crate::types::{self, ResourceType};

/// A modifier that a search can have.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Modifier {
    Missing,
    Exact,
    Contains,
    Text,
    Not,
    Above,
    Below,
    Identifier,
    OfType,
    /// The type of what a reference is to.
    Type(ResourceType),
}

impl Modifier {
    /// Reads a modifier for a parameter of this kind; says in words what is wrong with it.
    pub(crate) fn read(name: &str, kind: Kind) -> Result<Self, String> {
        let modifier = match name {
            "missing" => return Ok(Self::Missing),
            "exact" => Self::Exact,
            "contains" => Self::Contains,
            "text" => Self::Text,
            "not" => Self::Not,
            "above" => Self::Above,
            "below" => Self::Below,
            "identifier" => Self::Identifier,
            "of-type" => Self::OfType,
            "in" | "not-in" => return Err(format!(":{name} is not served: no value sets are looked into")),
            other => match types::named(other) {
                Some(resource_type) => Self::Type(resource_type),
                None => return Err(format!("there is no modifier :{other}; {}", known(kind))),
            },
        };
        if modifier.fits(kind) {
            return Ok(modifier);
        }
        let hierarchy = matches!(modifier, Self::Above | Self::Below) && matches!(kind, Kind::Token | Kind::Reference);
        let why = if hierarchy { "no hierarchies are looked into".into() } else { known(kind) };
        Err(format!(":{name} is not served for a {} parameter: {why}", kind.name()))
    }

    const fn fits(self, kind: Kind) -> bool {
        match self {
            Self::Missing => true,
            Self::Exact | Self::Contains => matches!(kind, Kind::String),
            Self::Text | Self::Not | Self::OfType => matches!(kind, Kind::Token),
            Self::Above | Self::Below => matches!(kind, Kind::Uri),
            Self::Identifier | Self::Type(_) => matches!(kind, Kind::Reference),
        }
    }
}

fn known(kind: Kind) -> String {
    let names = match kind {
        Kind::String => ":missing, :exact, :contains",
        Kind::Token => ":missing, :text, :not, :of-type",
        Kind::Uri => ":missing, :above, :below",
        Kind::Reference => ":missing, :identifier and the names of types",
        _ => ":missing",
    };
    format!("known are {names}")
}
