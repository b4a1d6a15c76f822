//! What the index has of users' own parameters, beside what follows from bodies and from how far each is filled.

use crate::error::Result;
use crate::records::index::own_parameters::{Filling, OwnDefinition};
use crate::records::index::own_rows::OwnIndex;
use crate::sql::statement::statements;
use crate::store::Store;
use fhir::extraction::index_row::{FACETS, IndexRow};
use fhir::parameters::parameter::FIRST_OWN;
use fhir::preparation::Preparation;
use std::collections::BTreeSet;

statements! {
    ALL = "SELECT number, resource_id, type, line, state, filled FROM own_parameters WHERE state <= 3 ORDER BY number";
}

/// All that is defined, and what was and still has values.
pub(super) struct OwnValues(Vec<OwnDefinition>);

/// Whether a row is a value of a user's own parameter.
pub(super) fn is_own(row: &IndexRow) -> bool {
    row.parameter >= i64::from(FIRST_OWN) * FACETS
}

impl OwnValues {
    pub(super) async fn of(store: &Store) -> Result<Self> {
        Ok(Self(store.db.read(ALL, &[], OwnDefinition::read).await?.into_iter().flatten().collect()))
    }

    /// Whether these rows of a resource are those that there have to be. A parameter that is not being filled may have any.
    pub(super) fn are_right(
        &self,
        row: i64,
        (content, body): (&Preparation, &str),
        stored: &BTreeSet<IndexRow>,
    ) -> bool {
        let mut rest: BTreeSet<&IndexRow> = stored.iter().filter(|row| is_own(row)).collect();
        self.0.iter().all(|defined| {
            let number = i64::from(defined.number);
            let (own, others) = rest.iter().partition(|row| row.parameter / FACETS == number);
            rest = others;
            let own: BTreeSet<&IndexRow> = own;
            let may_be_missing = defined.filling == Filling::Begun && row > defined.filled && own.is_empty();
            if defined.filling == Filling::Never || may_be_missing {
                return true;
            }
            let Some(index) = OwnIndex::of_definitions([defined]) else { return true };
            let expected: BTreeSet<IndexRow> =
                index.rows(content.resource_type, body, &content.base).into_iter().collect();
            own.into_iter().eq(&expected)
        }) && rest.is_empty()
    }
}
