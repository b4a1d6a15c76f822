//! Reading one member of a request: a value of its type, or a fault that names its place.

use crate::members::faults::Faults;
use crate::members::place::Place;
use crate::members::schema::{JsonSchema, list, nullable};
use fhir::json::Node;
use rules::rest_faults::{ShapeFault, ValueFault};
use serde_json::Value;

/// A value that can be sent. What cannot be read is noted, and is the default for as long as the rest is looked at.
pub trait Member: JsonSchema + Default {
    /// Whether a request must have it.
    const IS_REQUIRED: bool = false;

    /// Reads what was sent, which is not null.
    fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self;

    /// What it is where nothing was sent, or null.
    fn absent(place: Place<'_>, faults: &mut Faults) -> Self {
        if Self::IS_REQUIRED {
            faults.shape(&ShapeFault::MissingMember(&place.path()));
        }
        Self::default()
    }

    /// What may be sent, as JSON Schema.
    fn sent_schema() -> Value {
        Self::json_schema()
    }
}

/// An object that can be sent, member by member.
pub trait Body: Member {
    const MEMBERS: &'static [&'static str];

    /// Reads its own members, and passes over all others.
    fn of_members(object: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self;

    /// Each of its members with its schema, and whether it must be sent.
    fn sent_members() -> Vec<(&'static str, Value, bool)>;
}

/// One member of an object.
pub fn member<T: Member>(object: &Node<'_>, name: &str, place: Place<'_>, faults: &mut Faults) -> T {
    let place = place.member(name);
    match object.get(name) {
        None | Some(Node::Null) => T::absent(place, faults),
        Some(sent) => T::read(sent, place, faults),
    }
}

/// Whether it is an object, and of these members only.
pub fn is_object(sent: &Node<'_>, known: &[&[&str]], place: Place<'_>, faults: &mut Faults) -> bool {
    if !matches!(sent, Node::Object(_)) {
        faults.wrong_type(place, "an object", sent.sort());
        return false;
    }
    let names = sent.members().iter().map(|(name, _)| name.as_ref());
    for name in names.filter(|name| !known.iter().any(|names| names.contains(name))) {
        faults.shape(&ShapeFault::UnknownMember(&place.member(name).path()));
    }
    true
}

/// Text that says something and that FHIR can hold.
impl Member for String {
    const IS_REQUIRED: bool = true;

    fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self {
        let Some(text) = sent.text() else {
            faults.wrong_type(place, "a string", sent.sort());
            return Self::default();
        };
        if text.trim().is_empty() {
            faults.value(place, &ValueFault::Empty);
        } else if text.chars().any(|c| c < ' ' && !matches!(c, '\t' | '\r' | '\n')) {
            faults.value(place, &ValueFault::NotText);
        }
        text.into()
    }
}

/// What is not sent is false.
impl Member for bool {
    fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self {
        if let Node::Bool(sent) = sent {
            return *sent;
        }
        faults.wrong_type(place, "a boolean", sent.sort());
        false
    }
}

impl Member for i64 {
    const IS_REQUIRED: bool = true;

    fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self {
        let Some(digits) = sent.number() else {
            faults.wrong_type(place, "a number", sent.sort());
            return 0;
        };
        digits.parse().unwrap_or_else(|_| {
            faults.value(place, &ValueFault::NotWhole);
            0
        })
    }
}

impl<T: Member> Member for Option<T> {
    fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self {
        Some(T::read(sent, place, faults))
    }

    fn sent_schema() -> Value {
        nullable(T::sent_schema())
    }
}

/// What is not sent has no items.
impl<T: Member> Member for Vec<T> {
    fn read(sent: &Node<'_>, place: Place<'_>, faults: &mut Faults) -> Self {
        let Node::Array(items) = sent else {
            faults.wrong_type(place, "an array", sent.sort());
            return Self::new();
        };
        items.iter().enumerate().map(|(at, item)| T::read(item, place.item(at), faults)).collect()
    }

    fn sent_schema() -> Value {
        nullable(list(T::sent_schema()))
    }
}
