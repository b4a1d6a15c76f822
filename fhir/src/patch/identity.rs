//! What no patch changes: which resource it is, and what of `meta` is ours to say.

use crate::issue::{Issue, IssueCode};
use crate::json::{Node, same};

/// Members that say which resource it is.
const IDENTITY: [&str; 2] = ["resourceType", "id"];
/// Members of `meta` that are set when a version is stored, whatever was sent.
const OURS: [&str; 2] = ["versionId", "lastUpdated"];

/// Refuses a patch that would make it another resource; puts back what is ours; and takes away what was left empty, because
/// FHIR has no empty arrays and objects: to remove the last name is to remove `name`.
pub(super) fn keep(before: &Node<'_>, after: &mut Node<'_>) -> Result<(), Issue> {
    let type_name = before.get("resourceType").and_then(Node::text).unwrap_or_default();
    for member in IDENTITY {
        let kept = match (before.get(member), after.get(member)) {
            (Some(before), Some(after)) => same(before, after),
            (before, after) => before.is_none() && after.is_none(),
        };
        if !kept {
            let expression = format!("{type_name}.{member}");
            return Err(Issue::rule(
                IssueCode::Value,
                expression.clone(),
                format!("a patch cannot change {expression}"),
            ));
        }
    }
    prune(after);
    restore(before.get("meta"), after);
    Ok(())
}

fn restore(before: Option<&Node<'_>>, after: &mut Node<'_>) {
    if after.get("meta").is_none() && before.is_some() {
        after.set("meta", Node::Object(Vec::new()));
    }
    let Some(meta) = after.get_mut("meta") else { return };
    for member in OURS {
        match before.and_then(|meta| meta.get(member)) {
            Some(value) => meta.set(member, owned(value)),
            None => drop(meta.remove(member)),
        }
    }
    if is_empty(meta) {
        after.remove("meta");
    }
}

/// A string that does not depend on the text that it came from.
fn owned<'a>(value: &Node<'_>) -> Node<'a> {
    Node::Text(value.text().unwrap_or_default().to_owned().into())
}

/// Takes empty arrays and objects out of objects. What is in an array stays, because its place there has a meaning; only what
/// hangs on no item of a primitive any more is null instead.
fn prune(node: &mut Node<'_>) {
    match node {
        Node::Array(items) => items.iter_mut().for_each(prune),
        Node::Object(members) => {
            members.retain_mut(|(name, value)| {
                prune(value);
                match value {
                    Node::Array(items) if name.starts_with('_') => {
                        items.iter_mut().filter(|item| is_empty(item)).for_each(|item| *item = Node::Null);
                        items.iter().any(|item| !matches!(item, Node::Null))
                    }
                    value => !is_empty(value),
                }
            });
        }
        _ => {}
    }
}

const fn is_empty(node: &Node<'_>) -> bool {
    match node {
        Node::Array(items) => items.is_empty(),
        Node::Object(members) => members.is_empty(),
        _ => false,
    }
}
