//! A `scope` of several words: what it asks for in SMART's way, and what a session has kept of it.

use crate::ids::PatientId;
use crate::scope::{Scope, is_word_of_smart};
use crate::smart::lens::{self, Lens};
use crate::smart::word::{ResourceScope, SmartScope};
use alloc::string::{String, ToString};
use alloc::vec::Vec;

/// Which types there are, and by which token parameters each is found: what FHIR says, and these rules do not know.
#[derive(Clone, Copy, Debug)]
pub struct Vocabulary {
    pub is_type: fn(&str) -> bool,
    pub has_token: fn(of: &str, parameter: &str) -> bool,
}

/// The words of a `scope`, sorted.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SmartScopes {
    /// Whether a word of the contract is among them: it opens everything, unless scopes beside it say less.
    pub has_contract_word: bool,
    /// Whether there is anything of SMART or OpenID Connect, understood or not.
    pub has_smart_word: bool,
    /// What is understood, in the order of the text, each once.
    pub scopes: Vec<SmartScope>,
}

/// The most scopes that are looked at; what is behind them is left out.
pub const MOST_SCOPES: usize = 64;

impl Vocabulary {
    /// Whether a scope speaks of what there is.
    #[must_use]
    pub fn knows(&self, scope: &SmartScope) -> bool {
        let Some(ResourceScope { of: Some(of), query, .. }) = scope.resource() else { return true };
        let criteria = query.iter().flat_map(|query| query.criteria());
        (self.is_type)(of) && criteria.map(|one| one.parameter.word()).all(|word| (self.has_token)(of, word))
    }
}

impl SmartScopes {
    /// What a request asks for. What is not understood is left out.
    #[must_use]
    pub fn asked(text: &str, vocabulary: &Vocabulary) -> Self {
        let mut asked = Self::kept(text);
        asked.scopes.retain(|scope| vocabulary.knows(scope));
        asked
    }

    /// What was granted, as a session has kept it.
    #[must_use]
    pub fn kept(text: &str) -> Self {
        let mut sorted = Self::default();
        for word in text.split(' ') {
            sorted.has_contract_word |= Scope::named(word).is_some();
            sorted.has_smart_word |= is_word_of_smart(word);
            if let Some(scope) = SmartScope::read(word).filter(|scope| !sorted.scopes.contains(scope))
                && sorted.scopes.len() < MOST_SCOPES
            {
                sorted.scopes.push(scope);
            }
        }
        sorted
    }

    /// Whether it is a SMART request: one with words of SMART or OpenID Connect, and none of the contract.
    #[must_use]
    pub const fn is_smart(&self) -> bool {
        self.has_smart_word && !self.has_contract_word
    }

    #[must_use]
    pub fn has(&self, scope: &SmartScope) -> bool {
        self.scopes.contains(scope)
    }

    /// The lens of a session to which this was granted, about this patient. Where a word of the contract stands alone, or beside
    /// scopes that open no items, there is none; without one, nothing is seen but what a scope opens.
    #[must_use]
    pub fn lens(&self, patient: Option<PatientId>) -> Option<Lens> {
        self.has_lens().then(|| Lens::of(lens::openings(&self.scopes), patient))
    }

    /// The same of a session that is about its user's own record: `fhirUser` opens the user's own Patient.
    #[must_use]
    pub fn own_lens(&self, patient: PatientId) -> Option<Lens> {
        self.has_lens().then(|| Lens::of_part(&self.scopes, Some(patient)))
    }

    fn has_lens(&self) -> bool {
        !self.has_contract_word || self.scopes.iter().any(|scope| scope.resource().is_some())
    }
}

/// Scopes as a `scope` has them.
#[must_use]
pub fn spelt(scopes: &[SmartScope]) -> String {
    scopes.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")
}
