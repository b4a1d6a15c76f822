//! Versions: what a resource of any type was, one by one (`…/_history/{version}`) and as its history (`…/_history`).

use crate::app::App;
use crate::callers::caller::Caller;
use crate::fhir::history::bundle::{self, Page};
use crate::fhir::read::answer;
use crate::fhir::read::options::ReadOptions;
use crate::fhir::read::request::ReadRequest;
use crate::fhir::search::page_token;
use crate::fhir::search::query_string::{PAGE, Query};
use crate::http::call::Call;
use crate::interactions::absence;
use crate::interactions::history::{self, HistoryRequest};
use crate::interactions::noted::Noted;
use crate::interactions::read;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use std::borrow::Cow;

/// The answer to a read of a version.
pub(crate) async fn give(
    app: &App,
    caller: &Caller,
    request: &ReadRequest<'_>,
    of: ResourceType,
    version: (&str, i64),
) -> Result<Response, ApiStop> {
    let options = request.options()?;
    let found = read::version(app, caller, of, version).await?;
    show(app, caller, request, &options, found).await
}

/// Answers with a version that the caller may see: the one of now, or one of before.
pub(crate) async fn show(
    app: &App,
    caller: &Caller,
    request: &ReadRequest<'_>,
    options: &ReadOptions,
    found: Noted,
) -> Result<Response, ApiStop> {
    if request.has(&found, caller.now()) {
        return Ok(answer::not_modified(&found));
    }
    let _room = app.response_budget.room(caller.taker(), found.body.len())?;
    if !request.is_head {
        read::open(app, caller, &found).await?;
    }
    answer::in_manner(app, caller, found, options).await
}

/// The id and the version that a path names. What is no number of a version is one that nothing has.
pub(crate) fn named(resource_type: ResourceType, call: &Call) -> Result<(Cow<'_, str>, i64), Refusal> {
    let id = answer::id(resource_type, call)?;
    Ok((id, number(resource_type, &call.part("version").unwrap_or_default())?))
}

/// The answer to a history of a resource: newest first, page by page.
pub(crate) async fn history(
    app: &App,
    caller: &Caller,
    request: &ReadRequest<'_>,
    (of, id): (ResourceType, &str),
) -> Result<Response, ApiStop> {
    let query = Query::of_list(request.query)?;
    request.must_take_json(query.format())?;
    let options = ReadOptions::of(&query)?;
    let own = format!("{}/{id}", of.name());
    let behind = match query.get(PAGE) {
        Some(_) => page_token::open(&app.keys, &own, query.get(PAGE))?,
        None => i64::MAX,
    };
    let asked = HistoryRequest { window: query.window()?, behind, count: query.count()?, opens: !request.is_head };
    let page = history::of_resource(app, caller, (of, id), &asked).await?;
    let last = page.versions.last().filter(|_| page.more);
    let next = last.and_then(|last| page_token::seal(&app.keys, &own, last.version));
    let fhir = base(&app.settings.base_url);
    let page = Page {
        url: format!("{fhir}/{own}/_history"),
        base: fhir,
        matches: page.versions,
        own: query.link(query.get(PAGE)),
        next: next.map(|next| query.link(Some(&next))),
        options,
    };
    bundle::respond(app, caller, page).await
}

/// A version's number as we write it: `01` is no version of ours, and what is none is one that nothing has.
pub(crate) fn number(of: ResourceType, text: &str) -> Result<i64, Refusal> {
    let version = text.parse().ok().filter(|version: &i64| *version > 0 && version.to_string() == text);
    version.ok_or_else(|| absence::not_there(of))
}
