//! FHIRPath Patch (FHIR R4, 3.1.0.5.2): operations on the elements that paths select, all of them or none.

use crate::issue::{Issue, IssueCode};
use crate::json::Node;
use crate::patch::bounds::Budget;
use crate::patch::operation::{self, Operation};
use crate::patch::selection::{Hop, Match, select};
use crate::patch::slot::{self, Pair};
use crate::patch::syntax::{ElementPath, PathStep};
use crate::patch::value::value;
use crate::structure::Element;

/// Changes `target` as the patch says. All operations that cannot be read are told at once; of those that can, the first
/// that cannot be done.
pub(super) fn apply<'a>(target: &mut Node<'a>, patch: &Node<'a>, budget: &mut Budget) -> Result<(), Vec<Issue>> {
    if patch.get("resourceType").and_then(Node::text) != Some("Parameters") {
        return Err(vec![Issue::not_fhir("", "a FHIRPath Patch must be a Parameters resource")]);
    }
    let parameters = patch.get("parameter").map(Node::items).unwrap_or_default();
    if parameters.len() > budget.bounds.operations {
        let text = format!("a patch may have at most {} operations", budget.bounds.operations);
        return Err(vec![Issue::rule(IssueCode::TooCostly, "", text)]);
    }
    let (mut operations, mut issues) = (Vec::new(), Vec::new());
    for (at, parameter) in parameters.iter().enumerate() {
        match operation::read(parameter) {
            Ok(operation) => operations.push((at, operation)),
            Err(why) => issues.push(Issue::not_fhir(format!("Parameters.parameter[{at}]"), why)),
        }
    }
    if !issues.is_empty() {
        return Err(issues);
    }
    for (at, (way, path, operation)) in operations {
        perform(target, &path, operation, budget).map_err(|issue| {
            let shown: String = way.chars().take(200).collect();
            let text = format!("{} (at {shown:?})", issue.text);
            vec![Issue { expression: format!("Parameters.parameter[{at}]"), text, ..issue }]
        })?;
    }
    Ok(())
}

fn perform<'a>(
    target: &mut Node<'a>,
    path: &ElementPath,
    operation: Operation<'_, 'a>,
    budget: &mut Budget,
) -> Result<(), Issue> {
    match operation {
        Operation::Add { name, value } => {
            let (way, element) = {
                let parent = one(select(target, path, budget)?)?;
                (parent.way_inside(), element_of(&parent, name)?)
            };
            add(target, &way, element, value, budget)
        }
        Operation::Insert { value: part, index } => {
            let (way, element) = list(target, path, budget)?;
            let (member, pair) = value(part, element).map_err(wrong)?;
            edit(target, &way, &member, budget, |pairs| {
                (index <= pairs.len()).then(|| pairs.insert(index, pair)).ok_or_else(|| no_place(index, pairs.len()))
            })
        }
        Operation::Move { source, destination } => {
            let (way, element) = list(target, path, budget)?;
            edit(target, &way, element.name, budget, |pairs| {
                let at = [source, destination].into_iter().find(|at| *at >= pairs.len());
                at.map_or(Ok(()), |at| Err(no_place(at, pairs.len())))?;
                let pair = pairs.remove(source);
                pairs.insert(destination, pair);
                Ok(())
            })
        }
        Operation::Delete => {
            let way = match select(target, path, budget)?.as_slice() {
                [] => return Ok(()),
                [found] => found.way.clone(),
                several => return Err(too_many(several.len())),
            };
            replace(target, &way, None, budget)
        }
        Operation::Replace { value: part } => {
            let found = one(select(target, path, budget)?)?;
            let element = found.element.ok_or_else(whole)?;
            let (way, new) = (found.way.clone(), value(part, element).map_err(wrong)?);
            replace(target, &way, Some(new), budget)
        }
    }
}

fn one<'n, 'a>(matches: Vec<Match<'n, 'a>>) -> Result<Match<'n, 'a>, Issue> {
    let count = matches.len();
    let mut matches = matches.into_iter();
    match (matches.next(), count) {
        (Some(one), 1) => Ok(one),
        (None, _) => Err(Issue::rule(IssueCode::NotFound, "", "the path leads to nothing")),
        _ => Err(too_many(count)),
    }
}

fn too_many(count: usize) -> Issue {
    Issue::rule(IssueCode::MultipleMatches, "", format!("the path leads to {count} elements; it must lead to one"))
}

fn no_place(index: usize, length: usize) -> Issue {
    Issue::rule(IssueCode::NotFound, "", format!("there is no place {index} among {length} items"))
}

fn whole() -> Issue {
    Issue::rule(IssueCode::Processing, "", "the whole resource cannot be replaced or deleted by a patch")
}

fn wrong(why: String) -> Issue {
    Issue::rule(IssueCode::Value, "", why)
}

fn element_of(parent: &Match<'_, '_>, name: &str) -> Result<&'static Element, Issue> {
    let known = parent.structure();
    known.and_then(|known| known.element(name)).ok_or_else(|| {
        let shown: String = name.chars().take(64).collect();
        wrong(format!("{} has no element {shown:?}", known.map_or("the element", |known| known.name)))
    })
}

/// The repeated element that a path leads to, and the way to the object that it is in. There need be no item of it yet.
fn list(target: &Node<'_>, path: &ElementPath, budget: &mut Budget) -> Result<(Vec<Hop>, &'static Element), Issue> {
    let Some((PathStep::Member(name), steps)) = path.0.split_last() else {
        return Err(wrong("the path must end with the name of an element that can be repeated".into()));
    };
    let parent = one(select(target, &ElementPath(steps.to_vec()), budget)?)?;
    let element = element_of(&parent, name)?;
    if !element.is_list {
        return Err(wrong(format!("{name} is not an element that can be repeated")));
    }
    Ok((parent.way_inside(), element))
}

fn add<'a>(
    target: &mut Node<'a>,
    way: &[Hop],
    element: &Element,
    part: &Node<'a>,
    budget: &mut Budget,
) -> Result<(), Issue> {
    let (member, pair) = value(part, element).map_err(wrong)?;
    let object = object(target, way, budget)?;
    if element.is_list {
        slot::push(object, &member, pair);
        return Ok(());
    }
    let mut names = element.types.iter().map(|element_type| match element.is_choice {
        true => element_type.member(element.name),
        false => element.name.into(),
    });
    if names.any(|name| slot::is_there(object, &name)) {
        return Err(wrong(format!("{} is there already; replace changes it", element.name)));
    }
    slot::put(object, &member, pair);
    Ok(())
}

/// Changes the items of a repeated element.
fn edit<'a>(
    target: &mut Node<'a>,
    way: &[Hop],
    member: &str,
    budget: &mut Budget,
    change: impl FnOnce(&mut Vec<Pair<'a>>) -> Result<(), Issue>,
) -> Result<(), Issue> {
    let object = object(target, way, budget)?;
    let mut pairs = slot::take_list(object, member);
    budget.pass(pairs.iter().map(|pair| pair.value.size()).sum::<usize>() / 64)?;
    change(&mut pairs)?;
    slot::put_list(object, member, pairs);
    Ok(())
}

/// Gives the element at the end of the way another value, or takes it away.
fn replace<'a>(
    target: &mut Node<'a>,
    way: &[Hop],
    new: Option<(String, Pair<'a>)>,
    budget: &mut Budget,
) -> Result<(), Issue> {
    let (last, parents) = way.split_last().ok_or_else(whole)?;
    let nothing = || Pair { value: Node::Null, companion: Node::Null };
    let Some(item) = last.item else {
        let object = object(target, parents, budget)?;
        let (member, pair) = new.unwrap_or_else(|| (last.member.clone(), nothing()));
        if member != last.member {
            slot::put(object, &last.member, nothing());
        }
        slot::put(object, &member, pair);
        return Ok(());
    };
    edit(target, parents, &last.member, budget, |pairs| {
        match (new, pairs.get_mut(item)) {
            (Some((_, pair)), Some(old)) => *old = pair,
            (None, Some(_)) => drop(pairs.remove(item)),
            (_, None) => {}
        }
        Ok(())
    })
}

/// The object at the end of the way. What hangs on a primitive is made where there is none yet.
fn object<'n, 'a>(target: &'n mut Node<'a>, way: &[Hop], budget: &mut Budget) -> Result<&'n mut Node<'a>, Issue> {
    let mut node = target;
    for hop in way {
        budget.pass(node.members().len())?;
        if hop.member.starts_with('_') {
            make_room(node, hop);
        }
        let member = node.get_mut(&hop.member);
        let found = match (member, hop.item) {
            (Some(Node::Array(items)), Some(item)) => items.get_mut(item),
            (member, None) => member,
            _ => None,
        };
        node = found.ok_or_else(|| Issue::rule(IssueCode::NotFound, "", "the path leads to nothing"))?;
    }
    Ok(node)
}

fn make_room(node: &mut Node<'_>, hop: &Hop) {
    let empty = || Node::Object(Vec::new());
    match (node.get_mut(&hop.member), hop.item) {
        (None, None) => node.set(&hop.member, empty()),
        (None, Some(item)) => {
            let mut items = vec![Node::Null; item];
            items.push(empty());
            node.set(&hop.member, Node::Array(items));
        }
        (Some(Node::Array(items)), Some(item)) => {
            if items.len() <= item {
                items.resize(item + 1, Node::Null);
            }
            if let Some(place @ Node::Null) = items.get_mut(item) {
                *place = empty();
            }
        }
        _ => {}
    }
}

#[cfg(test)]
#[path = "fhirpath_tests.rs"]
mod tests;
