//! JSON Merge Patch (RFC 7396): an object that says what members become; null takes one away.

use crate::issue::Issue;
use crate::json::Node;
use crate::patch::bounds::Budget;

/// Changes `target` as the patch says.
pub(super) fn apply<'a>(target: &mut Node<'a>, patch: &Node<'a>, budget: &mut Budget) -> Result<(), Issue> {
    if !matches!(patch, Node::Object(_)) {
        let text = format!("a merge patch of a resource must be a JSON object, not {}", patch.sort());
        return Err(Issue::not_fhir("", text));
    }
    merge(target, patch, budget)
}

fn merge<'a>(target: &mut Node<'a>, patch: &Node<'a>, budget: &mut Budget) -> Result<(), Issue> {
    let Node::Object(members) = patch else {
        *target = patch.clone();
        return Ok(());
    };
    if !matches!(target, Node::Object(_)) {
        *target = Node::Object(Vec::new());
    }
    for (name, value) in members {
        budget.pass(target.members().len())?;
        match (value, target.get_mut(name)) {
            (Node::Null, _) => drop(target.remove(name)),
            (_, Some(old)) => merge(old, value, budget)?,
            (_, None) => {
                let mut new = Node::Null;
                merge(&mut new, value, budget)?;
                target.set(name, new);
            }
        }
    }
    Ok(())
}
