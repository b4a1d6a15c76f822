//! A tree as text again.

use crate::json::node::Node;
use crate::members::quoted;

/// The compact text of a tree.
#[must_use]
pub fn print(node: &Node<'_>) -> String {
    let mut text = String::with_capacity(node.size());
    push(&mut text, node);
    text
}

fn push(text: &mut String, node: &Node<'_>) {
    match node {
        Node::Null => text.push_str("null"),
        Node::Bool(true) => text.push_str("true"),
        Node::Bool(false) => text.push_str("false"),
        Node::Number(digits) => text.push_str(digits),
        Node::Text(words) => text.push_str(&quoted(words)),
        Node::Array(items) => {
            text.push('[');
            for (at, item) in items.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                push(text, item);
            }
            text.push(']');
        }
        Node::Object(members) => {
            text.push('{');
            for (at, (name, value)) in members.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(&quoted(name));
                text.push(':');
                push(text, value);
            }
            text.push('}');
        }
    }
}
