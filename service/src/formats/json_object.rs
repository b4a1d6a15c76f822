//! JSON objects whose schema is told by the type that is serialised, so that what is documented is what is answered.

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

impl<T: JsonSchema> JsonSchema for Vec<T> {
    fn json_schema() -> Value {
        json!({ "type": "array", "items": T::json_schema() })
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
        let mut schema = T::json_schema();
        if let Some(own) = schema.get_mut("type") {
            *own = json!([own, "null"]);
        }
        schema
    }
}

/// An object with these members and no others.
pub fn object(members: Map<String, Value>) -> Value {
    let names: Vec<String> = members.keys().cloned().collect();
    json!({ "type": "object", "properties": members, "required": names, "additionalProperties": false })
}

/// Declares a struct that is serialised: each field with the name of its member.
macro_rules! json_object {
    ($(#[$of:meta])* $visible:vis struct $name:ident { $($member:literal => $field:ident: $type:ty,)+ }) => {
        $(#[$of])*
        #[derive(serde::Serialize)]
        $visible struct $name {
            $(#[serde(rename = $member)] pub $field: $type,)+
        }

        impl $crate::formats::json_object::JsonSchema for $name {
            fn json_schema() -> serde_json::Value {
                let members = [
                    $(($member.to_owned(), <$type as $crate::formats::json_object::JsonSchema>::json_schema())),+
                ];
                $crate::formats::json_object::object(members.into_iter().collect())
            }
        }
    };
}

pub(crate) use json_object;

#[cfg(test)]
mod tests {
    use super::*;

    json_object! {
        #[derive(Default)]
        struct Pill {
            "brandName" => brand: Option<&'static str>,
            "doses" => doses: Vec<String>,
            "isOld" => is_old: bool,
        }
    }

    #[test]
    fn an_object_has_the_members_that_its_schema_names_and_all_of_them() {
        assert_eq!(json!(Pill::default()), json!({ "brandName": null, "doses": [], "isOld": false }));
        let schema = Pill::json_schema();
        assert_eq!(schema["properties"]["brandName"], json!({ "type": ["string", "null"] }));
        assert_eq!(schema["properties"]["doses"], json!({ "type": "array", "items": { "type": "string" } }));
        let required = schema["required"].as_array().unwrap();
        assert!(required.len() == 3 && required.contains(&json!("isOld")), "{required:?}");
    }
}
