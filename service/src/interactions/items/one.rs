//! Reading one item by its id.

use super::background::ItemVersion;
use super::existing::{self, ExistingItem};
use super::kind::ItemKind;
use crate::app::App;
use crate::callers::caller::Caller;
use crate::interactions::noted::Noted;
use crate::interactions::record_view;
use crate::voices::api::ApiStop;
use rules::rest_errors::RestError;
use views::view::Shown;

/// The item of this id. What is not there, what is out of reach and what is of another kind are the same.
pub(crate) async fn read<K: ItemKind>(app: &App, caller: &Caller, id: &str) -> Result<Shown<K>, ApiStop> {
    let ExistingItem { resource, record, background } = existing::there::<K>(app, caller, id).await?;
    caller.must_be_of_glass(&record.patient)?;
    let found = Noted::one(app, caller, resource);
    record_view::of_resource(caller, &found);
    Ok(background.show::<K>(ItemVersion::of(&found)).ok_or(RestError::NotFound(K::KIND))?)
}
