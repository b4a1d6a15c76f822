//! What the URL of a write is aimed at: the resource of an id, or the one that meets criteria.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::fhir::media;
use crate::fhir::read::answer;
use crate::fhir::search::query_string;
use crate::fhir::write::conditional;
use crate::http::call::Call;
use crate::interactions::write::request::WriteTarget;
use crate::voices::api::ApiStop;
use axum::http::request::Parts;
use fhir::types::ResourceType;

/// `/fhir/{type}/{id}`.
pub(crate) fn of_id(call: &Call) -> Result<(ResourceType, WriteTarget), ApiStop> {
    let of = answer::resource_type(call)?;
    let id = answer::id(of, call)?.into_owned();
    let format = query_string::only_format(call.query())?;
    media::must_take_json(&call.head.headers, format.as_deref())?;
    Ok((of, WriteTarget::Id(id)))
}

/// `/fhir/{type}?…`.
pub(crate) async fn of_criteria(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    head: &Parts,
) -> Result<(ResourceType, WriteTarget), ApiStop> {
    let (query, format) = conditional::of_url(app, caller, of, head.uri.query()).await?;
    media::must_take_json(&head.headers, format.as_deref())?;
    Ok((of, WriteTarget::Criteria(query)))
}
