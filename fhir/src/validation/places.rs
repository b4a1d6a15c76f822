//! Where a rule of a profile applies: the items of an element that it is about.

use crate::json::{Node, read, same};
use crate::structure::ProfileRule;

/// An item of an element.
#[derive(Debug)]
pub(super) struct Place<'n, 'a> {
    /// The name that JSON has: of a choice, with the type.
    pub member: &'n str,
    /// Where it stands in an array.
    pub item: Option<usize>,
    /// Nothing where there is only an extension in its place.
    pub value: Option<&'n Node<'a>>,
}

/// Every item that the rule is about.
pub(super) fn of<'n, 'a>(holder: &'n Node<'a>, rule: &ProfileRule) -> Vec<Place<'n, 'a>> {
    let mut places = all(holder, rule);
    if rule.slice.is_some() && !rule.is_choice {
        places.retain(|place| place.value.is_some_and(|value| fits(value, rule)));
    }
    places
}

/// Whether a value is what the rule fixes.
pub(super) fn is_fixed(value: &Node<'_>, rule: &ProfileRule) -> bool {
    let is = |json: Option<&str>, compare: fn(&Node<'_>, &Node<'_>) -> bool| {
        json.and_then(read).is_none_or(|wanted| compare(&wanted, value))
    };
    is(rule.fixed, same) && is(rule.pattern, has)
}

/// Every item of the element, whatever slice it is in.
fn all<'n, 'a>(holder: &'n Node<'a>, rule: &ProfileRule) -> Vec<Place<'n, 'a>> {
    let Some(member) = member(holder, rule) else { return Vec::new() };
    let value = holder.get(member);
    let Some(Node::Array(items)) = value.or_else(|| holder.get(&format!("_{member}"))) else {
        return vec![Place { member, item: None, value }];
    };
    let values = value.map(Node::items).unwrap_or_default();
    let at = |item| values.get(item).filter(|value| !matches!(value, Node::Null));
    (0..items.len()).map(|item| Place { member, item: Some(item), value: at(item) }).collect()
}

/// The name that the element has here, if it is there.
fn member<'n>(holder: &'n Node<'_>, rule: &ProfileRule) -> Option<&'n str> {
    let mut names = holder.members().iter().map(|(name, _)| name.strip_prefix('_').unwrap_or(name));
    names.find(|name| match (name.strip_prefix(rule.name), rule.is_choice) {
        (Some(""), false) => true,
        (Some(rest), true) => match rule.slice {
            None => rest.starts_with(|letter: char| letter.is_ascii_uppercase()),
            Some(of) => is_type(rest, of),
        },
        _ => false,
    })
}

/// Whether what stands behind the name of a choice is this type.
pub(super) fn is_type(rest: &str, of: &str) -> bool {
    rest.eq_ignore_ascii_case(of) && rest.get(1..) == of.get(1..)
}

/// Whether an item is in a slice: by what tells the items of that slice from others.
fn fits(value: &Node<'_>, rule: &ProfileRule) -> bool {
    let told =
        |inner: &ProfileRule| all(value, inner).iter().any(|place| place.value.is_some_and(|value| fits(value, inner)));
    is_fixed(value, rule) && rule.rules.iter().filter(|inner| inner.tells).all(told)
}

/// Whether all of a pattern is in a value.
fn has(pattern: &Node<'_>, value: &Node<'_>) -> bool {
    match (pattern, value) {
        (Node::Object(members), Node::Object(_)) => {
            members.iter().all(|(name, wanted)| value.get(name).is_some_and(|there| has(wanted, there)))
        }
        (Node::Array(wanted), Node::Array(there)) => {
            wanted.iter().all(|wanted| there.iter().any(|there| has(wanted, there)))
        }
        _ => same(pattern, value),
    }
}
