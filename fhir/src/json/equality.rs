//! When two values of JSON are the same: numbers by their value, objects whatever the order of their members.

use crate::json::decimal::Decimal;
use crate::json::node::Node;

/// Whether both are one value.
#[must_use]
pub fn same(one: &Node<'_>, other: &Node<'_>) -> bool {
    match (one, other) {
        (Node::Null, Node::Null) => true,
        (Node::Bool(one), Node::Bool(other)) => one == other,
        (Node::Number(one), Node::Number(other)) => {
            one == other || Decimal::read(one).is_some_and(|one| Decimal::read(other) == Some(one))
        }
        (Node::Text(one), Node::Text(other)) => one == other,
        (Node::Array(one), Node::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Node::Object(one), Node::Object(other)) => one.len() == other.len() && same_members(one, other),
        _ => false,
    }
}

/// Both sorted first, so that objects of very many members take no longer than they are long.
fn same_members<N: AsRef<str>>(one: &[(N, Node<'_>)], other: &[(N, Node<'_>)]) -> bool {
    let sorted = |members: &[(N, Node<'_>)]| {
        let mut order: Vec<usize> = (0..members.len()).collect();
        order.sort_by_key(|at| members.get(*at).map(|(name, _)| name.as_ref().to_owned()));
        order
    };
    let pairs = sorted(one).into_iter().zip(sorted(other));
    pairs.into_iter().all(|(at, place)| match (one.get(at), other.get(place)) {
        (Some((name, value)), Some((twin, worth))) => name.as_ref() == twin.as_ref() && same(value, worth),
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::same;
    use crate::json::read;

    #[test]
    fn values_are_the_same_whatever_their_spelling() {
        for (one, other, expected) in [
            ("1.0", "1", true),
            ("1.0", "\"1\"", false),
            (r#"{"a":1,"b":[2]}"#, r#"{"b":[2.0],"a":1}"#, true),
            (r#"{"a":1}"#, r#"{"a":1,"b":2}"#, false),
            (r#"{"a":1}"#, r#"{"b":1}"#, false),
            ("[1,2]", "[2,1]", false),
            ("null", "false", false),
            (r#""\u0061""#, r#""a""#, true),
        ] {
            assert_eq!(same(&read(one).unwrap(), &read(other).unwrap()), expected, "{one} {other}");
        }
    }
}
