//! Deleting an item: by its source only. What was deleted before is deleted.

use super::existing::{self, Named};
use super::kind::ItemKind;
use crate::app::App;
use crate::callers::caller::Caller;
use crate::interactions::write::execution;
use crate::interactions::write::request::{WriteRequest, WriteTarget};
use crate::voices::api::ApiStop;
use store::write::resource_write::Demand;

/// Deletes the item of this id.
pub(crate) async fn delete<K: ItemKind>(app: &App, caller: &Caller, id: &str) -> Result<(), ApiStop> {
    let Named::There(item) = existing::named::<K>(app, caller, id).await? else { return Ok(()) };
    existing::must_be_own(app, caller, &item.resource)?;
    let aim = WriteTarget::Id(item.resource.id.clone());
    let request = WriteRequest::Delete { aim, demand: Demand::Nothing };
    execution::one(app, caller, item.resource.resource_type, &request).await?;
    Ok(())
}
