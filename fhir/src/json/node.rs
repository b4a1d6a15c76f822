//! A value of JSON and what can be asked of it.

use std::borrow::Cow;

/// A value of JSON. Members keep their order, numbers their spelling.
#[derive(Clone, Debug)]
pub enum Node<'a> {
    Null,
    Bool(bool),
    Number(Cow<'a, str>),
    Text(Cow<'a, str>),
    Array(Vec<Node<'a>>),
    Object(Vec<(Cow<'a, str>, Node<'a>)>),
}

impl<'a> Node<'a> {
    /// The text of a string.
    #[must_use]
    pub fn text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The digits of a number, as they were written.
    #[must_use]
    pub fn number(&self) -> Option<&str> {
        match self {
            Self::Number(digits) => Some(digits),
            _ => None,
        }
    }

    /// The items of an array; of anything else none.
    #[must_use]
    pub fn items(&self) -> &[Self] {
        match self {
            Self::Array(items) => items,
            _ => &[],
        }
    }

    /// The members of an object; of anything else none.
    #[must_use]
    pub fn members(&self) -> &[(Cow<'a, str>, Self)] {
        match self {
            Self::Object(members) => members,
            _ => &[],
        }
    }

    /// One member of an object.
    #[must_use]
    pub fn get(&self, name: &str) -> Option<&Self> {
        self.members().iter().find(|(member, _)| member == name).map(|(_, value)| value)
    }

    /// One member of an object, to be changed.
    pub fn get_mut(&mut self, name: &str) -> Option<&mut Self> {
        match self {
            Self::Object(members) => members.iter_mut().find(|(member, _)| member == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Gives an object this member, in its place if it is there already. Anything else stays as it is.
    pub fn set(&mut self, name: &str, value: Self) {
        if let Some(old) = self.get_mut(name) {
            *old = value;
        } else if let Self::Object(members) = self {
            members.push((Cow::Owned(name.into()), value));
        }
    }

    /// Takes a member out of an object.
    pub fn remove(&mut self, name: &str) -> Option<Self> {
        let Self::Object(members) = self else { return None };
        let at = members.iter().position(|(member, _)| member == name)?;
        Some(members.remove(at).1)
    }

    /// What JSON calls a value of this sort.
    #[must_use]
    pub const fn sort(&self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Bool(_) => "a boolean",
            Self::Number(_) => "a number",
            Self::Text(_) => "a string",
            Self::Array(_) => "an array",
            Self::Object(_) => "an object",
        }
    }

    /// About how many bytes it is as text: never less than half.
    #[must_use]
    pub fn size(&self) -> usize {
        match self {
            Self::Null | Self::Bool(_) => 4,
            Self::Number(digits) => digits.len(),
            Self::Text(text) => text.len() + 2,
            Self::Array(items) => 2 + items.iter().map(|item| item.size() + 1).sum::<usize>(),
            Self::Object(members) => {
                2 + members.iter().map(|(name, value)| name.len() + 4 + value.size()).sum::<usize>()
            }
        }
    }

    /// How many values it is, with all that it holds.
    #[must_use]
    pub fn count(&self) -> usize {
        match self {
            Self::Array(items) => 1 + items.iter().map(Self::count).sum::<usize>(),
            Self::Object(members) => 1 + members.iter().map(|(_, value)| value.count()).sum::<usize>(),
            _ => 1,
        }
    }

    /// How many levels of arrays and objects it has.
    #[must_use]
    pub fn depth(&self) -> usize {
        match self {
            Self::Array(items) => 1 + items.iter().map(Self::depth).max().unwrap_or_default(),
            Self::Object(members) => 1 + members.iter().map(|(_, value)| value.depth()).max().unwrap_or_default(),
            _ => 0,
        }
    }
}
