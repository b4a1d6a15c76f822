//! What of a query no index answers: it is asked of the resources themselves, of those that the rest of the query finds.

use crate::search::evaluation::asked;
use crate::search::query::{Clause, Condition, Query};
use crate::search::wording::is_of_words;
use serde_json::Value;

/// A query apart: what an index answers, and what is asked of each resource that it finds.
#[derive(Clone, Debug)]
pub struct Sieve {
    /// What is left for the index.
    pub rest: Query,
    conditions: Vec<Condition>,
}

impl Sieve {
    /// None where an index answers all of it. What stands behind a chain or `_has` is not taken out of it: whoever reads queries
    /// refuses it there.
    #[must_use]
    pub fn of(query: &Query) -> Option<Self> {
        let sifted = |clause: &Clause| matches!(clause, Clause::Own(condition) if is_sifted(condition));
        if !query.clauses.iter().any(sifted) {
            return None;
        }
        let mut rest = query.clone();
        let conditions = rest.clauses.extract_if(.., |clause| sifted(clause)).filter_map(|clause| match clause {
            Clause::Own(condition) => Some(condition),
            _ => None,
        });
        let conditions = conditions.collect();
        Some(Self { rest, conditions })
    }

    /// Whether a stored resource is as the conditions say.
    #[must_use]
    pub fn lets_pass(&self, body: &str) -> bool {
        let resource: Value = serde_json::from_str(body).unwrap_or_default();
        self.conditions.iter().all(|condition| asked(condition, &resource, &self.rest.base))
    }
}

/// Whether a condition is asked of resources, and not of an index.
#[must_use]
pub fn is_sifted(condition: &Condition) -> bool {
    is_of_words(condition) || !condition.parameter.is_indexed()
}
