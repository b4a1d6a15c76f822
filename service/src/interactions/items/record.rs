//! Whose record an operation is about: the one of the session, or the one that a path names and the caller may see.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::{inquiries, record_view};
use crate::voices::api::ApiStop;
use fhir::reference;
use fhir::types::ResourceType;
use rules::ids::PatientId;
use rules::rest_errors::RestError;
use store::read as records;

const OF: ResourceType = ResourceType::Patient;

/// A patient whose record the caller may see.
#[derive(Clone, Debug)]
pub(crate) struct ItemRecord {
    /// The id of the Patient.
    pub patient: String,
    pub number: PatientId,
}

/// The record that a PATIENT session is about: the own one, or the one cared for, as long as it is open to the carer.
pub(crate) async fn of_session(app: &App, caller: &Caller) -> Result<ItemRecord, ApiStop> {
    match (caller.patient(), caller.reach().own(), caller.reach().record()) {
        (Some(cared_for), None, Some(_)) => named(app, caller, cared_for).await,
        _ => Ok(own(caller)?),
    }
}

/// The own record of a patient.
pub(crate) fn own(caller: &Caller) -> Result<ItemRecord, RestError> {
    match (caller.patient(), caller.reach().own()) {
        (Some(patient), Some(number)) => Ok(ItemRecord { patient: patient.to_owned(), number }),
        _ => Err(RestError::NotFound(OF.name())),
    }
}

/// The record of the patient whom a request names. One who is out of reach and one who never was are the same.
pub(crate) async fn named(app: &App, caller: &Caller, id: &str) -> Result<ItemRecord, ApiStop> {
    let missing = || RestError::NotFound(OF.name());
    if caller.reach().own().is_some() {
        return Ok(own(caller).ok().filter(|own| own.patient == id).ok_or_else(missing)?);
    }
    if !reference::is_id(id) {
        return Err(missing().into());
    }
    caller.must_be_of_glass(id)?;
    let found = records::read(&app.store, caller.reach(), OF, id, caller.now()).await.during("reading a Patient")?;
    let held = found.as_ref().and_then(|found| found.held);
    let Some(number) = found.and_then(|found| found.patient) else {
        inquiries::read_refused(app, caller, OF, id);
        return Err(missing().into());
    };
    record_view::of_number(caller, number, held);
    Ok(ItemRecord { patient: id.to_owned(), number })
}
