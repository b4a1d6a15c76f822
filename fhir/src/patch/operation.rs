//! The operations of a FHIRPath Patch, read out of the Parameters resource that they are sent in.

use crate::json::Node;
use crate::patch::path;
use crate::patch::syntax::ElementPath;
use crate::patch::value::typed_member;

/// What is to be done.
#[derive(Debug)]
pub(super) enum Operation<'n, 'a> {
    Add { name: &'n str, value: &'n Node<'a> },
    Insert { value: &'n Node<'a>, index: usize },
    Delete,
    Replace { value: &'n Node<'a> },
    Move { source: usize, destination: usize },
}

/// One parameter of the patch: the path, as it was sent and as it was read, and what is to be done there.
pub(super) fn read<'n, 'a>(parameter: &'n Node<'a>) -> Result<(&'n str, ElementPath, Operation<'n, 'a>), String> {
    if parameter.get("name").and_then(Node::text) != Some("operation") {
        return Err("its name must be \"operation\"".into());
    }
    let parts = parameter.get("part").map(Node::items).unwrap_or_default();
    let part = |name: &str| {
        let mut named = parts.iter().filter(|part| part.get("name").and_then(Node::text) == Some(name));
        named.next().ok_or(format!("the part \"{name}\" is missing"))
    };
    let typed = |name: &str| {
        let part: &'n Node<'a> = part(name)?;
        typed_member(part).and_then(|member| part.get(&member)).ok_or(format!("the part \"{name}\" has no value"))
    };
    let text = |name: &str| typed(name)?.text().ok_or(format!("the value of \"{name}\" must be a string"));
    let number = |name: &str| {
        let digits = typed(name)?.number().and_then(|digits| digits.parse::<usize>().ok());
        digits.ok_or(format!("the value of \"{name}\" must be a whole number, from 0 on"))
    };
    let operation = match text("type")? {
        "add" => Operation::Add { name: text("name")?, value: part("value")? },
        "insert" => Operation::Insert { value: part("value")?, index: number("index")? },
        "delete" => Operation::Delete,
        "replace" => Operation::Replace { value: part("value")? },
        "move" => Operation::Move { source: number("source")?, destination: number("destination")? },
        _ => return Err("its type must be add, insert, delete, replace or move".into()),
    };
    let way = text("path")?;
    Ok((way, path::read(way)?, operation))
}
