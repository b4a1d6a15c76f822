//! A resource whose members have been told apart but not decoded: what it is, and which id it carries.

use crate::fault::Fault;
use crate::members::Members;
use crate::reference;
use crate::types::{self, ResourceType};
use serde_json::Value;

/// A resource as it was sent.
#[derive(Debug)]
pub struct Resource<'a> {
    pub resource_type: ResourceType,
    pub(crate) members: Members<'a>,
}

impl<'a> Resource<'a> {
    /// Reads what `strict::compact` gave.
    pub fn read(text: &'a str, expected: Option<ResourceType>) -> Result<Self, Fault> {
        let members: Members<'a> = serde_json::from_str(text)
            .map_err(|_| Fault::BreaksRule("a resource must be a JSON object with a resourceType".into()))?;
        let name = members.value("resourceType");
        let named = types::named(name.as_ref().and_then(Value::as_str).unwrap_or_default());
        if let Some(expected) = expected
            && named != Some(expected)
        {
            return Err(Fault::BreaksRule(format!("resourceType must be {}", expected.name())));
        }
        let resource_type = named
            .ok_or_else(|| Fault::BreaksRule("resourceType must be the name of a FHIR R4 resource type".into()))?;
        Ok(Self { resource_type, members })
    }

    /// The id that the resource carries itself.
    pub fn id(&self) -> Result<String, Fault> {
        match self.member("id") {
            Some(Value::String(id)) if reference::is_id(&id) => Ok(id),
            _ => Err(Fault::BreaksRule(format!(
                "{}.id must be there, with 1 to 64 letters, digits, hyphens and dots",
                self.resource_type.name()
            ))),
        }
    }

    /// One member, decoded.
    #[must_use]
    pub fn member(&self, name: &str) -> Option<Value> {
        self.members.value(name)
    }
}
