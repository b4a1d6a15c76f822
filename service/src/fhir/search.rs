//! Searching: what the parameters ask for, found within the caller's reach, in the order of our own numbers.

use crate::fhir::tokens::IDENTIFIER;
use store::searching::{Sought, TokenAsked};

/// What is looked for: resources with one of the ids, with one of the identifiers, or with both; at most `limit` of
/// them, from after the row `after`.
#[derive(Debug)]
pub(super) struct Search {
    pub type_name: &'static str,
    pub ids: Option<Vec<String>>,
    pub identifiers: Option<Vec<TokenAsked>>,
    pub after: i64,
    pub limit: i64,
}

impl Search {
    /// As the store is asked.
    pub(super) fn for_store(&self) -> Sought<'_> {
        let tokens = self.identifiers.as_deref().map(|identifiers| (IDENTIFIER, identifiers));
        let Self { type_name, after, limit, .. } = *self;
        Sought { type_name, ids: self.ids.as_deref(), tokens, after, limit }
    }
}
