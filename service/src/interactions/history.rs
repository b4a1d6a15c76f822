//! History: the versions of a resource, of a type, or of everything that the caller may see, newest first, page by page.

use super::absence;
use super::lens;
use super::noted::Noted;
use super::read;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::smart::permissions::{ItemInteraction, Permissions};
use std::sync::Arc;
use store::history::type_history::{self, HistoryPosition};
use store::history::versions;
use store::history::window::HistoryWindow;
use store::search::page_builder::Page;
use store::stored::resource::Resource;

/// Which part of a history is asked for.
#[derive(Debug)]
pub(crate) struct HistoryRequest<P> {
    pub window: HistoryWindow,
    /// Where the page begins: behind this.
    pub behind: P,
    pub count: i64,
    /// Whether the bodies are given out, or only what is said of them.
    pub opens: bool,
}

/// A page of versions, and whether there is a next one.
#[derive(Debug)]
pub(crate) struct HistoryPage {
    pub versions: Vec<Noted>,
    pub more: bool,
}

/// The versions of a resource before one of this number.
pub(crate) async fn of_resource(
    app: &App,
    caller: &Caller,
    (of, id): (ResourceType, &str),
    request: &HistoryRequest<i64>,
) -> Result<HistoryPage, ApiStop> {
    let needed = Permissions::of(ItemInteraction::Read);
    caller.must_be_granted(of.name(), needed)?;
    let caller = &*caller.aimed_at(needed);
    let read = async |window: &HistoryWindow, limit| {
        let page = (window, request.behind, limit);
        versions::history(&app.store, caller.reach(), (of, id), page, caller.now()).await.during("reading a history")
    };
    let found = read(&request.window, request.count + 1).await?;
    // That there is none within a window of time says nothing of all the others.
    if found.entries.is_empty() {
        let last = read(&HistoryWindow::ALL, 1).await?.entries.pop().filter(|last| lens::opens(caller, last));
        // That there is something is a look at it, too.
        Noted::one(app, caller, absence::present((app, caller), (of, id), last)?);
    }
    page(app, caller, found, request).await
}

/// The versions of a type, or of everything, behind a place in their order.
pub(crate) async fn of_type(
    app: &App,
    caller: &Caller,
    of: Option<ResourceType>,
    request: &HistoryRequest<Option<HistoryPosition>>,
) -> Result<HistoryPage, ApiStop> {
    let needed = Permissions::of(ItemInteraction::Search);
    if let Some(of) = of {
        caller.must_be_granted(of.name(), needed)?;
    }
    let caller = &*caller.aimed_at(needed);
    let wanted = (&request.window, request.behind, request.count + 1);
    let found = type_history::changes(&app.store, caller.reach(), of, wanted, caller.now()).await;
    page(app, caller, found.during("reading the history of a type")?, request).await
}

async fn page<P>(
    app: &App,
    caller: &Caller,
    found: Page<Arc<Resource>>,
    request: &HistoryRequest<P>,
) -> Result<HistoryPage, ApiStop> {
    let count = usize::try_from(request.count).unwrap_or_default();
    let mut entries = found.entries;
    let more = found.is_full || entries.len() > count;
    entries.truncate(count);
    entries.retain(|version| lens::opens(caller, version));
    let versions = Noted::all(app, caller, entries);
    if request.opens {
        for version in &versions {
            read::open(app, caller, version).await?;
        }
    }
    Ok(HistoryPage { versions, more })
}
