//! JSON Patch (RFC 6902): operations one after another, all of them or none.

use crate::issue::{Issue, IssueCode};
use crate::json::{Node, same};
use crate::patch::bounds::Budget;
use crate::patch::pointer::{Pointer, child, index};

enum Change<'n, 'a> {
    Add(&'n Node<'a>),
    Remove,
    Replace(&'n Node<'a>),
    Move(Pointer),
    Copy(Pointer),
    Test(&'n Node<'a>),
}

/// Changes `target` as the patch says. All operations that cannot be read are told at once; of those that can, the first
/// that cannot be done.
pub(super) fn apply<'a>(target: &mut Node<'a>, patch: &Node<'a>, budget: &mut Budget) -> Result<(), Vec<Issue>> {
    let Node::Array(items) = patch else {
        return Err(vec![Issue::not_fhir("", format!("a JSON Patch must be an array, not {}", patch.sort()))]);
    };
    if items.len() > budget.bounds.operations {
        let text = format!("a patch may have at most {} operations", budget.bounds.operations);
        return Err(vec![Issue::rule(IssueCode::TooCostly, "", text)]);
    }
    let (mut operations, mut issues) = (Vec::new(), Vec::new());
    for (at, item) in items.iter().enumerate() {
        match read(item) {
            Ok(operation) => operations.push((at, operation)),
            Err(why) => issues.push(Issue::not_fhir("", format!("operation {at} of the patch: {why}"))),
        }
    }
    if !issues.is_empty() {
        return Err(issues);
    }
    for (at, (path, operation)) in operations {
        perform(target, &path, operation, budget).map_err(|issue| {
            let way: String = path.0.iter().map(|step| format!("/{step}")).collect();
            let shown: String = way.chars().take(200).collect();
            vec![Issue { text: format!("operation {at} of the patch, at {shown:?}: {}", issue.text), ..issue }]
        })?;
    }
    Ok(())
}

fn read<'n, 'a>(item: &'n Node<'a>) -> Result<(Pointer, Change<'n, 'a>), String> {
    let text = |name: &str| item.get(name).and_then(Node::text).ok_or(format!("{name:?} must be there, as a string"));
    let pointer = |name: &str| Pointer::read(text(name)?).ok_or(format!("{name:?} must be a JSON Pointer"));
    let value = || item.get("value").ok_or_else(|| String::from("\"value\" must be there"));
    let operation = match text("op")? {
        "add" => Change::Add(value()?),
        "remove" => Change::Remove,
        "replace" => Change::Replace(value()?),
        "move" => Change::Move(pointer("from")?),
        "copy" => Change::Copy(pointer("from")?),
        "test" => Change::Test(value()?),
        _ => return Err("\"op\" must be add, remove, replace, move, copy or test".into()),
    };
    Ok((pointer("path")?, operation))
}

fn perform<'a>(
    target: &mut Node<'a>,
    path: &Pointer,
    operation: Change<'_, 'a>,
    budget: &mut Budget,
) -> Result<(), Issue> {
    match operation {
        Change::Add(value) => add(target, path, value.clone(), budget),
        Change::Remove => remove(target, path, budget).map(drop),
        Change::Replace(value) => {
            *find(target, &path.0, budget)? = value.clone();
            fits(path, value, budget)
        }
        Change::Move(from) if path.0.starts_with(&from.0) => {
            if path == &from {
                return find(target, &from.0, budget).map(drop);
            }
            Err(Issue::rule(IssueCode::Processing, "", "nothing can be moved into itself"))
        }
        Change::Move(from) => {
            let value = remove(target, &from, budget)?;
            budget.carry(&value)?;
            add(target, path, value, budget)
        }
        Change::Copy(from) => {
            let value = find(target, &from.0, budget)?;
            budget.carry(value)?;
            let value = value.clone();
            add(target, path, value, budget)
        }
        Change::Test(value) => {
            budget.pass(value.size())?;
            let found = find(target, &path.0, budget)?;
            let differs =
                || Issue::rule(IssueCode::Processing, "", "the value there is not the one that is tested for");
            same(found, value).then_some(()).ok_or_else(differs)
        }
    }
}

fn find<'n, 'a>(root: &'n mut Node<'a>, way: &[String], budget: &mut Budget) -> Result<&'n mut Node<'a>, Issue> {
    let mut node = root;
    for step in way {
        budget.pass(node.members().len())?;
        node = child(node, step).ok_or_else(nothing)?;
    }
    Ok(node)
}

fn nothing() -> Issue {
    Issue::rule(IssueCode::NotFound, "", "there is nothing there")
}

/// Nesting is held to its bound at every step, because copies of copies would grow it twofold each time.
fn fits(path: &Pointer, value: &Node<'_>, budget: &Budget) -> Result<(), Issue> {
    if path.0.len() + value.depth() > budget.bounds.shape.depth { Err(budget.too_deep()) } else { Ok(()) }
}

fn add<'a>(root: &mut Node<'a>, path: &Pointer, value: Node<'a>, budget: &mut Budget) -> Result<(), Issue> {
    fits(path, &value, budget)?;
    let Some((way, last)) = path.holder() else {
        *root = value;
        return Ok(());
    };
    match find(root, way, budget)? {
        Node::Array(items) => {
            let at = if last == "-" { Some(items.len()) } else { index(last) };
            let at = at.filter(|at| *at <= items.len()).ok_or_else(nothing)?;
            budget.pass(items.len() - at)?;
            items.insert(at, value);
        }
        holder @ Node::Object(_) => {
            budget.pass(holder.members().len())?;
            holder.set(last, value);
        }
        _ => return Err(nothing()),
    }
    Ok(())
}

fn remove<'a>(root: &mut Node<'a>, path: &Pointer, budget: &mut Budget) -> Result<Node<'a>, Issue> {
    let (way, last) =
        path.holder().ok_or_else(|| Issue::rule(IssueCode::Processing, "", "the whole resource cannot be removed"))?;
    match find(root, way, budget)? {
        Node::Array(items) => {
            let at = index(last).filter(|at| *at < items.len()).ok_or_else(nothing)?;
            budget.pass(items.len() - at)?;
            Ok(items.remove(at))
        }
        holder => {
            budget.pass(holder.members().len())?;
            holder.remove(last).ok_or_else(nothing)
        }
    }
}
