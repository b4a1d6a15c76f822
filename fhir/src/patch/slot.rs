//! The elements under one name of an object: values and what hangs on them (`given` and `_given`), moved together.

use crate::json::Node;

/// A value, and what is in the member with the underscore for it. Null where there is none.
#[derive(Clone, Debug)]
pub(super) struct Pair<'a> {
    pub value: Node<'a>,
    pub companion: Node<'a>,
}

/// The items of a repeated element.
pub(super) fn take_list<'a>(object: &Node<'a>, name: &str) -> Vec<Pair<'a>> {
    let items = |name: &str| object.get(name).map(Node::items).unwrap_or_default();
    let (values, companions) = (items(name), items(&format!("_{name}")));
    let at = |items: &[Node<'a>], at| items.get(at).cloned().unwrap_or(Node::Null);
    (0..values.len().max(companions.len()))
        .map(|place| Pair { value: at(values, place), companion: at(companions, place) })
        .collect()
}

/// Puts the items of a repeated element into its object.
pub(super) fn put_list<'a>(object: &mut Node<'a>, name: &str, pairs: Vec<Pair<'a>>) {
    let (values, companions): (Vec<_>, Vec<_>) = pairs.into_iter().map(|pair| (pair.value, pair.companion)).unzip();
    for (name, items) in [(name.to_owned(), values), (format!("_{name}"), companions)] {
        if items.iter().all(|item| matches!(item, Node::Null)) {
            object.remove(&name);
        } else {
            object.set(&name, Node::Array(items));
        }
    }
}

/// Appends an item to a repeated element, at no more cost than its own: a patch can have very many.
pub(super) fn push<'a>(object: &mut Node<'a>, name: &str, pair: Pair<'a>) {
    let companions = format!("_{name}");
    let count = |name: &str| object.get(name).map_or(0, |node| node.items().len());
    let length = count(name).max(count(&companions));
    append(object, name, pair.value, length);
    append(object, &companions, pair.companion, length);
}

fn append<'a>(object: &mut Node<'a>, name: &str, node: Node<'a>, length: usize) {
    match (object.get_mut(name), node) {
        (None, Node::Null) => {}
        (Some(Node::Array(items)), node) => {
            items.resize(length, Node::Null);
            items.push(node);
        }
        (_, node) => {
            let mut items = vec![Node::Null; length];
            items.push(node);
            object.set(name, Node::Array(items));
        }
    }
}

/// Puts an element that is there once into its object, or takes it out.
pub(super) fn put<'a>(object: &mut Node<'a>, name: &str, pair: Pair<'a>) {
    for (name, node) in [(name.to_owned(), pair.value), (format!("_{name}"), pair.companion)] {
        if matches!(node, Node::Null) {
            object.remove(&name);
        } else {
            object.set(&name, node);
        }
    }
}

/// What there is of an element that is there once.
pub(super) fn is_there(object: &Node<'_>, name: &str) -> bool {
    object.get(name).is_some() || object.get(&format!("_{name}")).is_some()
}
