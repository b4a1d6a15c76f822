//! The item that an id names: of this kind, within the caller's reach, and the caller's to change.

use super::background::{ItemBackground, ItemVersion};
use super::kind::ItemKind;
use super::record::ItemRecord;
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::inquiries;
use crate::voices::api::ApiStop;
use fhir::reference;
use rules::ids::PatientId;
use rules::reach::may_act_as;
use rules::rest_errors::RestError;
use std::sync::Arc;
use store::history::versions;
use store::patients;
use store::read as records;
use store::stored::resource::Resource;

/// An item that is there, and what is known of it.
#[derive(Debug)]
pub(crate) struct ExistingItem {
    pub resource: Arc<Resource>,
    pub record: ItemRecord,
    pub background: ItemBackground,
}

/// What an id names.
#[derive(Debug)]
pub(crate) enum Named {
    There(Box<ExistingItem>),
    /// One that was deleted.
    Deleted,
}

/// What this id names of a kind. What is not there, what is out of reach and what is of another kind are the same.
pub(crate) async fn named<K: ItemKind>(app: &App, caller: &Caller, id: &str) -> Result<Named, ApiStop> {
    if reference::is_id(id) {
        for of in K::TYPES {
            let found = records::find(&app.store, caller.reach(), *of, id, caller.now()).await;
            if let Some(found) = found.during("reading an item")?
                && let Some(named) = of_kind::<K>(app, caller, found).await?
            {
                return Ok(named);
            }
        }
        K::TYPES.iter().for_each(|of| inquiries::read_refused(app, caller, *of, id));
    }
    Err(RestError::NotFound(K::KIND).into())
}

/// The same where it is there.
pub(crate) async fn there<K: ItemKind>(app: &App, caller: &Caller, id: &str) -> Result<ExistingItem, ApiStop> {
    match named::<K>(app, caller, id).await? {
        Named::There(item) => Ok(*item),
        Named::Deleted => Err(RestError::Deleted(K::KIND).into()),
    }
}

/// The same where it is the caller's to change: only its source does that.
pub(crate) async fn own<K: ItemKind>(app: &App, caller: &Caller, id: &str) -> Result<ExistingItem, ApiStop> {
    let item = there::<K>(app, caller, id).await?;
    must_be_own(app, caller, &item.resource)?;
    Ok(item)
}

pub(crate) fn must_be_own(app: &App, caller: &Caller, item: &Resource) -> Result<(), RestError> {
    if may_act_as(caller.reach(), item.source) {
        return Ok(());
    }
    inquiries::write_refused(app, caller, item.resource_type, &item.id);
    Err(RestError::NotSource)
}

/// What was found, if it is of the kind. Of what was deleted, the version before tells.
async fn of_kind<K: ItemKind>(app: &App, caller: &Caller, found: Arc<Resource>) -> Result<Option<Named>, ApiStop> {
    let is_deleted = found.is_deleted;
    let last = match is_deleted {
        false => Some(found.clone()),
        true => {
            let before = (found.resource_type, found.id.as_str());
            let last = versions::read(&app.store, caller.reach(), before, found.version - 1, caller.now()).await;
            last.during("reading what was deleted")?
        }
    };
    let Some(last) = last else { return Ok(None) };
    let Some(record) = record(app, caller, &found).await? else { return Ok(None) };
    let mut background = ItemBackground::begin::<K>(app, caller, &record.patient).await?;
    background.learn::<K>(app, caller, std::slice::from_ref(&last)).await?;
    let is_of_kind = background.show::<K>(ItemVersion::of(&last)).is_some();
    Ok(is_of_kind.then(|| match is_deleted {
        true => Named::Deleted,
        false => Named::There(Box::new(ExistingItem { resource: found, record, background })),
    }))
}

/// In whose record an item is: in the caller's own, where it is in several. None where it is in nobody's, which no item is.
async fn record(app: &App, caller: &Caller, item: &Resource) -> Result<Option<ItemRecord>, ApiStop> {
    let own = caller.reach().record().filter(|own| item.patients().any(|patient| patient == *own));
    let Some(number): Option<PatientId> = own.or(item.patient) else { return Ok(None) };
    let patient = patients::fhir_id(&app.store, number).await.during("reading whose an item is")?;
    Ok(patient.map(|patient| ItemRecord { patient, number }))
}
