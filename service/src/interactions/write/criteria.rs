//! Criteria of a conditional interaction: read whole or refused, and looked for within the caller's reach. Nothing is written on
//! criteria of which a part was not understood.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::inquiries;
use crate::interactions::search::own_parameters;
use crate::interactions::search::query;
use crate::voices::api::ApiStop;
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

/// Criteria as a text has them, with or without the type and the question mark of a search.
pub(crate) async fn of_text(app: &App, caller: &Caller, of: ResourceType, text: &str) -> Result<Query, ApiStop> {
    let text = text.trim();
    let bare = text.strip_prefix(of.name()).filter(|rest| rest.starts_with('?')).unwrap_or(text);
    let sent = query::pairs(bare.strip_prefix('?').unwrap_or(bare).as_bytes())?;
    read(app, caller, of, &sent).await
}

/// Criteria as parameters.
pub(crate) async fn read(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    sent: &[(String, String)],
) -> Result<Query, ApiStop> {
    if let Some((name, _)) = sent.iter().find(|(_, value)| value.is_empty()) {
        let name = rules::params::shown(name);
        return Err(Refusal::Invalid(format!("{name}: a condition needs a value")).into());
    }
    let own = own_parameters::named(app, caller, &[of], sent).await?;
    let (query, _) = query::read_with(app, of, sent, caller, &own.parameters)?;
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
    let page =
        post_filter::page(&app.store, caller.reach(), &search, caller.now()).await.during("looking for a match")?;
    let found = page.entries.into_iter().map(|found| found.resource);
    let is_gone = |found: &Arc<Resource>| gone.contains(&(found.resource_type, found.id.clone()));
    let (without, found): (Vec<_>, Vec<_>) = found.partition(is_gone);
    inquiries::matched(app, caller, query, &found);
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
