//! A value of any type as text, for views that have no member of its own for it.

use crate::elements::{choice, code, quantity};
use crate::tree::{first, said};
use fhir::json::Node;

/// The value that an Observation or one of its components has, as text.
pub(crate) fn of(holder: &Node<'_>) -> Option<String> {
    let (member, value) = choice::chosen(holder, "value")?;
    match member.strip_prefix("value")? {
        "Quantity" => quantity::words(value),
        "CodeableConcept" => code::name(Some(value)).or_else(|| first_code(value)),
        "Range" => between(value, "low", "high", quantity::words),
        "Period" => between(value, "start", "end", |moment| moment.text().map(String::from)),
        "Ratio" => {
            let part = |name| value.get(name).and_then(quantity::words);
            Some(format!("{}:{}", part("numerator").unwrap_or_default(), part("denominator").unwrap_or_default()))
        }
        "SampledData" => said(value, "data").map(String::from),
        _ => match value {
            Node::Text(words) => Some(words.to_string()),
            Node::Number(digits) => Some(digits.to_string()),
            Node::Bool(value) => Some(value.to_string()),
            _ => None,
        },
    }
}

fn first_code(concept: &Node<'_>) -> Option<String> {
    said(first(concept, "coding")?, "code").map(String::from)
}

fn between(value: &Node<'_>, low: &str, high: &str, words: fn(&Node<'_>) -> Option<String>) -> Option<String> {
    let end = |name| value.get(name).and_then(words);
    match (end(low), end(high)) {
        (Some(low), Some(high)) => Some(format!("{low} to {high}")),
        (Some(low), None) => Some(format!("from {low}")),
        (None, Some(high)) => Some(format!("to {high}")),
        (None, None) => None,
    }
}
