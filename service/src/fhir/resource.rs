//! Making a resource ready to store: what it is, whose record it belongs to, how it is found, and where it is cut.

use crate::fhir::{compartment, cut, shapes, strict, tokens, types};
use crate::reference;
use serde::de::{Deserialize, Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;
use std::fmt;
use store::writing::NewResource;

/// Why a text is no resource that can be stored.
#[derive(Debug, thiserror::Error)]
pub(super) enum Fault {
    #[error("{0}")]
    NotJson(String),
    #[error("{0}")]
    BreaksRule(String),
}

/// Makes any R4 resource ready to store under the id that it carries.
pub fn prepare(json: &str, expected_type: Option<&str>) -> Result<NewResource, String> {
    let ready = |text: &str| {
        let parsed = Parsed::read(text, expected_type)?;
        let id = parsed.id()?;
        parsed.ready(&id)
    };
    strict::compacted(json).and_then(|text| ready(&text)).map_err(|fault| fault.to_string())
}

/// A resource whose members have been told apart but not decoded.
pub(super) struct Parsed<'a> {
    pub type_name: &'static str,
    members: Members<'a>,
}

impl<'a> Parsed<'a> {
    /// Reads what `strict::compacted` gave.
    pub fn read(text: &'a str, expected_type: Option<&str>) -> Result<Self, Fault> {
        let members: Members<'a> = serde_json::from_str(text)
            .map_err(|_| Fault::BreaksRule("a resource must be a JSON object with a resourceType".into()))?;
        let name = members.value("resourceType");
        let name = name.as_ref().and_then(Value::as_str).unwrap_or_default();
        if let Some(expected) = expected_type
            && name != expected
        {
            return Err(Fault::BreaksRule(format!("resourceType must be {expected}")));
        }
        let type_name = types::named(name)
            .ok_or_else(|| Fault::BreaksRule("resourceType must be the name of a FHIR R4 resource type".into()))?;
        Ok(Self { type_name, members })
    }

    /// The id that the resource carries itself.
    fn id(&self) -> Result<String, Fault> {
        match self.member("id") {
            Some(Value::String(id)) if reference::is_id(&id) => Ok(id),
            _ => Err(Fault::BreaksRule(format!(
                "{}.id must be there, with 1 to 64 letters, digits, hyphens and dots",
                self.type_name
            ))),
        }
    }

    /// One member, decoded.
    pub fn member(&self, name: &str) -> Option<Value> {
        self.members.value(name)
    }

    /// The resource as it is stored under `id`.
    pub fn ready(&self, id: &str) -> Result<NewResource, Fault> {
        shapes::check(self)?;
        Ok(NewResource {
            type_name: self.type_name.into(),
            fhir_id: id.into(),
            patient_id: compartment::patient(self, id),
            tokens: tokens::of(self)?,
            body: cut::cut(self.type_name, id, &self.members)?,
        })
    }
}

/// The members of a JSON object in their order, each still as it was written.
pub(super) struct Members<'a>(pub Vec<(String, &'a RawValue)>);

impl Members<'_> {
    fn value(&self, name: &str) -> Option<Value> {
        let (_, raw) = self.0.iter().find(|(member, _)| member == name)?;
        serde_json::from_str(raw.get()).ok()
    }
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

#[cfg(test)]
#[path = "resource_tests.rs"]
mod tests;
