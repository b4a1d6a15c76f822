//! Messages and documents by the moment of storing, so that who asks again and again misses none, however many write at the same
//! time and wherever.

use super::inquiries;
use super::items::across;
use super::items::companions;
use super::items::kind::{ItemKind, of_patient};
use super::items::record::ItemRecord;
use super::noted::Noted;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::moment::Moment;
use rules::noted::Outcome;
use rules::rest_errors::RestError;
use rules::rest_faults::{MOST_LISTED, ShapeFault};
use std::sync::Arc;
use store::search::multi_type::{self, TypedQuery};
use store::stored::resource::Resource;
use store::write::moment::settled_until;
use views::kinds::document::Document;
use views::kinds::message::Message;
use views::view::Shown;

const TYPES: [ResourceType; 2] = [ResourceType::Communication, ResourceType::DocumentReference];

/// What is asked for.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ArrivalsRequest<'r> {
    /// What was stored at this moment or later.
    pub time: Moment,
    /// Of this record; else of all in reach.
    pub record: Option<&'r ItemRecord>,
    pub limit: usize,
}

/// What arrived, in the order in which it was stored.
#[derive(Debug)]
pub(crate) struct Arrivals {
    pub messages: Vec<Shown<Message>>,
    pub documents: Vec<Shown<Document>>,
    /// From when on to ask next.
    pub next: Moment,
}

/// Resources in the order of storing, of which these many are an answer.
struct StoredLater {
    found: Vec<Arc<Resource>>,
    count: usize,
}

impl StoredLater {
    /// As many as are asked for. What was stored at the moment of the last belongs to it, because a moment is all that is said of
    /// where to go on.
    fn end(&self, limit: usize) -> Option<usize> {
        let last = self.found.get(limit.checked_sub(1)?)?.updated_at;
        self.found.iter().position(|one| one.updated_at > last)
    }
}

/// The messages and documents that were stored from a moment on.
pub(crate) async fn after(app: &App, caller: &Caller, asked: ArrivalsRequest<'_>) -> Result<Arrivals, ApiStop> {
    // Asked before anything is read: what is read then is complete up to it.
    let settled = settled_until(&app.store).await.during("asking up to when all is stored")?;
    let mut parts = Vec::new();
    for of in TYPES {
        let mut criteria = vec![("_lastUpdated", format!("ge{}", when::rfc3339(asked.time)))];
        criteria.extend(asked.record.map(|record| of_patient(&record.patient)));
        criteria.push(("_sort", "_lastUpdated".to_owned()));
        parts.push(companions::queried(app, caller, of, &criteria)?);
    }
    let StoredLater { mut found, count } = stored_later(app, caller, &parts, asked.limit).await?;
    let reached = found.get(count).or(found.last()).map(|one| one.updated_at);
    let next = reached.zip(settled).map_or(asked.time, |(reached, settled)| asked.time.max(reached.min(settled)));
    found.truncate(count);
    let (messages, documents) = found.into_iter().partition(|one| one.resource_type == ResourceType::Communication);
    let (messages, mut sources) = in_order::<Message>(app, caller, messages).await?;
    let (documents, beside) = in_order::<Document>(app, caller, documents).await?;
    sources.extend(beside);
    let shown = Noted::all(app, caller, sources);
    inquiries::searched((app, caller), parts.iter().map(|(query, _)| query), Outcome::Withheld, &shown);
    Ok(Arrivals { messages, documents, next })
}

/// Finds them, and at least one beyond the answer where there is more.
async fn stored_later(app: &App, caller: &Caller, parts: &[TypedQuery], limit: usize) -> Result<StoredLater, ApiStop> {
    let mut later = StoredLater { found: Vec::new(), count: 0 };
    let (rows, mut place) = (i64::try_from(limit).unwrap_or(i64::MAX).saturating_add(1), None);
    loop {
        let page = multi_type::page(&app.store, caller.reach(), parts, (place.as_ref(), rows), caller.now()).await;
        let page = page.during("listing what was stored")?;
        let is_last = !page.is_full && i64::try_from(page.entries.len()).unwrap_or(i64::MAX) < rows;
        place = page.entries.last().map(|last| last.place.clone());
        later.found.extend(page.entries.into_iter().map(|one| one.resource));
        if let Some(count) = later.end(limit) {
            return Ok(StoredLater { count, ..later });
        }
        if is_last || place.is_none() {
            return Ok(StoredLater { count: later.found.len(), ..later });
        }
        if later.found.len() > MOST_LISTED {
            return Err(RestError::BadRequest(ShapeFault::TooManyItems.words()).into());
        }
    }
}

/// Those that fit the kind, in their order, and of which resources.
async fn in_order<K: ItemKind>(
    app: &App,
    caller: &Caller,
    found: Vec<Arc<Resource>>,
) -> Result<(Vec<Shown<K>>, Vec<Arc<Resource>>), ApiStop> {
    let mut listed = across::shown::<K>(app, caller, found).await?;
    listed.sort_by_key(|one| (one.resource.updated_at, one.resource.row));
    Ok(listed.into_iter().map(|one| (one.shown, one.resource)).unzip())
}
