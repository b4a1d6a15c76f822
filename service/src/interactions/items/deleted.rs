//! What was deleted of a record since a moment, for those who keep a copy of it.

use super::background::{ItemBackground, ItemVersion};
use super::kind::ItemKind;
use super::record::ItemRecord;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use fhir::values::span::Span;
use rules::moment::Moment;
use rules::rest_faults::MOST_LISTED;
use std::collections::HashSet;
use store::history::type_history::{self, HistoryPosition};
use store::history::versions;
use store::history::window::HistoryWindow;
use views::item::DeletedItem;

const ROWS: i64 = 200;

/// The items of this kind that were deleted since one moment, and until the other if it is known, and that are deleted now.
pub(crate) async fn between<K: ItemKind>(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (since, until): (Span, Option<Moment>),
) -> Result<Vec<DeletedItem>, ApiStop> {
    let window = HistoryWindow::of(Some(since), None);
    let window = HistoryWindow { until: until.map_or(window.until, |until| until.0.saturating_add(1)), ..window };
    let mut deleted = Vec::new();
    for of in K::TYPES {
        deleted.extend(of_type::<K>(app, caller, record, (*of, &window)).await?);
    }
    Ok(deleted)
}

async fn of_type<K: ItemKind>(
    app: &App,
    caller: &Caller,
    record: &ItemRecord,
    (of, window): (ResourceType, &HistoryWindow),
) -> Result<Vec<DeletedItem>, ApiStop> {
    let background = ItemBackground::begin::<K>(app, caller, &record.patient).await?;
    let (mut deleted, mut seen, mut behind) = (Vec::new(), HashSet::new(), None);
    loop {
        let page =
            type_history::changes(&app.store, caller.reach(), Some(of), (window, behind, ROWS), caller.now()).await;
        let page = page.during("listing what was deleted")?;
        let is_last = !page.is_full && i64::try_from(page.entries.len()).unwrap_or(i64::MAX) < ROWS;
        behind = page.entries.last().map(|last| HistoryPosition::of(last));
        for version in page.entries {
            let is_newest = seen.insert(version.row.0);
            if !is_newest || !version.is_deleted || !version.patients().any(|patient| patient == record.number) {
                continue;
            }
            // Of what kind it was, the version before tells.
            let named = (of, version.id.as_str());
            let before = versions::read(&app.store, caller.reach(), named, version.version - 1, caller.now()).await;
            let before = before.during("reading what was deleted")?;
            if before.is_some_and(|before| background.show::<K>(ItemVersion::of(&before)).is_some()) {
                deleted.push(DeletedItem::new(of.name(), &version.id, &when::rfc3339(version.updated_at)));
            }
        }
        if is_last || behind.is_none() || deleted.len() > MOST_LISTED {
            return Ok(deleted);
        }
    }
}
