//! Adding to a record: what a consent does not open, it does not let anybody add to.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::write::authority::BundleContext;
use crate::voices::api::ApiStop;
use fhir::preparation::Preparation;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::consent::caller::CallerKind;
use rules::consent::denial::Denial;
use rules::ids::PatientId;
use rules::scope::Scope;
use store::messages;
use store::patients;
use store::reach::circle;

/// Messages of a conversation that are looked at for one that was sent.
const LOOKED_AT: i64 = 100;

/// Refuses something new about a patient of whom the caller holds no label: what a consent does not open it does not let anybody
/// add to. Of what is written together, who is new in it has given none yet.
pub(crate) async fn must_be_open(
    app: &App,
    caller: &Caller,
    new: &Preparation,
    company: &BundleContext,
) -> Result<(), ApiStop> {
    let kind = match (caller.scope(), caller.reach().person()) {
        (None, _) => return Ok(()),
        (Some(Scope::Patient), None) => return Ok(()),
        (Some(Scope::Patient), Some(_)) => CallerKind::RecordCaredFor,
        (Some(Scope::Clinician), Some(_)) => CallerKind::LoneClinician,
        (Some(Scope::Clinician), None) => CallerKind::TeamClinician,
        (Some(Scope::TeamCoord), _) => CallerKind::TeamCoord,
        (Some(Scope::Site), _) => CallerKind::Site,
    };
    for patient in new.patients.iter().filter(|_| new.resource_type != ResourceType::Patient) {
        if company.made.contains(&(ResourceType::Patient, patient.clone())) {
            continue;
        }
        let number = patients::find(&app.store, patient).await.during("looking a patient up")?;
        let Some(number) = number else { continue };
        let circle = circle::of(&app.store, number).await.during("looking at who sees a patient")?;
        let mut views = circle.views(caller.reach(), caller.now());
        views.retain(|view| view.is_associated());
        let mut may = views.iter().map(|view| kind.may_create(*view, circle.state.sharing_disabled));
        let first = may.next().unwrap_or(Ok(()));
        match may.fold(first, |before, one| before.or(one)) {
            Err(Denial::NoConsent(_)) if is_answer(app, caller, new, number).await? => {}
            other => other.map_err(Refusal::Denied)?,
        }
    }
    Ok(())
}

/// Whether it goes on with a conversation about a patient in which something was sent that the caller sees: who takes part may answer
/// when the consent is over.
async fn is_answer(app: &App, caller: &Caller, new: &Preparation, patient: PatientId) -> Result<bool, ApiStop> {
    let Some(conversation) = &new.audience.conversation else { return Ok(false) };
    let there = messages::of_conversation(&app.store, caller.reach(), conversation, LOOKED_AT, caller.now()).await;
    let there = there.during("reading a conversation")?;
    Ok(there.iter().any(|one| !one.needs.is_draft() && one.patients().any(|about| about == patient)))
}
