//! What holds for resources that are contained in another (dom-2 to dom-5).

use crate::issue::IssueCode;
use crate::json::Node;
use crate::validation::findings::Findings;
use std::collections::{HashMap, HashSet};

/// The resources that a resource contains: their types by their ids.
#[derive(Debug)]
pub(super) struct Containment<'n>(HashMap<&'n str, &'n str>);

impl<'n> Containment<'n> {
    pub fn of(resource: &'n Node<'_>) -> Self {
        let inner = resource.get("contained").map(Node::items).unwrap_or_default().iter();
        let text = |node: &'n Node<'_>, name| node.get(name).and_then(Node::text);
        Self(inner.filter_map(|inner| text(inner, "id").zip(text(inner, "resourceType"))).collect())
    }

    /// The type of the one that has this id.
    pub fn type_of(&self, id: &str) -> Option<&'n str> {
        self.0.get(id).copied()
    }
}

/// Checks what a resource contains.
pub(super) fn check(resource: &Node<'_>, findings: &mut Findings<'_>) {
    let Some(contained) = resource.get("contained") else { return };
    let mut mentioned = HashSet::new();
    mentions(resource, &mut mentioned);
    for (at, inner) in contained.items().iter().enumerate() {
        let mut issue = |text: &str| {
            findings.enter("contained", Some(at));
            findings.here(IssueCode::Invariant, text);
            findings.leave();
        };
        if inner.get("contained").is_some() {
            issue("dom-2: a contained resource must not contain another");
        }
        let meta = |name| inner.get("meta").and_then(|meta| meta.get(name));
        if meta("versionId").or_else(|| meta("lastUpdated")).is_some() {
            issue("dom-4: a contained resource must have no meta.versionId and no meta.lastUpdated");
        }
        if meta("security").is_some() {
            issue("dom-5: a contained resource must have no security label");
        }
        let id = inner.get("id").and_then(Node::text).unwrap_or_default();
        if !mentioned.contains(id) && !refers_out(inner) {
            issue("dom-3: a contained resource must be referred to by the resource, or refer to it");
        }
    }
}

/// The ids behind every `#id` in the resource.
fn mentions<'n>(node: &'n Node<'_>, ids: &mut HashSet<&'n str>) {
    match node {
        Node::Text(text) => {
            ids.extend(text.strip_prefix('#').filter(|id| !id.is_empty()));
        }
        Node::Array(items) => items.iter().for_each(|item| mentions(item, ids)),
        Node::Object(members) => members.iter().for_each(|(_, value)| mentions(value, ids)),
        _ => {}
    }
}

/// Whether it refers to the resource that contains it: `#` alone.
fn refers_out(node: &Node<'_>) -> bool {
    match node {
        Node::Text(text) => text == "#",
        Node::Array(items) => items.iter().any(refers_out),
        Node::Object(members) => members.iter().any(|(_, value)| refers_out(value)),
        _ => false,
    }
}
