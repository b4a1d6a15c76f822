//! A resource to store.

use fhir::preparation::Preparation;
use rules::labels::Needs;

/// A resource to store. Its body is cut where `versionId`, `lastUpdated` and `source` go, because only the transaction
/// knows them.
#[derive(Clone, Debug)]
pub struct NewResource {
    pub content: Preparation,
    /// The labels that it takes to see it.
    pub needs: Needs,
}
