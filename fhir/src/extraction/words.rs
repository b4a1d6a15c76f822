//! The words of a resource, for `_text` and `_content`: folded, with one space between them.

use crate::extraction::narrative_text;
use crate::values::folding::fold;
use serde_json::Value;

/// What a resource says about itself and not about its subject: no words of its content.
const OF_ITSELF: [&str; 3] = ["resourceType", "id", "meta"];

/// The words of the narrative.
#[must_use]
pub fn narrative(resource: &Value) -> String {
    let division = resource.get("text").and_then(|text| text.get("div")).and_then(Value::as_str);
    fold(&narrative_text::text(division.unwrap_or_default()))
}

/// The words of every text in the resource, the narrative's and those of contained resources among them. Names of members and
/// numbers are no words.
#[must_use]
pub fn content(resource: &Value) -> String {
    let mut words = String::new();
    let members = resource.as_object().into_iter().flatten();
    members.filter(|(name, _)| !OF_ITSELF.contains(&name.as_str())).for_each(|(name, value)| {
        collect(name, value, &mut words);
    });
    fold(&words)
}

fn collect(name: &str, value: &Value, words: &mut String) {
    match value {
        Value::String(text) => {
            words.push(' ');
            match name {
                "div" => words.push_str(&narrative_text::text(text)),
                _ => words.push_str(text),
            }
        }
        Value::Array(items) => items.iter().for_each(|item| collect(name, item, words)),
        Value::Object(members) => members.iter().for_each(|(name, value)| collect(name, value, words)),
        _ => {}
    }
}
