//! JSON Schema told by the type that is serialised, so that what is documented is what is answered.

use serde_json::{Map, Value, json};

/// A type that tells what its JSON is like, as JSON Schema.
pub trait JsonSchema {
    fn json_schema() -> Value;
}

impl JsonSchema for String {
    fn json_schema() -> Value {
        json!({ "type": "string" })
    }
}

impl JsonSchema for &str {
    fn json_schema() -> Value {
        String::json_schema()
    }
}

impl JsonSchema for bool {
    fn json_schema() -> Value {
        json!({ "type": "boolean" })
    }
}

impl JsonSchema for i64 {
    fn json_schema() -> Value {
        json!({ "type": "integer" })
    }
}

impl<T: JsonSchema> JsonSchema for Vec<T> {
    fn json_schema() -> Value {
        list(T::json_schema())
    }
}

impl<T: JsonSchema> JsonSchema for &[T] {
    fn json_schema() -> Value {
        Vec::<T>::json_schema()
    }
}

/// The member is there, and may be null.
impl<T: JsonSchema> JsonSchema for Option<T> {
    fn json_schema() -> Value {
        nullable(T::json_schema())
    }
}

/// An array of these.
#[must_use]
pub fn list(items: Value) -> Value {
    json!({ "type": "array", "items": items })
}

/// The same, or null.
#[must_use]
pub fn nullable(mut schema: Value) -> Value {
    if let Some(own) = schema.get_mut("type") {
        *own = json!([own, "null"]);
    }
    if let Some(Value::Array(words)) = schema.get_mut("enum") {
        words.push(Value::Null);
    }
    schema
}

/// An object with these members and no others, all of them.
#[must_use]
pub fn object(members: Map<String, Value>) -> Value {
    let names: Vec<&str> = members.keys().map(String::as_str).collect();
    let required = json!(names);
    json!({ "type": "object", "properties": members, "required": required, "additionalProperties": false })
}

/// An object with these members and no others, of which some must be sent.
#[must_use]
pub fn sent_object(members: Map<String, Value>, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": members, "required": required, "additionalProperties": false })
}
/// The schema of an object that has the members of both.
pub(crate) fn joined(mut one: Value, other: &Value) -> Value {
    for pointer in ["/properties", "/required"] {
        match (one.pointer_mut(pointer), other.pointer(pointer)) {
            (Some(Value::Object(all)), Some(Value::Object(further))) => all.extend(further.clone()),
            (Some(Value::Array(all)), Some(Value::Array(further))) => all.extend(further.iter().cloned()),
            _ => {}
        }
    }
    one
}
