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
use rules::consent::view::View;
use rules::ids::PatientId;
use rules::labels::Labels;
use store::reach::circle;
use store::stored::resource::Resource;

/// Of a resource that is shown and is in one record.
pub(crate) fn of_resource(caller: &Caller, found: &Resource) {
    if let Some(patient) = found.only_patient() {
        note(caller, patient, found.held);
    }
}

/// Of a patient of whom the caller holds these labels.
pub(crate) fn of_number(caller: &Caller, patient: PatientId, held: Option<Labels>) {
    note(caller, patient, held);
}

/// Of a record of which the views are known through which the caller looks.
pub(crate) fn of_views(views: &[View]) {
    if let Some(view) = record_view::value(views) {
        request_context::note_record_view(view.into());
    }
}

/// Of the record of a patient that a call names.
pub(crate) async fn of_record(app: &App, caller: &Caller, patient: PatientId) -> Result<(), Trouble> {
    let circle = circle::of(&app.store, patient).await.during("looking at who sees a patient")?;
    of_views(&circle.views(caller.reach(), caller.now()));
    Ok(())
}

/// What a caller who looks through one team gets of a record, for a page that says it in words.
pub(crate) async fn seen(app: &App, caller: &Caller, patient: PatientId) -> Result<View, Trouble> {
    let circle = circle::of(&app.store, patient).await.during("looking at who sees a patient")?;
    Ok(circle.views(caller.reach(), caller.now()).first().copied().unwrap_or(View::None))
}

/// Of a search that names one patient by id; a patient's session always asks of one record.
pub(crate) async fn of_search<'q>(
    app: &App,
    caller: &Caller,
    queries: impl Iterator<Item = &'q Query> + Clone,
) -> Result<(), Trouble> {
    if let Some(own) = caller.reach().own() {
        if queries.clone().any(|query| !query.resource_type.is_public()) {
            note(caller, own, None);
        }
        return Ok(());
    }
    let mut named: Vec<PatientName> = queries.flat_map(|query| naming::patients(query, false)).collect();
    named.dedup();
    let [PatientName::Id(id)] = &named[..] else { return Ok(()) };
    let held = circle::held(&app.store, caller.reach(), id, caller.now()).await.during("looking a patient up")?;
    if let Some(held) = held {
        let patient = caller.glass().filter(|open| open.patient == *id).map(|open| open.glass.patient);
        note(caller, patient.unwrap_or_default(), Some(held));
    }
    Ok(())
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

/// Notes what a caller who holds these labels gets of the record of a patient.
fn note(caller: &Caller, patient: PatientId, held: Option<Labels>) {
    let view = match (caller.reach().own(), caller.reach().glass(), held) {
        (Some(own), ..) if own == patient => View::All,
        (Some(_), ..) => return,
        (None, Some(open), _) if open.patient == patient => View::Glass(open.until),
        (None, _, None) => return,
        (None, _, Some(held)) if held.is_none() => View::Own,
        (None, _, Some(held)) => View::Labels(held),
    };
    of_views(&[view]);
}
