//! Numbers as they were written: 64.50 stays 64.50 on its way through a view.

use crate::members::faults::Faults;
use crate::members::member::Member;
use crate::members::place::Place;
use crate::members::schema::JsonSchema;
use fhir::json::{Decimal, Node};
use serde::ser::{Error, Serialize, Serializer};
use serde_json::value::RawValue;
use serde_json::{Value, json};
use std::borrow::Cow;

/// A number of JSON. Two are equal if they are worth the same, however they are written.
#[derive(Clone, Debug)]
pub struct Number(String);

impl Number {
    /// The number that a node of JSON has.
    #[must_use]
    pub fn of(node: &Node<'_>) -> Option<Self> {
        let digits = node.number()?;
        Decimal::read(digits).map(|_| Self(digits.into()))
    }

    /// As it was written.
    #[must_use]
    pub fn digits(&self) -> &str {
        &self.0
    }

    #[must_use]
    pub fn node(&self) -> Node<'static> {
        Node::Number(Cow::Owned(self.0.clone()))
    }

    /// Whether it is from one whole number to another.
    #[must_use]
    pub fn is_within(&self, least: i64, most: i64) -> bool {
        let bound = |number: i64| Decimal::read(&number.to_string());
        let (own, least, most) = (Decimal::read(&self.0), bound(least), bound(most));
        least <= own && own <= most
    }
}

impl Default for Number {
    fn default() -> Self {
        Self("0".into())
    }
}

impl From<i64> for Number {
    fn from(number: i64) -> Self {
        Self(number.to_string())
    }
}

impl PartialEq for Number {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0 || Decimal::read(&self.0) == Decimal::read(&other.0)
    }
}

impl Serialize for Number {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        RawValue::from_string(self.0.clone()).map_err(S::Error::custom)?.serialize(serializer)
    }
}

impl JsonSchema for Number {
    fn json_schema() -> Value {
        json!({ "type": "number" })
    }
}

impl Member for Number {
    const IS_REQUIRED: bool = true;

    fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self {
        Self::of(sent).unwrap_or_else(|| {
            faults.wrong_type(place, "a number", sent.sort());
            Self::default()
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn number(digits: &str) -> Number {
        Number::of(&Node::Number(digits.into())).unwrap()
    }

    #[test]
    fn a_number_is_written_as_it_was_read() {
        for digits in ["64.50", "1e2", "-0.0", "1234567890123456789012345678901234567890.10"] {
            assert_eq!(serde_json::to_string(&number(digits)).unwrap(), digits);
        }
    }

    #[test]
    fn numbers_are_equal_by_what_they_are_worth() {
        assert_eq!(number("64.50"), number("64.5"));
        assert_ne!(number("64.50"), number("64.51"));
        assert!(number("10.0").is_within(0, 10) && !number("10.01").is_within(0, 10) && !number("-1").is_within(0, 10));
    }
}
