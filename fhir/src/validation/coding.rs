//! Codes that have to be from a value set (required bindings).

use crate::issue::IssueCode;
use crate::json::Node;
use crate::structure::Binding;
use crate::validation::findings::Findings;

/// A concept has to have a coding from its value set. Without any coding it says nothing that could be from another one.
pub(super) fn check(concept: &Node<'_>, binding: &Binding, findings: &mut Findings<'_>) {
    let codings = concept.get("coding").map(Node::items).unwrap_or_default();
    if !codings.is_empty() && !codings.iter().any(|coding| is_of(coding, binding)) {
        findings.here(IssueCode::CodeInvalid, unknown(binding));
    }
}

/// Whether a system and a code, of a Coding or a Quantity, are of a value set.
pub(super) fn is_of(coding: &Node<'_>, binding: &Binding) -> bool {
    let text = |name| coding.get(name).and_then(Node::text);
    text("system").zip(text("code")).is_some_and(|(system, code)| binding.has(system, code))
}

/// What to say of a code that is not from its value set.
pub(super) fn unknown(binding: &Binding) -> String {
    let examples = binding.examples();
    let known = if examples.is_empty() { String::new() } else { format!(": {examples}") };
    format!("must be a code of the value set {}{known}", binding.name)
}
