//! Resources that are sent to be stored: read, validated and prepared, away from other requests where that takes long.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::preparation::{self, Wanted};
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use std::sync::Arc;
use store::write::resource_write::NewResource;

/// Prepares a text to be stored under this id. `is_chosen`: the resource must carry the id, because its sender chose it.
pub(crate) async fn prepare(
    (app, caller): (&App, &Caller),
    json: Arc<str>,
    resource_type: ResourceType,
    (id, is_chosen): (&str, bool),
) -> Result<NewResource, ApiStop> {
    let (base, id) = (preparation::base(&app.settings.base_url), id.to_owned());
    let bytes = json.len();
    let work = move || preparation::prepare_sent(&json, Wanted { resource_type, id: &id, is_chosen }, &base);
    Ok(app.workers.run(caller.taker(), bytes, work).await??)
}
