//! The members of a JSON object, told apart but not decoded.

use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;

/// The members of a JSON object in their order, each still as it was written.
#[derive(Debug)]
pub(crate) struct Members<'a>(pub Vec<(String, &'a RawValue)>);

impl<'a> Members<'a> {
    /// One member as it was written.
    pub fn raw(&self, name: &str) -> Option<&'a RawValue> {
        self.0.iter().find(|(member, _)| member == name).map(|(_, raw)| *raw)
    }

    /// One member, decoded.
    pub fn value(&self, name: &str) -> Option<Value> {
        serde_json::from_str(self.raw(name)?.get()).ok()
    }

    /// The object as text, with this text in the place of one member.
    pub fn with(&self, name: &str, text: &str) -> String {
        let member = |(member, raw): &(String, &RawValue)| {
            format!("{}:{}", quoted(member), if member == name { text } else { raw.get() })
        };
        format!("{{{}}}", self.0.iter().map(member).collect::<Vec<_>>().join(","))
    }
}

/// A text as JSON has it.
pub(crate) fn quoted(text: &str) -> String {
    Value::from(text).to_string()
}

impl<'de: 'a, 'a> Deserialize<'de> for Members<'a> {
    fn deserialize<D: Deserializer<'de>>(reader: D) -> Result<Self, D::Error> {
        struct Object;
        impl<'de> Visitor<'de> for Object {
            type Value = Members<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Members<'de>, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(Members(members))
            }
        }
        reader.deserialize_map(Object)
    }
}
