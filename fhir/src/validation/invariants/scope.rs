//! What an invariant looks at: an element, in its resource.

use crate::json::Node;

/// The element that an invariant is about, and the resource that it is in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Scope<'n, 'a> {
    pub node: &'n Node<'a>,
    pub resource: &'n Node<'a>,
}

impl<'n, 'a> Scope<'n, 'a> {
    /// Whether an element is there, be it only with an extension.
    pub fn has(&self, name: &str) -> bool {
        self.node.members().iter().any(|(member, _)| member == name || member.strip_prefix('_') == Some(name))
    }

    /// Whether an element is there that has a choice of types.
    pub fn has_choice(&self, name: &str) -> bool {
        self.choice(name).is_some()
    }

    /// The name that a choice of types has here.
    pub fn choice(&self, name: &str) -> Option<&'n str> {
        let names = self.node.members().iter().map(|(member, _)| member.strip_prefix('_').unwrap_or(member));
        let is_choice = |member: &&str| {
            member.strip_prefix(name).is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_uppercase()))
        };
        names.into_iter().find(is_choice)
    }

    pub fn has_any(&self, names: &[&str]) -> bool {
        self.count(names) > 0
    }

    /// How many of these elements are there.
    pub fn count(&self, names: &[&str]) -> usize {
        names.iter().filter(|name| self.has(name)).count()
    }

    /// How often an element is there that can be repeated.
    pub fn length(&self, name: &str) -> usize {
        self.node.get(name).map_or(0, |node| node.items().len())
    }

    pub fn text(&self, name: &str) -> Option<&'n str> {
        self.node.get(name).and_then(Node::text)
    }

    pub fn number(&self, name: &str) -> Option<&'n str> {
        self.node.get(name).and_then(Node::number)
    }

    pub fn is(&self, name: &str, code: &str) -> bool {
        self.text(name) == Some(code)
    }

    pub fn is_one_of(&self, name: &str, codes: &[&str]) -> bool {
        self.text(name).is_some_and(|text| codes.contains(&text))
    }

    pub fn is_true(&self, name: &str) -> bool {
        matches!(self.node.get(name), Some(Node::Bool(true)))
    }

    /// The items of an element that can be repeated.
    pub fn items(&self, name: &str) -> impl Iterator<Item = Self> + use<'n, 'a> {
        let resource = self.resource;
        let items = self.node.get(name).map(Node::items).unwrap_or_default();
        items.iter().map(move |node| Self { node, resource })
    }

    /// An element that is there once.
    pub fn child(&self, name: &str) -> Option<Self> {
        self.node.get(name).map(|node| Self { node, resource: self.resource })
    }

    /// Whether a concept has a coding of this system with one of these codes.
    pub fn is_coded(&self, name: &str, system: &str, codes: &[&str]) -> bool {
        let concept = self.child(name);
        let codings = concept.into_iter().flat_map(|concept| concept.items("coding"));
        codings.into_iter().any(|coding| coding.is("system", system) && coding.is_one_of("code", codes))
    }

    /// Whether no two items have the same text in these elements.
    pub fn are_distinct(&self, name: &str, of: &[&str]) -> bool {
        let mut known = std::collections::HashSet::new();
        let mut keys = self.items(name).map(|item| of.iter().map(|of| item.text(of)).collect::<Vec<_>>());
        keys.all(|key| key.iter().all(Option::is_none) || known.insert(key))
    }
}
