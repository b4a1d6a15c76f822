//! What the URL of a write is aimed at: the resource of an id, or the one that meets criteria.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::fhir::deed::Aim;
use crate::fhir::{answer, criteria, media, query};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::http::request::Parts;
use fhir::types::ResourceType;

/// `/fhir/{type}/{id}`.
pub(super) fn of_id(call: &Call) -> Result<(ResourceType, Aim), ApiStop> {
    let of = answer::resource_type(call)?;
    let id = answer::id(of, call)?.into_owned();
    let format = query::only_format(call.query())?;
    media::must_take_json(&call.head.headers, format.as_deref())?;
    Ok((of, Aim::Id(id)))
}

/// `/fhir/{type}?…`.
pub(super) async fn of_criteria(
    app: &App,
    caller: &Caller,
    of: ResourceType,
    head: &Parts,
) -> Result<(ResourceType, Aim), ApiStop> {
    let (query, format) = criteria::of_url(app, caller, of, head.uri.query()).await?;
    media::must_take_json(&head.headers, format.as_deref())?;
    Ok((of, Aim::Criteria(query)))
}
