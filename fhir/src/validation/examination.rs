//! The examination of a resource, from its text to the list of all that is wrong with it.

use crate::issue::Issue;
use crate::json::{Node, read};
use crate::limits::Shape;
use crate::strict;
use crate::types::ResourceType;
use crate::validation::inspection::Inspection;

/// What a resource is expected to be, and how far an examination goes.
#[derive(Clone, Copy, Debug)]
pub struct Expectation<'e> {
    /// The type that the URL names.
    pub resource_type: Option<ResourceType>,
    /// The id that the URL names.
    pub id: Option<&'e str>,
    pub shape: Shape,
    /// Issues that are told; there is no end to what can be wrong.
    pub issues: usize,
}

/// All that is wrong with a resource as it was sent; nothing, if it is FHIR R4.
#[must_use]
pub fn validate(json: &str, expectation: &Expectation<'_>) -> Vec<Issue> {
    match strict::compact(json, expectation.shape) {
        Ok(compact) => validate_compact(&compact, expectation),
        Err(fault) => vec![Issue::not_fhir("", fault.to_string())],
    }
}

/// The same for a text that `strict::compact` gave.
#[must_use]
pub fn validate_compact(compact: &str, expectation: &Expectation<'_>) -> Vec<Issue> {
    let Some(resource) = read(compact) else {
        return vec![Issue::not_fhir("", "the JSON cannot be read")];
    };
    let mut issues = identity(&resource, expectation);
    if issues.is_empty() {
        issues = Inspection::through(&resource, expectation.issues);
    }
    issues
}

/// Whether it is the resource that the URL names.
fn identity(resource: &Node<'_>, expectation: &Expectation<'_>) -> Vec<Issue> {
    let mut issues = Vec::new();
    let named = resource.get("resourceType").and_then(Node::text);
    if let Some(expected) = expectation.resource_type
        && named != Some(expected.name())
    {
        issues.push(Issue::not_fhir("", format!("resourceType must be {}", expected.name())));
    } else if let Some(expected) = expectation.id
        && resource.get("id").and_then(Node::text) != Some(expected)
    {
        let expression = format!("{}.id", named.unwrap_or_default());
        issues.push(Issue::not_fhir(expression, format!("the id must be the one of the URL, {expected:?}")));
    }
    issues
}

#[cfg(test)]
#[path = "examination_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "examination_property_tests.rs"]
mod property_tests;
