//! Versions: what a resource of any type was, one by one (`…/_history/{version}`) and as its history (`…/_history`).

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::documents::reading;
use crate::fhir::history::bundle::{self, Page};
use crate::fhir::media;
use crate::fhir::read::answer;
use crate::fhir::read::options::{self, ReadOptions};
use crate::fhir::search::page_token;
use crate::fhir::search::query_string::{PAGE, Query};
use crate::http::call::Call;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::http::Method;
use axum::http::request::Parts;
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use std::borrow::Cow;
use std::sync::Arc;
use store::history::versions;
use store::history::window::HistoryWindow;
use store::stored::resource::Resource;

pub(crate) async fn read(resource_type: ResourceType, caller: Caller, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let options = ReadOptions::of_read(&call.head)?;
    let (id, version) = named(resource_type, &call)?;
    let found = find(app, &caller, resource_type, (&id, version)).await?;
    show(app, &caller, &call.head, &options, found).await
}

/// Answers with a version that the caller may see: the one of now, or one of before.
pub(crate) async fn show(
    app: &App,
    caller: &Caller,
    head: &Parts,
    options: &ReadOptions,
    found: Arc<Resource>,
) -> Result<Response, ApiStop> {
    app.accesses.note(&caller.viewer(), &found);
    must_be_there(&found)?;
    if answer::is_held(&head.headers, &found) {
        return Ok(answer::not_modified(&found));
    }
    let _room = app.response_budget.room(caller.taker(), found.body.len())?;
    if head.method != Method::HEAD {
        reading::as_stored(app, caller, &found).await.during("noting that a document was read")?;
    }
    Ok(answer::in_manner(found, options))
}

/// Refuses a version that says that the resource was deleted; those hear of it who might have seen the resource.
pub(crate) fn must_be_there(found: &Resource) -> Result<(), Refusal> {
    match found.is_deleted {
        true => Err(gone(found)),
        false => Ok(()),
    }
}

/// What is said of a resource that the caller does not see: whoever saw it in a record that it was taken out of hears that it is
/// gone from there, and sees its past.
pub(crate) async fn absent(app: &App, caller: &Caller, (resource_type, id): (ResourceType, &str)) -> ApiStop {
    let seen = versions::last_seen(&app.store, &caller.reach, (resource_type, id), caller.now).await;
    match seen.during("reading the past of a resource") {
        Ok(Some(last)) => Refusal::Gone(format!(
            "{}/{id} was taken out of the record that it was in, after version {}; its versions of before are in its _history",
            resource_type.name(),
            last.version
        ))
        .into(),
        Ok(None) => answer::not_there(resource_type).into(),
        Err(trouble) => trouble.into(),
    }
}

fn gone(deletion: &Resource) -> Refusal {
    let (name, id, version) = (deletion.resource_type.name(), &deletion.id, deletion.version);
    Refusal::Gone(format!("{name}/{id} was deleted, by version {version}; its earlier versions are in its _history"))
}

/// The id and the version that a path names. What is no number of a version is one that nothing has.
pub(crate) fn named(resource_type: ResourceType, call: &Call) -> Result<(Cow<'_, str>, i64), Refusal> {
    let id = answer::id(resource_type, call)?;
    let version = call.part("version").and_then(|version| number(&version));
    Ok((id, version.ok_or_else(|| answer::not_there(resource_type))?))
}

/// A version, if the caller may see it.
pub(crate) async fn find(
    app: &App,
    caller: &Caller,
    resource_type: ResourceType,
    (id, version): (&str, i64),
) -> Result<Arc<Resource>, ApiStop> {
    let found = versions::read(&app.store, &caller.reach, (resource_type, id), version, caller.now).await;
    Ok(answer::present(resource_type, found.during("reading a version")?)?)
}

/// Newest first, page by page.
pub(crate) async fn history(resource_type: ResourceType, caller: Caller, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let query = Query::of_list(call.query())?;
    media::must_take_json(&call.head.headers, query.format())?;
    let options = ReadOptions::of(&query)?;
    let id = answer::id(resource_type, &call)?;
    let own = format!("{}/{id}", resource_type.name());
    let before = match query.get(PAGE) {
        Some(_) => page_token::open(&app.keys, &own, query.get(PAGE))?,
        None => i64::MAX,
    };
    let (count, window) = (query.count()?, query.window()?);
    let read = async |window: &HistoryWindow, before, limit| {
        let page = (window, before, limit);
        versions::history(&app.store, &caller.reach, (resource_type, &id), page, caller.now).await
    };
    let page = read(&window, before, count + 1).await.during("reading a history")?;
    let mut found = page.entries;
    let is_empty = found.is_empty();
    // That there is none within a window of time says nothing of all the others.
    if is_empty && read(&HistoryWindow::ALL, before, 1).await.during("reading a history")?.entries.is_empty() {
        return Err(answer::not_there(resource_type).into());
    }
    let more = page.is_full || found.len() > usize::try_from(count).unwrap_or_default();
    found.truncate(usize::try_from(count).unwrap_or_default());
    note(app, &caller, &call.head, &found).await?;
    let next = found.last().filter(|_| more).and_then(|last| page_token::seal(&app.keys, &own, last.version));
    let fhir = base(&app.settings.base_url);
    let page = Page {
        base: &fhir,
        url: &format!("{fhir}/{own}/_history"),
        matches: &found,
        own: query.link(query.get(PAGE)),
        next: next.map(|next| query.link(Some(&next))),
        subset: options.subset(),
    };
    Ok(answer::json(options::layout(bundle::history(&page).into(), options.is_pretty)))
}

/// Notes that the caller saw these versions, and opened what is inside of them.
pub(crate) async fn note(app: &App, caller: &Caller, head: &Parts, found: &[Arc<Resource>]) -> Result<(), ApiStop> {
    for version in found {
        app.accesses.note(&caller.viewer(), version);
        if head.method != Method::HEAD {
            reading::as_stored(app, caller, version).await.during("noting that a document was read")?;
        }
    }
    Ok(())
}

/// A version's number as we write it: `01` is no version of ours.
fn number(text: &str) -> Option<i64> {
    text.parse().ok().filter(|version: &i64| *version > 0 && version.to_string() == text)
}
