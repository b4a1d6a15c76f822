//! Quantities: a number and its unit.

use crate::members::number::Number;
use crate::tree::{member_mut, put, put_text, said, text};
use fhir::json::Node;

/// The system of units.
pub(crate) const UCUM: &str = "http://unitsofmeasure.org";

pub(crate) fn number(quantity: &Node<'_>) -> Option<Number> {
    quantity.get("value").and_then(Number::of)
}

/// The unit as UCUM writes it, or else as people do.
pub(crate) fn coded_unit(quantity: &Node<'_>) -> Option<String> {
    let coded = said(quantity, "code").filter(|_| said(quantity, "system") == Some(UCUM));
    coded.or_else(|| said(quantity, "unit")).map(String::from)
}

/// The unit as people write it, or else its code.
pub(crate) fn plain_unit(quantity: &Node<'_>) -> Option<String> {
    said(quantity, "unit").or_else(|| said(quantity, "code")).map(String::from)
}

/// A quantity in words: `< 5 mmol/L`.
pub(crate) fn words(quantity: &Node<'_>) -> Option<String> {
    let number = number(quantity);
    let unit = plain_unit(quantity);
    let parts = [said(quantity, "comparator"), number.as_ref().map(Number::digits), unit.as_deref()];
    let parts: Vec<&str> = parts.into_iter().flatten().collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

/// A unit of UCUM.
pub(crate) fn set_coded_unit(quantity: &mut Node<'_>, unit: &str) {
    put_text(quantity, "unit", Some(unit));
    put_text(quantity, "system", Some(UCUM));
    put_text(quantity, "code", Some(unit));
}

/// A unit in words: what code there was is the code of another.
pub(crate) fn set_plain_unit(quantity: &mut Node<'_>, unit: Option<&str>) {
    put_text(quantity, "unit", unit);
    put_text(quantity, "system", None);
    put_text(quantity, "code", None);
}

/// The quantity that is a member, with this number.
pub(crate) fn set_number<'n, 'a>(node: &'n mut Node<'a>, member: &str, number: &Number) -> Option<&'n mut Node<'a>> {
    let quantity = member_mut(node, member)?;
    put(quantity, "value", Some(number.node()));
    Some(quantity)
}

/// A comparator, or none.
pub(crate) fn set_comparator(quantity: &mut Node<'_>, comparator: Option<&str>) {
    put(quantity, "comparator", comparator.map(text));
}
