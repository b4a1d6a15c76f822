//! The words of a resource, for `_text` and `_content`.

use crate::values::folding::fold;
use serde_json::Value;

/// The words of the narrative, folded.
#[must_use]
pub fn narrative(resource: &Value) -> String {
    let division = resource.get("text").and_then(|text| text.get("div")).and_then(Value::as_str);
    fold(&without_tags(division.unwrap_or_default()))
}

/// Every word of every text in the resource, folded, the narrative's among them. Names of members are no words.
#[must_use]
pub fn content(resource: &Value) -> String {
    let mut words = String::new();
    collect(resource, &mut words);
    fold(&words)
}

fn collect(value: &Value, words: &mut String) {
    match value {
        Value::String(text) => {
            words.push(' ');
            words.push_str(text);
        }
        Value::Array(items) => items.iter().for_each(|item| collect(item, words)),
        Value::Object(members) => members.iter().for_each(|(name, value)| match value {
            Value::String(division) if name == "div" => {
                words.push(' ');
                words.push_str(&without_tags(division));
            }
            _ => collect(value, words),
        }),
        _ => {}
    }
}

fn without_tags(markup: &str) -> String {
    let mut inside = false;
    markup
        .chars()
        .map(|c| {
            let tag = inside || c == '<';
            inside = tag && c != '>';
            if tag { ' ' } else { c }
        })
        .collect()
}
