//! Schemas as components of OpenAPI. What stands among alternatives or in a list is a component of its own: generators of clients
//! name a type after its component, and some cannot name it otherwise.

use serde_json::{Value, json};
use views::item::DeletedItem;
use views::members::schema::JsonSchema;

/// What the names of alternatives and lists end with, behind the name of the one.
const SEVERAL: [&str; 2] = ["OrSeveral", "List"];
const DELETED: &str = "DeletedItem";

/// A reference to a component.
pub(super) fn reference(name: &str) -> Value {
    json!({ "$ref": format!("#/components/schemas/{name}") })
}

/// The component of this name, behind those that it refers to.
pub(super) fn components(name: String, schema: Value) -> Vec<(String, Value)> {
    let Some(one) = SEVERAL.into_iter().find_map(|end| name.strip_suffix(end)) else {
        return vec![(name, schema)];
    };
    let mut parts = Vec::new();
    let whole = with_references(schema, one, &mut parts);
    parts.push((name, whole));
    parts
}

/// The schema with references in place of its objects, which become parts.
fn with_references(mut schema: Value, one: &str, parts: &mut Vec<(String, Value)>) -> Value {
    if schema.get("type").is_some_and(|kind| kind == "object") {
        let name = if schema == DeletedItem::json_schema() { DELETED } else { one };
        parts.push((name.to_owned(), schema));
        return reference(name);
    }
    for word in ["anyOf", "oneOf"] {
        for alternative in schema.get_mut(word).and_then(Value::as_array_mut).into_iter().flatten() {
            *alternative = with_references(alternative.take(), one, parts);
        }
    }
    if let Some(items) = schema.get_mut("items") {
        *items = with_references(items.take(), one, parts);
    }
    schema
}
