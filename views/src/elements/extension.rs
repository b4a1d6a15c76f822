//! Extensions of ours: one value under one URL.

use crate::tree::{items, items_mut, said, text, tidy};
use fhir::json::Node;
use std::borrow::Cow;

/// The extension of this URL.
pub(crate) fn find<'n, 'a>(node: &'n Node<'a>, url: &str) -> Option<&'n Node<'a>> {
    items(node, "extension").iter().find(|extension| said(extension, "url") == Some(url))
}

/// The text that the extension of this URL has as a value of this type.
pub(crate) fn text_in(node: &Node<'_>, url: &str, member: &str) -> Option<String> {
    said(find(node, url)?, member).map(String::from)
}

/// An extension with one value.
pub(crate) fn valued(url: &str, member: &'static str, value: Node<'static>) -> Node<'static> {
    Node::Object(vec![(Cow::Borrowed("url"), text(url)), (Cow::Borrowed(member), value)])
}

/// Gives an element the extension of this URL, or takes it away. `is_meant` tells it from others of the same URL.
pub(crate) fn set_where(node: &mut Node<'_>, is_meant: impl Fn(&Node<'_>) -> bool, extension: Option<Node<'static>>) {
    let Some(extensions) = items_mut(node, "extension") else { return };
    let at = extensions.iter().position(is_meant);
    match (at.and_then(|at| extensions.get_mut(at)), extension) {
        (Some(known), Some(extension)) => *known = extension,
        (None, Some(extension)) => extensions.push(extension),
        (_, None) => {
            if let Some(at) = at {
                extensions.remove(at);
            }
        }
    }
    tidy(node, "extension");
}

/// Gives an element a value under this URL, or takes it away.
pub(crate) fn set(node: &mut Node<'_>, url: &str, member: &'static str, value: Option<Node<'static>>) {
    set_where(node, |known| said(known, "url") == Some(url), value.map(|value| valued(url, member, value)));
}
