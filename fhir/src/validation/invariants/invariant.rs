//! One invariant.

use crate::validation::invariants::scope::Scope;

/// A rule that HL7 gives an element, by its key.
#[derive(Debug)]
pub(crate) struct Invariant {
    pub key: &'static str,
    /// The type, or the part of one, that it is about.
    pub on: &'static str,
    /// What it says, for whoever broke it.
    pub human: &'static str,
    pub holds: fn(&Scope<'_, '_>) -> bool,
}
