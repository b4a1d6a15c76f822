//! Building and changing the tree of a resource, so that what is not meant stays as it was written.

use fhir::json::Node;
use std::borrow::Cow;

pub(crate) fn text(words: &str) -> Node<'static> {
    Node::Text(Cow::Owned(words.to_owned()))
}

pub(crate) fn object<const N: usize>(members: [(&'static str, Node<'static>); N]) -> Node<'static> {
    Node::Object(members.into_iter().map(|(name, value)| (Cow::Borrowed(name), value)).collect())
}

/// An object of texts; those that there are not are left out.
pub(crate) fn texts<const N: usize>(members: [(&'static str, Option<&str>); N]) -> Node<'static> {
    let there = members.into_iter().filter_map(|(name, words)| Some((Cow::Borrowed(name), text(words?))));
    Node::Object(there.collect())
}

pub(crate) fn array<const N: usize>(items: [Node<'static>; N]) -> Node<'static> {
    Node::Array(items.into())
}

/// The text of a member.
pub(crate) fn said<'n>(node: &'n Node<'_>, name: &str) -> Option<&'n str> {
    node.get(name).and_then(Node::text)
}

/// The items of a member that can be repeated.
pub(crate) fn items<'n, 'a>(node: &'n Node<'a>, name: &str) -> &'n [Node<'a>] {
    node.get(name).map(Node::items).unwrap_or_default()
}

/// The first item of a member that can be repeated.
pub(crate) fn first<'n, 'a>(node: &'n Node<'a>, name: &str) -> Option<&'n Node<'a>> {
    items(node, name).first()
}

/// The items of a member, to be changed; an empty array is made where there is none.
pub(crate) fn items_mut<'n, 'a>(node: &'n mut Node<'a>, name: &str) -> Option<&'n mut Vec<Node<'a>>> {
    if !matches!(node.get(name), Some(Node::Array(_))) {
        node.set(name, Node::Array(Vec::new()));
    }
    match node.get_mut(name) {
        Some(Node::Array(items)) => Some(items),
        _ => None,
    }
}

/// The first item of a member, to be changed; an empty object is made where there is none.
pub(crate) fn first_mut<'n, 'a>(node: &'n mut Node<'a>, name: &str) -> Option<&'n mut Node<'a>> {
    let items = items_mut(node, name)?;
    if items.is_empty() {
        items.push(object([]));
    }
    items.first_mut()
}

/// An object that is a member, to be changed; an empty one is made where there is none.
pub(crate) fn member_mut<'n, 'a>(node: &'n mut Node<'a>, name: &str) -> Option<&'n mut Node<'a>> {
    if !matches!(node.get(name), Some(Node::Object(_))) {
        node.set(name, object([]));
    }
    node.get_mut(name)
}

/// Gives a member this value, or takes it away with what extends it.
pub(crate) fn put<'a>(node: &mut Node<'a>, name: &str, value: Option<Node<'a>>) {
    match value {
        Some(value) => node.set(name, value),
        None => {
            node.remove(name);
            node.remove(&format!("_{name}"));
        }
    }
}

/// The same for a text.
pub(crate) fn put_text(node: &mut Node<'_>, name: &str, words: Option<&str>) {
    put(node, name, words.map(text));
}

/// Takes members away that have become empty: FHIR has no empty objects and arrays.
pub(crate) fn tidy(node: &mut Node<'_>, name: &str) {
    let is_empty = match node.get_mut(name) {
        Some(Node::Array(items)) => {
            items.retain(|item| !matches!(item, Node::Object(members) if members.is_empty()));
            items.is_empty()
        }
        Some(Node::Object(members)) => members.is_empty(),
        _ => false,
    };
    if is_empty {
        node.remove(name);
    }
}

/// The same tree with nothing lent.
pub(crate) fn owned(node: &Node<'_>) -> Node<'static> {
    let own = |words: &Cow<'_, str>| Cow::Owned(words.clone().into_owned());
    match node {
        Node::Null => Node::Null,
        Node::Bool(value) => Node::Bool(*value),
        Node::Number(digits) => Node::Number(own(digits)),
        Node::Text(words) => Node::Text(own(words)),
        Node::Array(items) => Node::Array(items.iter().map(owned).collect()),
        Node::Object(members) => Node::Object(members.iter().map(|(name, value)| (own(name), owned(value))).collect()),
    }
}
