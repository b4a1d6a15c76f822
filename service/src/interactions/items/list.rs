//! Lists of items: those of a record that the caller sees, the newest clinical date first, whole or page by page. Of a page, only as
//! much is read as decides what is on it, where the store has the order of the kind's dates.

use super::background::{ItemBackground, Listed};
use super::companions;
use super::deleted;
use super::kind::{Criterion, ItemKind, of_patient};
use super::record::ItemRecord;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::interactions::inquiries;
use crate::interactions::noted::Noted;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::noted::Outcome;
use rules::rest_errors::RestError;
use rules::rest_faults::{MOST_LISTED, ShapeFault};
use std::collections::HashSet;
use std::sync::Arc;
use store::search::multi_type;
use store::search::sort::{Cursor, CursorKey};
use store::stored::resource::Resource;
use store::write::moment::settled_until;
use views::item::DeletedItem;
use views::list::ListQuery;
use views::order::ListKey;
use views::view::Shown;

/// Rows that are read beyond a page: items of one day, or of another kind, may stand between.
const MARGIN: i64 = 20;

/// What a list is asked for.
#[derive(Debug)]
pub(crate) struct ListRequest<'r> {
    pub record: &'r ItemRecord,
    pub query: &'r ListQuery,
    /// Behind which item it begins.
    pub after: Option<ListKey>,
    /// What the store is asked for; several are asked one by one, and what several find is there once.
    pub criteria: Vec<Vec<Criterion>>,
}

/// A page of a list, or all of it.
#[derive(Debug)]
pub(crate) struct ListPage<K> {
    pub items: Vec<Shown<K>>,
    /// What was deleted, on the last page of a list with `since`.
    pub deleted: Vec<DeletedItem>,
    /// The last item, where there is more.
    pub next: Option<ListKey>,
}

/// The items of a record that are asked for. `is_wanted` is what the operation asks beside the filters of every list.
pub(crate) async fn list<K: ItemKind>(
    app: &App,
    caller: &Caller,
    request: ListRequest<'_>,
    is_wanted: impl Fn(&K) -> bool + Send + Sync,
) -> Result<ListPage<K>, ApiStop> {
    let settled = match &request.query.since {
        Some(_) => settled_until(&app.store).await.during("asking up to when all is stored")?,
        None => None,
    };
    let mut background = ItemBackground::begin::<K>(app, caller, &request.record.patient).await?;
    let mut listed: Vec<Listed<K>> = Vec::new();
    for of in K::TYPES {
        for criteria in &request.criteria {
            // Whoever asks since when the newest was stored must not find later what was stored before it.
            let until = settled.map(|settled| ("_lastUpdated", format!("le{}", when::rfc3339(settled))));
            let criteria: Vec<Criterion> = criteria.iter().cloned().chain(until).collect();
            let criteria = &criteria;
            let found = find::<K>(app, caller, *of, (&request, criteria), &mut background, &is_wanted).await?;
            listed.extend(found);
        }
    }
    listed.sort_by(|one, other| one.key.cmp(&other.key));
    listed.dedup_by(|one, other| one.resource.row == other.resource.row);
    listed.retain(|one| request.after.as_ref().is_none_or(|after| one.key > *after));
    let most = request.query.limit.unwrap_or(MOST_LISTED);
    let is_more = listed.len() > most;
    if is_more && request.query.limit.is_none() {
        return Err(RestError::BadRequest(ShapeFault::TooManyItems.words()).into());
    }
    listed.truncate(most);
    let next = listed.last().filter(|_| is_more).map(|last| last.key.clone());
    let deleted = match &request.query.since {
        Some((_, since)) if next.is_none() => {
            deleted::between::<K>(app, caller, request.record, (*since, settled)).await?
        }
        _ => Vec::new(),
    };
    note(app, caller, &request, &listed, &background)?;
    Ok(ListPage { items: listed.into_iter().map(|one| one.shown).collect(), deleted, next })
}

/// Notes what is shown, and that it was asked for where nothing is.
fn note<K: ItemKind>(
    app: &App,
    caller: &Caller,
    request: &ListRequest<'_>,
    listed: &[Listed<K>],
    background: &ItemBackground,
) -> Result<(), ApiStop> {
    let reports: HashSet<&str> = listed.iter().filter_map(|one| one.shown.view.report()).collect();
    let beside = background.reports(&reports);
    let shown: Vec<Arc<Resource>> = listed.iter().map(|one| one.resource.clone()).chain(beside).collect();
    let shown = Noted::all(app, caller, shown);
    let mut queries = Vec::new();
    for of in K::TYPES {
        queries.push(companions::queried(app, caller, *of, &[of_patient(&request.record.patient)])?.0);
    }
    inquiries::searched((app, caller), queries.iter(), Outcome::Withheld, &shown);
    Ok(())
}

/// What of one type is on the page, and perhaps more behind it.
async fn find<K: ItemKind>(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    (request, criteria): (&ListRequest<'_>, &[Criterion]),
    background: &mut ItemBackground,
    is_wanted: &(impl Fn(&K) -> bool + Sync),
) -> Result<Vec<Listed<K>>, ApiStop> {
    let mut sent = vec![of_patient(&request.record.patient)];
    sent.extend(criteria.iter().cloned());
    if let Some((_, since)) = &request.query.since {
        sent.push(("_lastUpdated", format!("ge{}", instant(since.low))));
    }
    let walk = request.query.limit.and_then(|limit| Some((limit, K::DATE?)));
    let Some((limit, date)) = walk else {
        let found = companions::all(app, caller, of, &sent).await?;
        return describe(app, caller, background, found, (request.query, is_wanted)).await;
    };
    let begins = request.after.as_ref().map(|after| after.date);
    if let Some(Some(last)) = begins {
        // What began by then, and perhaps what began within the same millisecond.
        sent.push((date, format!("lt{}", instant(last.saturating_add(1000)))));
    }
    sent.push(("_sort", format!("-{date}")));
    let parts = [companions::queried(app, caller, of, &sent)?];
    let mut rows = i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(MARGIN);
    let (mut listed, mut place): (Vec<Listed<K>>, Option<Cursor>) = (Vec::new(), None);
    loop {
        let page = multi_type::page(&app.store, caller.reach(), &parts, (place.as_ref(), rows), caller.now()).await;
        let page = page.during("listing a record")?;
        let is_last = !page.is_full && i64::try_from(page.entries.len()).unwrap_or(i64::MAX) < rows;
        let last = page.entries.last().map(|last| last.place.clone());
        let found = page.entries.into_iter().map(|one| one.resource).collect();
        listed.extend(describe(app, caller, background, found, (request.query, is_wanted)).await?);
        let Some(last) = last.filter(|_| !is_last) else { return Ok(listed) };
        // What comes later ended no later than the last, so that it began no later either.
        let end = match last.keys.first() {
            Some(Some(CursorKey::Number(end))) => *end,
            _ => i64::MIN,
        };
        let is_certain = |one: &&Listed<K>| {
            one.key.date.is_some_and(|begin| begin > end) && request.after.as_ref().is_none_or(|after| one.key > *after)
        };
        if listed.iter().filter(is_certain).count() > limit {
            return Ok(listed);
        }
        (place, rows) = (Some(last), rows.saturating_mul(2).min(MOST_ROWS));
    }
}

/// The most rows of one look.
const MOST_ROWS: i64 = 2000;

/// Shows what was found, away from other requests where that takes long.
async fn describe<K: ItemKind>(
    app: &App,
    caller: &Caller,
    background: &mut ItemBackground,
    found: Vec<Arc<Resource>>,
    (query, is_wanted): (&ListQuery, &(impl Fn(&K) -> bool + Sync)),
) -> Result<Vec<Listed<K>>, ApiStop> {
    background.learn::<K>(app, caller, &found).await?;
    let bytes = found.iter().map(|one| one.body.len()).sum();
    let (known, query) = (background.clone(), query.clone());
    let mut listed = app.workers.run(caller.taker(), bytes, move || known.listed::<K>(found, &query)).await?;
    listed.retain(|one| is_wanted(&one.shown.view));
    Ok(listed)
}

/// A moment in microseconds, as a search takes it.
fn instant(micros: i64) -> String {
    when::rfc3339(Moment(micros.div_euclid(1000)))
}
