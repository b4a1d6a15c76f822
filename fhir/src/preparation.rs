//! Making a resource ready to store: what it is, whose record it belongs to, how it is found, and where it is cut.

use crate::cut::{self, Cut};
use crate::fault::Fault;
use crate::limits::Limits;
use crate::resource::Resource;
use crate::security::{self, Coding};
use crate::tokens::{self, CONTENT, Token};
use crate::types::ResourceType;
use crate::{compartment, relative, shapes, strict};
use serde_json::Value;

/// All that a store has to know of a resource, so that it need not look inside.
#[derive(Clone, Debug)]
pub struct Preparation {
    pub resource_type: ResourceType,
    pub id: String,
    /// The ids of all patients in whose compartments it is, each once.
    pub patients: Vec<String>,
    /// `meta.security`, as it was sent.
    pub security: Vec<Coding>,
    /// Those of `meta.tag` that are codings.
    pub tags: Vec<Coding>,
    pub tokens: Vec<Token>,
    /// Whether it says that its patient has died.
    pub deceased: bool,
    pub body: Cut,
}

impl Preparation {
    /// Prepares a resource to be stored under `id`, on the server whose FHIR base URL is `base`.
    pub fn of(resource: &Resource<'_>, id: &str, base: &str, limits: &Limits) -> Result<Self, Fault> {
        shapes::check(resource)?;
        let is_document = resource.resource_type == ResourceType::DocumentReference;
        let content = resource.members.raw("content").filter(|_| is_document);
        let content = content.and_then(|content| relative::content(content, base));
        Ok(Self {
            resource_type: resource.resource_type,
            id: id.into(),
            patients: compartment::patients(resource, id, base),
            security: security::labels(resource)?,
            tags: security::tags(resource),
            tokens: tokens::of(resource, base, limits)?,
            deceased: is_deceased(resource),
            body: cut::cut(resource, id, content.as_deref())?,
        })
    }

    /// The ids of the Binaries that a document carries.
    pub fn binaries(&self) -> impl Iterator<Item = &str> {
        self.tokens.iter().filter(|token| token.parameter == CONTENT).map(|token| token.value.as_str())
    }
}

/// A Patient that is deceased, at a known time or not.
fn is_deceased(resource: &Resource<'_>) -> bool {
    resource.resource_type == ResourceType::Patient
        && (resource.member("deceasedBoolean") == Some(Value::Bool(true))
            || resource.member("deceasedDateTime").is_some_and(|at| at.is_string()))
}

/// Prepares any R4 resource to be stored under the id that it carries.
pub fn prepare(json: &str, base: &str, limits: &Limits) -> Result<Preparation, Fault> {
    let text = strict::compact(json, limits.depth)?;
    let resource = Resource::read(&text, None)?;
    Preparation::of(&resource, &resource.id()?, base, limits)
}

#[cfg(test)]
#[path = "preparation_tests.rs"]
mod tests;
