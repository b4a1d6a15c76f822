//! The criteria of a conditional interaction where HTTP has them: in the URL, or in `If-None-Exist`.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::fhir::search::query_string::FORMAT;
use crate::interactions::search::query;
use crate::interactions::write::criteria;
use crate::voices::api::ApiStop;
use axum::http::HeaderMap;
use axum::http::request::Parts;
use fhir::search::query::Query;
use fhir::types::ResourceType;
use rules::answers::Refusal;

const IF_NONE_EXIST: &str = "if-none-exist";

/// The criteria in the query of a URL, and the `_format` beside them.
pub(crate) async fn of_url(
    app: &App,
    caller: &Caller,
    resource_type: ResourceType,
    query: Option<&str>,
) -> Result<(Query, Option<String>), ApiStop> {
    let (sent, format) = sent(query)?;
    Ok((criteria::read(app, caller, resource_type, &sent).await?, format))
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
        (None, false) => Some(criteria::read(app, caller, resource_type, &sent).await?),
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
    let mut sent = query::pairs(query.unwrap_or_default().as_bytes())?;
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
    criteria::of_text(app, caller, resource_type, text).await.map(Some)
}
