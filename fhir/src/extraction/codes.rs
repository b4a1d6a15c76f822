//! Tokens: codes with their systems, identifiers, truths.

use crate::extraction::index_value::IndexValue;
use crate::extraction::walk::{items, text};
use crate::parameters::branch::Branch;
use crate::parameters::value_type::ValueType;
use crate::values::folding::fold;
use serde_json::Value;

/// What a parameter of tokens finds in a value.
pub(crate) fn tokens<'a>(branch: &Branch, value: &'a Value, found: &mut Vec<IndexValue<'a>>) {
    match branch.value_type {
        ValueType::CodeableConcept => concept(value, found),
        ValueType::Coding => coding(value, found),
        ValueType::Identifier => identifier(value, found),
        ValueType::ContactPoint => found.extend(text(value, "value").map(|value| code(None, value))),
        ValueType::Boolean => found.extend(value.as_bool().map(truth)),
        _ => found.extend(value.as_str().filter(|value| !value.is_empty()).map(|value| code(branch.system, value))),
    }
}

const fn code<'a>(system: Option<&'a str>, code: &'a str) -> IndexValue<'a> {
    IndexValue::Token { system, code: Some(code) }
}

/// True or false as a token.
pub(crate) const fn truth(truth: bool) -> IndexValue<'static> {
    code(None, if truth { "true" } else { "false" })
}

fn concept<'a>(concept: &'a Value, found: &mut Vec<IndexValue<'a>>) {
    items(concept, "coding").iter().for_each(|item| coding(item, found));
    found.extend(text(concept, "text").map(|text| IndexValue::TokenText(fold(text))));
}

fn coding<'a>(coding: &'a Value, found: &mut Vec<IndexValue<'a>>) {
    let (system, code) = (text(coding, "system"), text(coding, "code"));
    if system.is_some() || code.is_some() {
        found.push(IndexValue::Token { system, code });
    }
    found.extend(text(coding, "display").map(|text| IndexValue::TokenText(fold(text))));
}

fn identifier<'a>(identifier: &'a Value, found: &mut Vec<IndexValue<'a>>) {
    let (system, value) = (text(identifier, "system"), text(identifier, "value"));
    if system.is_some() || value.is_some() {
        found.push(IndexValue::Token { system, code: value });
    }
    let Some(kind) = identifier.get("type") else { return };
    found.extend(text(kind, "text").map(|text| IndexValue::TokenText(fold(text))));
    for coding in items(kind, "coding") {
        if let (Some(code), Some(value)) = (text(coding, "code"), value) {
            found.push(IndexValue::TokenOfType { system: text(coding, "system"), code, value });
        }
    }
}
