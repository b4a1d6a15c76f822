//! The header `Record-View`: what a caller gets of the record that a call names, so that nobody mistakes hidden for empty. It is noted
//! where the patient is known, and said with the answer.

use crate::app::App;
use crate::app::request_context;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use fhir::search::naming::{self, PatientName};
use fhir::search::query::Query;
use rules::answers::Refusal;
use rules::consent::record_view;
use rules::ids::PatientId;
use store::reach::circle;
use store::stored::resource::Resource;

/// Of a resource that is shown and is in one record.
pub(crate) async fn of_resource(app: &App, caller: &Caller, found: &Resource) -> Result<(), Trouble> {
    match found.only_patient() {
        Some(patient) => of_patient(app, caller, patient).await,
        None => Ok(()),
    }
}

/// Of a search that names one patient by id; a patient's session always asks of one record.
pub(crate) async fn of_search<'q>(
    app: &App,
    caller: &Caller,
    queries: impl Iterator<Item = &'q Query> + Clone,
) -> Result<(), Trouble> {
    if let Some(record) = caller.reach().record() {
        let is_of_records = queries.clone().any(|query| !query.resource_type.is_public());
        return if is_of_records { of_patient(app, caller, record).await } else { Ok(()) };
    }
    let mut named: Vec<PatientName> = queries.flat_map(|query| naming::patients(query, false)).collect();
    named.dedup();
    let [PatientName::Id(id)] = &named[..] else { return Ok(()) };
    let in_reach = circle::in_reach(&app.store, caller.reach(), id, caller.now()).await;
    match in_reach.during("looking a patient up")? {
        Some(patient) => of_patient(app, caller, patient).await,
        None => Ok(()),
    }
}

/// Refuses a search that names another patient than the one whose glass was broken.
pub(crate) fn must_be_of_glass<'q>(caller: &Caller, queries: impl Iterator<Item = &'q Query>) -> Result<(), Refusal> {
    if caller.glass().is_none() {
        return Ok(());
    }
    for name in queries.flat_map(|query| naming::patients(query, false)) {
        if let PatientName::Id(id) = name {
            caller.must_be_of_glass(&id)?;
        }
    }
    Ok(())
}

/// Of a patient. To whom the patient is nobody's, nothing is said.
pub(crate) async fn of_patient(app: &App, caller: &Caller, patient: PatientId) -> Result<(), Trouble> {
    if caller.reach().own() == Some(patient) {
        request_context::note_record_view("self".into());
        return Ok(());
    }
    let circle = circle::of(&app.store, patient).await.during("looking at who sees a patient")?;
    if let Some(view) = record_view::value(&circle.views(caller.reach(), caller.now())) {
        request_context::note_record_view(view.into());
    }
    Ok(())
}
