//! Resources that are sent to be stored: read, validated and prepared, away from other requests where that takes long.

use crate::app::App;
use crate::app::trouble::Trouble;
use crate::preparation::{self, Wanted};
use crate::voices::api::ApiStop;
use fhir::types::ResourceType;
use rules::limits::VALIDATED_IN_PLACE_BYTES;
use std::sync::Arc;
use store::write::resource_write::NewResource;

/// Prepares a text to be stored under this id. `is_chosen`: the resource must carry the id, because its sender chose it.
pub(crate) async fn prepare(
    app: &App,
    json: Arc<str>,
    resource_type: ResourceType,
    (id, is_chosen): (&str, bool),
) -> Result<NewResource, ApiStop> {
    let (base, id) = (preparation::base(&app.settings.base_url), id.to_owned());
    let bytes = json.len();
    let work = move || preparation::prepare_sent(&json, Wanted { resource_type, id: &id, is_chosen }, &base);
    Ok(aside(bytes, work).await??)
}

/// What has to be done with a text of so many bytes: here, or away from other requests where that takes long.
pub(crate) async fn aside<T: Send + 'static>(
    bytes: usize,
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Trouble> {
    match bytes > VALIDATED_IN_PLACE_BYTES {
        true => tokio::task::spawn_blocking(work).await.map_err(|error| Trouble::new("validating a resource", error)),
        false => Ok(work()),
    }
}
