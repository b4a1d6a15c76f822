//! Searching: what the parameters ask for, found within the caller's reach, in the order of our own numbers.

use crate::app::App;
use crate::fhir::tokens::IDENTIFIER;
use crate::reference;
use rules::reach::Reach;
use std::sync::Arc;
use store::Result;
use store::records::{self, Resource, TokenAsked};

/// What is looked for: resources with one of the ids, with one of the identifiers, or with both.
#[derive(Debug)]
pub(super) enum Criteria {
    Ids { ids: Vec<String>, identifiers: Option<Vec<TokenAsked>> },
    Identifiers(Vec<TokenAsked>),
}

/// At most `limit` of them, from after the row `after`.
pub(super) async fn find(
    app: &App,
    reach: &Reach,
    type_name: &str,
    criteria: &Criteria,
    after: i64,
    limit: i64,
) -> Result<Vec<Arc<Resource>>> {
    let mut found = Vec::new();
    match criteria {
        Criteria::Ids { ids, identifiers } => {
            for id in ids.iter().filter(|id| reference::is_id(id)) {
                if let Some(one) = records::read(&app.store, reach, type_name, id).await?
                    && !one.deleted
                    && one.row > after
                    && has_any(app, one.row, identifiers.as_deref()).await?
                {
                    found.push(one);
                }
            }
        }
        Criteria::Identifiers(identifiers) => {
            for asked in identifiers {
                let on = (type_name, IDENTIFIER);
                found.extend(records::search(&app.store, reach, on, asked, after, limit).await?);
            }
        }
    }
    found.sort_unstable_by_key(|one| one.row);
    found.dedup_by_key(|one| one.row);
    found.truncate(usize::try_from(limit).unwrap_or_default());
    Ok(found)
}

async fn has_any(app: &App, row: i64, identifiers: Option<&[TokenAsked]>) -> Result<bool> {
    let Some(identifiers) = identifiers else { return Ok(true) };
    for asked in identifiers {
        if records::has_token(&app.store, row, IDENTIFIER, asked).await? {
            return Ok(true);
        }
    }
    Ok(false)
}
