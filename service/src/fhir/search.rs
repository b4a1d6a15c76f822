//! Searching: what the parameters ask for, found within the caller's reach, in the order of our own numbers.

use crate::app::App;
use crate::fhir::tokens::IDENTIFIER;
use crate::reference;
use rules::reach::Reach;
use std::sync::Arc;
use store::Result;
use store::records::Resource;
use store::searching::{self, Sought, TokenAsked};

/// What is looked for: resources with one of the ids, with one of the identifiers, or with both.
#[derive(Debug)]
pub(super) struct Criteria {
    pub ids: Option<Vec<String>>,
    pub identifiers: Option<Vec<TokenAsked>>,
}

/// At most `limit` of them, from after the row `after`.
pub(super) async fn find(
    app: &App,
    reach: &Reach,
    type_name: &str,
    Criteria { ids, identifiers }: Criteria,
    after: i64,
    limit: i64,
) -> Result<Vec<Arc<Resource>>> {
    // What is no id is nobody's.
    let ids: Option<Vec<String>> = ids.map(|ids| ids.into_iter().filter(|id| reference::is_id(id)).collect());
    if ids.as_ref().is_some_and(Vec::is_empty) {
        return Ok(Vec::new());
    }
    let tokens = identifiers.as_deref().map(|identifiers| (IDENTIFIER, identifiers));
    searching::search(&app.store, reach, &Sought { type_name, ids: ids.as_deref(), tokens }, after, limit).await
}
