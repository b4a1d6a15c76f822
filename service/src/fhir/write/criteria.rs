//! Criteria of a conditional interaction: read whole or refused, and looked for within the caller's reach. Nothing is written on
//! criteria of which a part was not understood.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::fhir::search::query_string::FORMAT;
use crate::fhir::search::{endpoint, own_parameters};
use crate::voices::api::ApiStop;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use fhir::search::query::{Clause, Query};
use fhir::search::reading;
use fhir::search::sieve::is_sifted;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use std::collections::HashSet;
use std::sync::Arc;
use store::search::compile::Search;
use store::search::post_filter;
use store::stored::resource::Resource;
use store::write::precondition::{ENOUGH, Precondition};

const IF_NONE_EXIST: &str = "if-none-exist";

/// The criteria in the query of a URL, and the `_format` beside them.
pub(crate) async fn of_url(
    app: &App,
    caller: &Caller,
    resource_type: ResourceType,
    query: Option<&str>,
) -> Result<(Query, Option<String>), ApiStop> {
    let (sent, format) = sent(query)?;
    Ok((read(app, caller, resource_type, &sent).await?, format))
}

/// The criteria of a create, if it has any, and the `_format` beside them: R4 has them in `If-None-Exist`, and some clients
/// write them behind the question mark.
pub(crate) async fn of_create(
    app: &App,
    caller: &Caller,
    resource_type: ResourceType,
    head: &Parts,
) -> Result<(Option<Query>, Option<String>), ApiStop> {
    let (sent, format) = sent(head.uri.query())?;
    let criteria = match (if_none_exist(app, caller, resource_type, &head.headers).await?, sent.is_empty()) {
        (criteria, true) => criteria,
        (None, false) => Some(read(app, caller, resource_type, &sent).await?),
        (Some(_), false) => {
            let words = "criteria stand in the URL and in If-None-Exist; send them in one place";
            return Err(Refusal::Invalid(words.into()).into());
        }
    };
    Ok((criteria, format))
}

type Pairs = Vec<(String, String)>;

/// What a query says beside its `_format`.
fn sent(query: Option<&str>) -> Result<(Pairs, Option<String>), Refusal> {
    let mut sent = endpoint::pairs(query.unwrap_or_default().as_bytes())?;
    let format = sent.iter().position(|(name, _)| name == FORMAT).map(|at| sent.remove(at).1);
    Ok((sent, format))
}

/// The criteria that `If-None-Exist` names, if it is there: what behind the question mark of a search would be.
async fn if_none_exist(
    app: &App,
    caller: &Caller,
    resource_type: ResourceType,
    headers: &HeaderMap,
) -> Result<Option<Query>, ApiStop> {
    let mut all = headers.get_all(IF_NONE_EXIST).iter();
    let Some(first) = all.next() else { return Ok(None) };
    let text = first.to_str().ok().filter(|_| all.next().is_none());
    let text = text.ok_or_else(|| Refusal::Invalid("send If-None-Exist once, with the criteria of a search".into()))?;
    of_text(app, caller, resource_type, text).await.map(Some)
}

/// Criteria as a text has them, with or without the type and the question mark of a search.
pub(crate) async fn of_text(app: &App, caller: &Caller, of: ResourceType, text: &str) -> Result<Query, ApiStop> {
    let text = text.trim();
    let bare = text.strip_prefix(of.name()).filter(|rest| rest.starts_with('?')).unwrap_or(text);
    let sent = endpoint::pairs(bare.strip_prefix('?').unwrap_or(bare).as_bytes())?;
    read(app, caller, of, &sent).await
}

async fn read(app: &App, caller: &Caller, of: ResourceType, sent: &[(String, String)]) -> Result<Query, ApiStop> {
    if let Some((name, _)) = sent.iter().find(|(_, value)| value.is_empty()) {
        let name = rules::params::shown(name);
        return Err(Refusal::Invalid(format!("{name}: a condition needs a value")).into());
    }
    let own = own_parameters::named(app, caller, &[of], sent).await?;
    let (query, _) = endpoint::read_with(app, of, sent, caller, &own.parameters)?;
    if let Some((name, _)) = query.controls.first() {
        let name = rules::params::shown(name);
        return Err(Refusal::Invalid(format!(
            "{name} says how a search is answered, which is no condition; leave it out"
        ))
        .into());
    }
    for clause in &query.clauses {
        let Clause::Own(condition) = clause else { continue };
        if !condition.parameter.is_indexed() {
            return Err(Refusal::Invalid(reading::not_yet_indexed(condition.parameter.code)).into());
        }
        if is_sifted(condition) {
            let words =
                "_text and _content are no conditions of a write: nothing finds words at once; name an identifier";
            return Err(Refusal::Invalid(words.into()).into());
        }
    }
    match query.clauses.is_empty() {
        true => Err(Refusal::Invalid(format!(
            "criteria are needed, for example {}?identifier=system|value, or an id in the path",
            of.name()
        ))
        .into()),
        false => Ok(query),
    }
}

/// The one resource that meets the criteria, if there is any that the caller may see and that is not among those that are `gone`
/// before, with the transaction that it is looked for by; and that this is what was found. Several are refused.
pub(crate) async fn look(
    app: &App,
    caller: &Caller,
    query: &Query,
    gone: &HashSet<(ResourceType, String)>,
) -> Result<(Option<Arc<Resource>>, Precondition), ApiStop> {
    let limit = ENOUGH + i64::try_from(gone.len()).unwrap_or_default();
    let search = Search { query, sort: &[], after: None, floor: None, limit };
    let page = post_filter::page(&app.store, &caller.reach, &search, caller.now).await.during("looking for a match")?;
    let found = page.entries.into_iter().map(|found| found.resource);
    let is_gone = |found: &Arc<Resource>| gone.contains(&(found.resource_type, found.id.clone()));
    let (without, found): (Vec<_>, Vec<_>) = found.partition(is_gone);
    if found.len() > 1 || page.is_full {
        return Err(Refusal::PreconditionFailed(format!(
            "several resources of the type {} meet the criteria; say more, so that one at most does",
            query.resource_type.name()
        ))
        .into());
    }
    let (found, without) = (found.into_iter().next(), without.iter().map(|gone| gone.id.clone()).collect());
    let id = found.as_ref().map(|found| found.id.clone());
    Ok((found, Precondition { query: query.clone(), found: id, without }))
}
