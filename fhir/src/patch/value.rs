//! The value of an operation of FHIRPath Patch: a value of a type, a resource, or the elements of one that has no name.

use crate::json::Node;
use crate::patch::slot::{self, Pair};
use crate::structure::{Element, structure};

/// What `part` says that the element becomes: the name that it has in JSON, and its value.
pub(super) fn value<'a>(part: &Node<'a>, element: &Element) -> Result<(String, Pair<'a>), String> {
    let name = element.name;
    if let Some(parts) = part.get("part") {
        let [one] = element.types.as_slice() else {
            return Err(format!("{name} can be of several types, so its value cannot be given in parts"));
        };
        let value = object(parts, one.name)?;
        return Ok((name.into(), Pair { value, companion: Node::Null }));
    }
    if let Some(resource) = part.get("resource") {
        return Ok((name.into(), Pair { value: resource.clone(), companion: Node::Null }));
    }
    let member = typed_member(part).ok_or_else(|| format!("{name} gets no value: value[x] or part must be there"))?;
    let of = |name: &str| part.get(name).cloned().unwrap_or(Node::Null);
    let pair = Pair { value: of(&member), companion: of(&format!("_{member}")) };
    if !element.is_choice {
        return Ok((name.into(), pair));
    }
    let chosen = element.types.iter().find(|element_type| element_type.member("value") == member);
    let chosen = chosen.ok_or_else(|| format!("{name} cannot be of the type of {member}"))?;
    Ok((chosen.member(name), pair))
}

/// The name of the `value[x]` that is there.
pub(super) fn typed_member(part: &Node<'_>) -> Option<String> {
    let names = part.members().iter().map(|(name, _)| name.strip_prefix('_').unwrap_or(name));
    names.into_iter().find(|name| name.len() > 5 && name.starts_with("value")).map(String::from)
}

/// An object of the elements that `parts` name.
fn object<'a>(parts: &Node<'a>, type_name: &str) -> Result<Node<'a>, String> {
    let known = structure(type_name).ok_or_else(|| format!("{type_name} has no elements to be given in parts"))?;
    let mut object = Node::Object(Vec::new());
    for part in parts.items() {
        let name = part.get("name").and_then(Node::text).ok_or("a part of the value has no name")?;
        let element = known.element(name);
        let element = element.ok_or_else(|| {
            let shown: String = name.chars().take(64).collect();
            format!("{type_name} has no element {shown:?}")
        })?;
        let (member, pair) = value(part, element)?;
        if element.is_list {
            slot::push(&mut object, &member, pair);
        } else {
            slot::put(&mut object, &member, pair);
        }
    }
    Ok(object)
}
