//! The query of a scope: which items of a type it opens. Few parameters, each a code or `system|code`, all of which must match.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// A parameter that the query of a scope may have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ScopeParameter {
    Category,
    ClinicalStatus,
    Code,
    Status,
    Type,
}

impl ScopeParameter {
    pub const ALL: [Self; 5] = [Self::Category, Self::ClinicalStatus, Self::Code, Self::Status, Self::Type];

    /// The search parameter's name.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Category => "category",
            Self::ClinicalStatus => "clinical-status",
            Self::Code => "code",
            Self::Status => "status",
            Self::Type => "type",
        }
    }

    #[must_use]
    pub fn named(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|parameter| parameter.word() == word)
    }
}

/// One parameter and the code that it must have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeCriterion {
    pub parameter: ScopeParameter,
    /// `None`: of any system.
    pub system: Option<String>,
    pub code: String,
}

/// What must hold for an item, all of it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeQuery(Vec<ScopeCriterion>);

/// A code of an item, under the parameter that finds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ItemCode {
    pub parameter: ScopeParameter,
    pub system: Option<String>,
    pub code: String,
}

/// The most criteria of one query.
pub const MOST_CRITERIA: usize = 4;

impl ScopeQuery {
    /// `None` where something of it is not understood. Modifiers, alternatives, escapes and missing halves are not.
    #[must_use]
    pub fn read(text: &str) -> Option<Self> {
        let criteria: Option<Vec<ScopeCriterion>> = text.split('&').map(criterion).collect();
        criteria.filter(|criteria| criteria.len() <= MOST_CRITERIA).map(Self)
    }

    #[must_use]
    pub fn criteria(&self) -> &[ScopeCriterion] {
        &self.0
    }

    /// Whether an item with these codes is one of those that it opens.
    #[must_use]
    pub fn finds(&self, codes: &[ItemCode]) -> bool {
        let meets = |criterion: &ScopeCriterion, own: &ItemCode| {
            (own.parameter, &own.code) == (criterion.parameter, &criterion.code)
                && (criterion.system.is_none() || own.system == criterion.system)
        };
        self.0.iter().all(|criterion| codes.iter().any(|own| meets(criterion, own)))
    }

    /// Where both hold; `None` where that are more criteria than a query may have.
    #[must_use]
    pub(super) fn and(&self, other: &Self) -> Option<Self> {
        let further = other.0.iter().filter(|criterion| !self.0.contains(criterion));
        let criteria: Vec<ScopeCriterion> = self.0.iter().chain(further).cloned().collect();
        (criteria.len() <= MOST_CRITERIA).then_some(Self(criteria))
    }

    /// Whether all that matches this matches the other, as far as their criteria show it.
    #[must_use]
    pub(super) fn is_within(&self, other: &Self) -> bool {
        other.0.iter().all(|criterion| self.0.contains(criterion))
    }
}

fn criterion(text: &str) -> Option<ScopeCriterion> {
    let (name, value) = text.split_once('=')?;
    let parameter = ScopeParameter::named(name)?;
    if value.contains([',', '%', '$', '+', '=']) {
        return None;
    }
    let (system, code) = match value.split_once('|') {
        Some((system, code)) => (Some(system), code),
        None => (None, value),
    };
    let is_whole = !code.is_empty() && !code.contains('|') && system != Some("");
    is_whole.then(|| ScopeCriterion { parameter, system: system.map(ToOwned::to_owned), code: code.to_owned() })
}

impl fmt::Display for ScopeQuery {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, ScopeCriterion { parameter, system, code }) in self.0.iter().enumerate() {
            let joint = if at == 0 { "" } else { "&" };
            write!(f, "{joint}{}=", parameter.word())?;
            match system {
                Some(system) => write!(f, "{system}|{code}")?,
                None => write!(f, "{code}")?,
            }
        }
        Ok(())
    }
}
