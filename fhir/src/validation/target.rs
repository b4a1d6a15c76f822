//! Where references lead: to a resource of a type that the element allows.

use crate::issue::IssueCode;
use crate::json::Node;
use crate::reference::{is_id, is_literal};
use crate::structure::ElementType;
use crate::types;
use crate::validation::contained::Containment;
use crate::validation::findings::Findings;

const NOT_LITERAL: &str = "reference must be Type/id of an R4 type, an absolute URL, a urn: or #id of a contained resource, \
    without spaces";

/// Whether it is a reference by criteria, as resources of a transaction may have them.
fn is_conditional(reference: &str) -> bool {
    reference.split_once('?').is_some_and(|(name, _)| types::named(name).is_some())
}

/// Checks that a Reference is of a form that R4 has, that it leads to one of the types that its element allows, and that what it
/// says is contained is there (ref-1). `is_requested`: in a resource that a transaction is to store.
pub(super) fn check(
    node: &Node<'_>,
    element_type: &ElementType,
    (contained, is_requested): (&Containment<'_>, bool),
    findings: &mut Findings<'_>,
) {
    let said = node.get("reference").and_then(Node::text);
    let reference = said.unwrap_or_default();
    if said.is_some_and(|said| !(is_literal(said) || is_requested && is_conditional(said))) {
        return findings.here(IssueCode::Value, NOT_LITERAL);
    }
    let local = reference.strip_prefix('#').filter(|id| !id.is_empty()).map(|id| contained.type_of(id));
    if local == Some(None) {
        return findings.here(IssueCode::Invariant, "ref-1: what it refers to is not contained in the resource");
    }
    if let Some(text) = astray(node, element_type, contained) {
        findings.here(IssueCode::Value, text);
    }
}

/// What to say where a reference leads to another type than its element allows.
pub(super) fn astray(node: &Node<'_>, element_type: &ElementType, contained: &Containment<'_>) -> Option<String> {
    let reference = node.get("reference").and_then(Node::text).unwrap_or_default();
    let local = reference.strip_prefix('#').and_then(|id| contained.type_of(id));
    let stated = node.get("type").and_then(Node::text).filter(|name| types::named(name).is_some());
    let name = local.or_else(|| type_in(reference)).or(stated)?;
    let allowed = &element_type.targets;
    let is_allowed = allowed.is_empty() || allowed.contains(&name);
    (!is_allowed).then(|| format!("may refer to {}, not to {name}", allowed.join(", ")))
}

/// The type that a literal reference names: `Type/id` at its end. Other URLs can lead to anything.
fn type_in(reference: &str) -> Option<&str> {
    let plain = reference.split_once("/_history/").map_or(reference, |(plain, _)| plain);
    let (before, id) = plain.rsplit_once('/')?;
    let (base, name) = before.rsplit_once('/').map_or(("", before), |(base, name)| (base, name));
    let is_literal = base.is_empty() || base.starts_with("http://") || base.starts_with("https://");
    (is_literal && is_id(id)).then(|| types::named(name)).flatten().map(types::ResourceType::name)
}
