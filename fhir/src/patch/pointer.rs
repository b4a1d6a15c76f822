//! JSON Pointer (RFC 6901): where in a document something is.

use crate::json::Node;

/// The way from the root: names of members and numbers of items.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Pointer(pub Vec<String>);

impl Pointer {
    /// Reads `/name/0/given`; `None` for what is no pointer.
    pub fn read(text: &str) -> Option<Self> {
        if text.is_empty() {
            return Some(Self(Vec::new()));
        }
        text.strip_prefix('/')?.split('/').map(step).collect::<Option<Vec<_>>>().map(Self)
    }

    /// The way to whatever holds what is meant, and the last step; `None` for the root.
    pub fn holder(&self) -> Option<(&[String], &str)> {
        self.0.split_last().map(|(last, way)| (way, last.as_str()))
    }
}

fn step(text: &str) -> Option<String> {
    let stray =
        text.match_indices('~').any(|(at, _)| !text.get(at + 1..).is_some_and(|rest| rest.starts_with(['0', '1'])));
    // In this order, so that "~01" is "~1" and not "/".
    (!stray).then(|| text.replace("~1", "/").replace("~0", "~"))
}

/// The number of an item: no sign, no zero in front.
pub(super) fn index(step: &str) -> Option<usize> {
    let is_number = step == "0" || (!step.starts_with('0') && !step.is_empty());
    (is_number && step.bytes().all(|byte| byte.is_ascii_digit())).then(|| step.parse().ok())?
}

/// What is one step below.
pub(super) fn child<'n, 'a>(node: &'n mut Node<'a>, step: &str) -> Option<&'n mut Node<'a>> {
    match node {
        Node::Array(items) => items.get_mut(index(step)?),
        _ => node.get_mut(step),
    }
}

#[cfg(test)]
mod tests {
    use super::{Pointer, index};

    #[test]
    fn steps_are_told_apart_and_their_escapes_resolved() {
        assert_eq!(Pointer::read("").unwrap().0, [] as [&str; 0]);
        assert_eq!(Pointer::read("/").unwrap().0, [""]);
        assert_eq!(Pointer::read("/a~1b/~01/0").unwrap().0, ["a/b", "~1", "0"]);
        for wrong in ["a", "/a~", "/a~2", "#/a"] {
            assert_eq!(Pointer::read(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_index_is_a_plain_number() {
        assert_eq!((index("0"), index("10")), (Some(0), Some(10)));
        for wrong in ["", "01", "-1", "+1", "1e0", "-", "99999999999999999999999"] {
            assert_eq!(index(wrong), None, "{wrong}");
        }
    }
}
