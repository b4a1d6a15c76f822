//! What a scope permits with items of a type: `cruds` in that order, or a word of SMART's first version.

use alloc::string::String;

/// What is done with items of a type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ItemInteraction {
    Create,
    /// Read, a version, the history of one.
    Read,
    /// Update, patch, and update of what is not there yet.
    Update,
    Delete,
    /// Search, and the history of a type or of all.
    Search,
}

impl ItemInteraction {
    pub const ALL: [Self; 5] = [Self::Create, Self::Read, Self::Update, Self::Delete, Self::Search];

    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Create => 'c',
            Self::Read => 'r',
            Self::Update => 'u',
            Self::Delete => 'd',
            Self::Search => 's',
        }
    }
}

/// Several interactions.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Permissions(u8);

/// SMART's first version.
const FIRST_VERSION: [(&str, Permissions); 3] =
    [("read", Permissions::READ), ("write", Permissions::WRITE), ("*", Permissions::ALL)];

impl Permissions {
    pub const NONE: Self = Self(0);
    /// To be shown an item whichever way it is asked for; `read` of the first version.
    pub const READ: Self = Self::of(ItemInteraction::Read).with(Self::of(ItemInteraction::Search));
    /// `write` of the first version.
    pub const WRITE: Self = Self(Self::ALL.0 & !Self::READ.0);
    pub const ALL: Self = Self(0b1_1111);

    #[must_use]
    pub const fn of(interaction: ItemInteraction) -> Self {
        Self(1 << interaction as u8)
    }

    #[must_use]
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    #[must_use]
    pub const fn and(self, other: Self) -> Self {
        Self(self.0 & other.0)
    }

    #[must_use]
    pub const fn contains(self, others: Self) -> bool {
        self.0 & others.0 == others.0
    }

    #[must_use]
    pub const fn is_none(self) -> bool {
        self.0 == 0
    }

    /// As a scope spells them, and whether that is the first version's way.
    #[must_use]
    pub fn named(text: &str) -> Option<(Self, bool)> {
        if let Some((_, permissions)) = FIRST_VERSION.into_iter().find(|(word, _)| *word == text) {
            return Some((permissions, true));
        }
        let mut letters = text.chars().peekable();
        let found = ItemInteraction::ALL.into_iter().filter(|known| letters.next_if_eq(&known.letter()).is_some());
        let found = found.fold(Self::NONE, |all, one| all.with(Self::of(one)));
        (letters.peek().is_none() && !found.is_none()).then_some((found, false))
    }

    /// `cruds`, as far as they are there.
    #[must_use]
    pub fn letters(self) -> String {
        let there = ItemInteraction::ALL.into_iter().filter(|one| self.contains(Self::of(*one)));
        there.map(ItemInteraction::letter).collect()
    }

    /// The word of the first version for exactly these.
    pub(super) fn first_version(self) -> Option<&'static str> {
        FIRST_VERSION.into_iter().find(|(_, known)| *known == self).map(|(word, _)| word)
    }
}
