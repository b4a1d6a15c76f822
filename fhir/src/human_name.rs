//! The names of a person in a resource: which of several is theirs, and how it is written.

use serde_json::Value;

/// The official or usual name if there is one, else the first.
#[must_use]
pub fn preferred(names: &[Value]) -> &Value {
    let used_as = |wanted: &str| names.iter().find(|name| name.get("use").and_then(Value::as_str) == Some(wanted));
    used_as("official").or_else(|| used_as("usual")).or(names.first()).unwrap_or(&Value::Null)
}

/// The preferred name of a person as it is written: given names and family name, or else its text.
#[must_use]
pub fn written(person: &Value) -> Option<String> {
    let names = person.get("name").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let name = preferred(names);
    let text = |member: &str| name.get(member).and_then(Value::as_str);
    let given = name.get("given").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let words: Vec<&str> = given.iter().filter_map(Value::as_str).chain(text("family")).collect();
    let parts = Some(words.join(" ")).filter(|words| !words.is_empty());
    parts.or_else(|| text("text").map(String::from))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn the_official_name_is_written_before_others() {
        let person = json!({ "name": [{ "use": "nickname", "given": ["Mina"] },
            { "use": "official", "prefix": ["Ms"], "given": ["Amina", "Noor"], "family": "Rahman" }] });
        assert_eq!(written(&person).as_deref(), Some("Amina Noor Rahman"));
    }

    #[test]
    fn a_name_without_parts_is_its_text_and_a_person_without_names_has_none() {
        assert_eq!(written(&json!({ "name": [{ "text": "A. Rahman" }] })).as_deref(), Some("A. Rahman"));
        assert_eq!(written(&json!({ "name": [{ "use": "official" }] })), None);
        assert_eq!(written(&json!({})), None);
    }
}
