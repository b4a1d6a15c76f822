//! What users' own parameters find in a resource, as rows of the index: by all definitions that the transaction of a write sees.

use super::own_parameters::{self, Filling, OwnDefinition};
use crate::engine::Tx;
use crate::error::Result;
use fhir::custom::definition;
use fhir::extraction::further_row::{OwnColumn, own_rows};
use fhir::extraction::index_row::IndexRow;
use fhir::parameters::parameter::OWN;
use fhir::types::ResourceType;
use std::sync::Arc;

/// The parameters whose values are written.
#[derive(Debug, Default)]
pub(crate) struct OwnIndex {
    known: Vec<OwnColumn>,
}

impl OwnIndex {
    /// Those that are defined now. The one writer has them at hand from write to write: whoever changes them has it look anew, and
    /// what is taken back takes with it what is at hand. One that this process cannot know any more is given up by all, with this
    /// transaction.
    pub(crate) async fn of(tx: &mut Tx<'_>) -> Result<Arc<Self>> {
        let at_hand: Option<Box<Arc<Self>>> = tx.take_from_hand(own_parameters::AT_HAND);
        let own = match at_hand {
            Some(at_hand) => *at_hand,
            None => Arc::new(Self::read(tx).await?),
        };
        tx.keep_at_hand(own_parameters::AT_HAND, Box::new(own.clone()));
        Ok(own)
    }

    async fn read(tx: &mut Tx<'_>) -> Result<Self> {
        let mut known = Vec::new();
        for defined in own_parameters::in_use(tx).await? {
            match (defined.filling, definition::parameter(OWN, &defined.line)) {
                (Filling::Never, _) => {}
                (_, Some(parameter)) => known.push((defined.number, defined.of, parameter)),
                (_, None) => own_parameters::give_up(tx, defined.number).await?,
            }
        }
        Ok(Self { known })
    }

    /// Those of some definitions; none where this process cannot know one of them.
    pub(crate) fn of_definitions<'d>(definitions: impl IntoIterator<Item = &'d OwnDefinition>) -> Option<Self> {
        let known = definitions
            .into_iter()
            .map(|defined| Some((defined.number, defined.of, definition::parameter(OWN, &defined.line)?)));
        Some(Self { known: known.collect::<Option<_>>()? })
    }

    /// The numbers of the parameters.
    pub(crate) fn numbers(&self) -> impl Iterator<Item = u32> {
        self.known.iter().map(|(number, ..)| *number)
    }

    /// The rows of a resource with this body, as it is stored.
    pub(crate) fn rows(&self, of: ResourceType, body: &str, base: &str) -> Vec<IndexRow> {
        own_rows(of, body, base, &self.known)
    }
}
