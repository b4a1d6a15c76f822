//! What is read beside items, all that a list needs of it at once.

use super::kind::{Companion, Criterion, ItemKind, LABORATORY_REPORTS, of_patient};
use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use crate::interactions::search::query;
use crate::voices::api::ApiStop;
use fhir::search::controls::SortKey;
use fhir::search::query::Query;
use fhir::types::ResourceType;
use rules::rest_faults::MOST_LISTED;
use rules::smart::permissions::Permissions;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::search::multi_type;
use store::stored::resource::Resource;

/// Rows of a look at the store: as many as are remembered, then more.
const FIRST_ROWS: i64 = 101;
const FURTHER_ROWS: i64 = 1000;

/// How many of the things that items name are read: as many as the items of a list can name.
const MOST_NAMED: usize = 500;

/// What there is beside items.
#[derive(Clone, Debug, Default)]
pub(crate) struct ItemCompanions {
    pub reports: Vec<Arc<Resource>>,
    /// Medications and DocumentReferences.
    pub named: Vec<Arc<Resource>>,
}

/// The query of these criteria.
pub(crate) fn queried(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    criteria: &[Criterion],
) -> Result<(Query, Vec<SortKey>), ApiStop> {
    let sent: Vec<query::Sent> = criteria.iter().map(|(name, value)| ((*name).to_owned(), value.clone())).collect();
    let (query, controls) = query::read_with(app, of, &sent, caller, &[])?;
    Ok((query, controls.sort))
}

/// All that meets criteria, up to as many as a list can have.
pub(crate) async fn all(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    criteria: &[Criterion],
) -> Result<Vec<Arc<Resource>>, ApiStop> {
    let parts = [queried(app, caller, of, criteria)?];
    let (mut found, mut after, mut rows) = (Vec::new(), None, FIRST_ROWS);
    loop {
        let page = multi_type::page(&app.store, caller.reach(), &parts, (after.as_ref(), rows), caller.now()).await;
        let page = page.during("listing a record")?;
        let is_last = !page.is_full && i64::try_from(page.entries.len()).unwrap_or(i64::MAX) < rows;
        after = page.entries.last().map(|last| last.place.clone());
        found.extend(page.entries.into_iter().map(|one| one.resource));
        if is_last || after.is_none() || found.len() > MOST_LISTED {
            return Ok(found);
        }
        rows = FURTHER_ROWS;
    }
}

/// The laboratory reports of a record that the caller sees, where the kind takes any.
pub(crate) async fn reports<K: ItemKind>(
    app: &App,
    caller: &Caller,
    patient: &str,
) -> Result<Vec<Arc<Resource>>, ApiStop> {
    // Reports out of a session's scopes are as if they were not there.
    let is_granted = caller.must_be_granted(ResourceType::DiagnosticReport.name(), Permissions::READ).is_ok();
    if !(is_granted && K::COMPANIONS.contains(&Companion::Reports)) {
        return Ok(Vec::new());
    }
    let category = ("category", LABORATORY_REPORTS.to_owned());
    all(app, caller, ResourceType::DiagnosticReport, &[of_patient(patient), category]).await
}

/// What items of these bodies name, where the kind takes any of it.
pub(crate) async fn named<K: ItemKind>(
    app: &App,
    caller: &Caller,
    bodies: &[&str],
) -> Result<Vec<Arc<Resource>>, Trouble> {
    let mut found = Vec::new();
    for (companion, of) in
        [(Companion::Medication, ResourceType::Medication), (Companion::Documents, ResourceType::DocumentReference)]
    {
        if !K::COMPANIONS.contains(&companion) {
            continue;
        }
        for id in references(bodies, of).into_iter().take(MOST_NAMED) {
            let read = store::read::read(&app.store, caller.reach(), of, &id, caller.now()).await;
            found.extend(read.during("reading what an item names")?);
        }
    }
    Ok(found)
}

/// The ids of this type that the texts of items refer to.
fn references(bodies: &[&str], of: ResourceType) -> BTreeSet<String> {
    let (mark, mut ids) = (format!("{}/", of.name()), BTreeSet::new());
    for body in bodies {
        for (at, _) in body.match_indices(mark.as_str()) {
            let rest = body.get(at + mark.len()..).unwrap_or_default();
            let id: String = rest.chars().take_while(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '.')).collect();
            if fhir::reference::is_id(&id) {
                ids.insert(id);
            }
        }
    }
    ids
}
