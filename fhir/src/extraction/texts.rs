//! Texts: as a whole, and the parts of names and addresses.

use crate::extraction::index_value::IndexValue;
use crate::extraction::walk::{items, text};
use crate::parameters::value_type::ValueType;
use crate::values::folding::fold;
use serde_json::Value;

/// What a parameter of texts finds in a value.
pub(crate) fn strings<'a>(value_type: ValueType, value: &'a Value, found: &mut Vec<IndexValue<'a>>) {
    match value_type {
        ValueType::HumanName => name(value, found),
        ValueType::Address => address(value, found),
        _ => found.extend(value.as_str().and_then(part)),
    }
}

fn part(written: &str) -> Option<IndexValue<'_>> {
    (!written.is_empty()).then(|| IndexValue::Text { written, folded: fold(written) })
}

/// Each part, the text that its sender made of them, and otherwise the parts as they are mostly spoken.
fn name<'a>(name: &'a Value, found: &mut Vec<IndexValue<'a>>) {
    let parts = |member: &'static str| items(name, member).iter().filter_map(Value::as_str);
    let (whole, family) = (text(name, "text"), text(name, "family"));
    found.extend(whole.and_then(part));
    found.extend(family.and_then(part));
    found.extend(parts("given").chain(parts("prefix")).chain(parts("suffix")).filter_map(part));
    if whole.is_none() && family.is_some() && !items(name, "given").is_empty() {
        let spoken: Vec<_> = parts("given").chain(family).collect();
        found.push(IndexValue::Whole(fold(&spoken.join(" "))));
    }
}

fn address<'a>(address: &'a Value, found: &mut Vec<IndexValue<'a>>) {
    found.extend(items(address, "line").iter().filter_map(Value::as_str).filter_map(part));
    let members = ["text", "city", "district", "state", "postalCode", "country"].into_iter();
    found.extend(members.filter_map(|member| text(address, member)).filter_map(part));
}
