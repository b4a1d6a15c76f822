//! Following the steps of a branch through a resource.

use crate::parameters::branch::{Pick, Step};
use serde_json::Value;

/// Visits everything at the end of the steps: each item of an array for itself, nothing that is null.
pub(crate) fn walk<'a>(value: &'a Value, steps: &[Step], visit: &mut dyn FnMut(&'a Value)) {
    let Some((step, deeper)) = steps.split_first() else {
        if !value.is_null() {
            visit(value);
        }
        return;
    };
    match value.get(step.name) {
        Some(Value::Array(items)) => match step.pick {
            Pick::At(at) => items.iter().skip(at).take(1).for_each(|item| walk(item, deeper, visit)),
            _ => {
                let picked = items.iter().filter(|item| is_picked(item, step.pick));
                picked.for_each(|item| walk(item, deeper, visit));
            }
        },
        Some(one) if is_picked(one, step.pick) => walk(one, deeper, visit),
        _ => {}
    }
}

fn is_picked(item: &Value, pick: Pick) -> bool {
    match pick {
        Pick::All | Pick::At(0) => true,
        Pick::At(_) => false,
        Pick::Where(member, value) => member_is(item, member, value),
        Pick::Extended(url) => {
            let extensions = item.get("extension").and_then(Value::as_array);
            extensions.into_iter().flatten().any(|extension| member_is(extension, "url", url))
        }
    }
}

fn member_is(item: &Value, member: &str, value: &str) -> bool {
    item.get(member).and_then(Value::as_str) == Some(value)
}

/// A member that is a text with something in it.
pub(crate) fn text<'a>(value: &'a Value, member: &str) -> Option<&'a str> {
    value.get(member)?.as_str().filter(|text| !text.is_empty())
}

/// The items of a member, none if it is no array.
pub(crate) fn items<'a>(value: &'a Value, member: &str) -> &'a [Value] {
    value.get(member).and_then(Value::as_array).map_or(&[], Vec::as_slice)
}
