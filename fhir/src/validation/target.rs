//! Where references lead: to a resource of a type that the element allows.

use crate::issue::IssueCode;
use crate::json::Node;
use crate::reference::is_id;
use crate::structure::ElementType;
use crate::types;
use crate::validation::contained::Containment;
use crate::validation::findings::Findings;

/// Checks a Reference against the types that its element allows, and that what it says is contained is there (ref-1).
pub(super) fn check(
    node: &Node<'_>,
    element_type: &ElementType,
    contained: &Containment<'_>,
    findings: &mut Findings<'_>,
) {
    let reference = node.get("reference").and_then(Node::text).unwrap_or_default();
    let local = reference.strip_prefix('#').filter(|id| !id.is_empty()).map(|id| contained.type_of(id));
    if local == Some(None) {
        return findings.here(IssueCode::Invariant, "ref-1: what it refers to is not contained in the resource");
    }
    let stated = node.get("type").and_then(Node::text).filter(|name| types::named(name).is_some());
    let leads_to = local.flatten().or_else(|| type_in(reference)).or(stated);
    if let Some(name) = leads_to
        && !element_type.targets.is_empty()
        && !element_type.targets.contains(&name)
    {
        let allowed = element_type.targets.join(", ");
        findings.here(IssueCode::Value, format!("may refer to {allowed}, not to {name}"));
    }
}

/// The type that a literal reference names: `Type/id` at its end. Other URLs can lead to anything.
fn type_in(reference: &str) -> Option<&str> {
    let plain = reference.split_once("/_history/").map_or(reference, |(plain, _)| plain);
    let (before, id) = plain.rsplit_once('/')?;
    let (base, name) = before.rsplit_once('/').map_or(("", before), |(base, name)| (base, name));
    let is_literal = base.is_empty() || base.starts_with("http://") || base.starts_with("https://");
    (is_literal && is_id(id)).then(|| types::named(name)).flatten().map(types::ResourceType::name)
}
