//! Criteria of a conditional interaction: read whole or refused, and looked for within the caller's reach. Nothing is written on
//! criteria of which a part was not understood.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::fhir::query::FORMAT;
use crate::fhir::search;
use crate::voices::api::ApiStop;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use fhir::search::query::Query;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use std::sync::Arc;
use store::finding::{self, Search};
use store::premise::ENOUGH;
use store::resource::Resource;

const IF_NONE_EXIST: &str = "if-none-exist";

/// The criteria in the query of a URL, and the `_format` beside them.
pub(super) fn of_url(
    app: &App,
    caller: &Caller,
    resource_type: ResourceType,
    query: Option<&str>,
) -> Result<(Query, Option<String>), Refusal> {
    let (sent, format) = sent(query)?;
    Ok((read(app, caller, resource_type, &sent)?, format))
}

/// The criteria of a create, if it has any, and the `_format` beside them: R4 has them in `If-None-Exist`, and some clients
/// write them behind the question mark.
pub(super) fn of_create(
    app: &App,
    caller: &Caller,
    resource_type: ResourceType,
    head: &Parts,
) -> Result<(Option<Query>, Option<String>), Refusal> {
    let (sent, format) = sent(head.uri.query())?;
    let criteria = match (if_none_exist(app, caller, resource_type, &head.headers)?, sent.is_empty()) {
        (criteria, true) => criteria,
        (None, false) => Some(read(app, caller, resource_type, &sent)?),
        (Some(_), false) => {
            let words = "criteria stand in the URL and in If-None-Exist; send them in one place";
            return Err(Refusal::Invalid(words.into()));
        }
    };
    Ok((criteria, format))
}

type Pairs = Vec<(String, String)>;

/// What a query says beside its `_format`.
fn sent(query: Option<&str>) -> Result<(Pairs, Option<String>), Refusal> {
    let mut sent = search::pairs(query.unwrap_or_default().as_bytes())?;
    let format = sent.iter().position(|(name, _)| name == FORMAT).map(|at| sent.remove(at).1);
    Ok((sent, format))
}

/// The criteria that `If-None-Exist` names, if it is there: what behind the question mark of a search would be.
fn if_none_exist(
    app: &App,
    caller: &Caller,
    resource_type: ResourceType,
    headers: &HeaderMap,
) -> Result<Option<Query>, Refusal> {
    let mut all = headers.get_all(IF_NONE_EXIST).iter();
    let Some(first) = all.next() else { return Ok(None) };
    let text = first.to_str().ok().filter(|_| all.next().is_none());
    let text = text.ok_or_else(|| Refusal::Invalid("send If-None-Exist once, with the criteria of a search".into()))?;
    of_text(app, caller, resource_type, text).map(Some)
}

/// Criteria as a text has them, with or without the type and the question mark of a search.
pub(super) fn of_text(app: &App, caller: &Caller, of: ResourceType, text: &str) -> Result<Query, Refusal> {
    let text = text.trim();
    let bare = text.strip_prefix(of.name()).filter(|rest| rest.starts_with('?')).unwrap_or(text);
    let sent = search::pairs(bare.strip_prefix('?').unwrap_or(bare).as_bytes())?;
    read(app, caller, of, &sent)
}

fn read(app: &App, caller: &Caller, of: ResourceType, sent: &[(String, String)]) -> Result<Query, Refusal> {
    if let Some((name, _)) = sent.iter().find(|(_, value)| value.is_empty()) {
        let name = rules::params::shown(name);
        return Err(Refusal::Invalid(format!("{name}: a condition needs a value")));
    }
    let (query, _) = search::read(app, of, sent, caller)?;
    if let Some((name, _)) = query.controls.first() {
        let name = rules::params::shown(name);
        return Err(Refusal::Invalid(format!(
            "{name} says how a search is answered, which is no condition; leave it out"
        )));
    }
    match query.clauses.is_empty() {
        true => Err(Refusal::Invalid(format!(
            "criteria are needed, for example {}?identifier=system|value, or an id in the path",
            of.name()
        ))),
        false => Ok(query),
    }
}

/// The one resource that meets the criteria, if there is any that the caller may see. Several are refused.
pub(super) async fn look(app: &App, caller: &Caller, query: &Query) -> Result<Option<Arc<Resource>>, ApiStop> {
    let search = Search { query, sort: &[], after: None, floor: None, limit: ENOUGH };
    let page = finding::page(&app.store, &caller.reach, &search, caller.now).await.during("looking for a match")?;
    let mut found = page.entries.into_iter().map(|found| found.resource);
    match (found.next(), found.next().is_some() || page.is_full) {
        (_, true) => Err(Refusal::PreconditionFailed(format!(
            "several resources of the type {} meet the criteria; say more, so that one at most does",
            query.resource_type.name()
        ))
        .into()),
        (found, false) => Ok(found),
    }
}
