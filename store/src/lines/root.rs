//! The root of a month: what the ledger was when the month was closed, vouched for by somebody who is not the database.
//! Whoever has only the database can change every line and every hash, but makes no root.

use super::block::Hash;
use super::month::Month;
use rules::moment::Moment;

/// What a month was when it was closed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MonthRoot {
    pub month: Month,
    /// The number of its first line, or of the line that would have been.
    pub first: i64,
    /// The number of its last line; one less than the first, where it has none.
    pub last: i64,
    /// Of its last line, or of the last line before it.
    pub hash: Hash,
    pub closed_at: Moment,
    /// When and by what its lines were dropped.
    pub removal: Option<Removal>,
    pub seal: Seal,
}

/// That the lines of a month were dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Removal {
    pub at: Moment,
    /// The setting that had them dropped.
    pub by: String,
}

/// An authenticated value, and the key that it was made with.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Seal {
    pub key: String,
    pub tag: Vec<u8>,
}

/// Whether a seal is good.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SealState {
    Good,
    Broken,
    /// Its key is not known here.
    OtherKey,
}

/// Who vouches for roots: whoever has the key ring, of which the store knows nothing.
pub trait Notary: std::fmt::Debug + Send + Sync {
    /// Makes a seal; none, where there is no key to do so.
    fn seal(&self, content: &[u8]) -> Option<Seal>;

    fn examine(&self, content: &[u8], seal: &Seal) -> SealState;
}

impl MonthRoot {
    /// How many lines the month has.
    #[must_use]
    pub const fn lines(&self) -> i64 {
        self.last - self.first + 1
    }

    /// All that the seal vouches for. Every part but the last has one length, so that no two roots read alike.
    pub(crate) fn content(&self) -> Vec<u8> {
        let mut content = b"recordgate ledger month 1\0".to_vec();
        for number in [self.month.number(), self.first, self.last, self.closed_at.0] {
            content.extend(number.to_be_bytes());
        }
        content.extend(self.hash);
        if let Some(Removal { at, by }) = &self.removal {
            content.extend(at.0.to_be_bytes());
            content.extend(by.as_bytes());
        }
        content
    }

    /// The same root with a seal of its own; none, where there is nobody to make it.
    pub(crate) fn sealed(mut self, notary: &dyn Notary) -> Option<Self> {
        self.seal = notary.seal(&self.content())?;
        Some(self)
    }

    /// Whether its seal is good, as far as this notary can tell.
    pub fn examined(&self, notary: &dyn Notary) -> SealState {
        notary.examine(&self.content(), &self.seal)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn whatever_is_changed_about_a_root_changes_what_is_sealed() {
        let root = MonthRoot {
            month: Month::named("2026-09").unwrap(),
            first: 1,
            last: 7,
            hash: [3; 32],
            closed_at: Moment(5),
            removal: None,
            seal: Seal::default(),
        };
        let dropped = |at: i64, by: &str| Some(Removal { at: Moment(at), by: by.into() });
        let others = [
            MonthRoot { month: root.month.next(), ..root.clone() },
            MonthRoot { first: 2, ..root.clone() },
            MonthRoot { last: 8, ..root.clone() },
            MonthRoot { hash: [4; 32], ..root.clone() },
            MonthRoot { closed_at: Moment(6), ..root.clone() },
            MonthRoot { removal: dropped(1, "a"), ..root.clone() },
            MonthRoot { removal: dropped(2, "a"), ..root.clone() },
            MonthRoot { removal: dropped(1, "b"), ..root.clone() },
            MonthRoot { removal: dropped(1, ""), ..root.clone() },
        ];
        let contents: HashSet<Vec<u8>> = others.iter().chain([&root]).map(MonthRoot::content).collect();
        assert_eq!(contents.len(), others.len() + 1);
    }
}
