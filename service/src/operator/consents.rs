//! Consents and states of a record as an operator sets them, through the one write path of the store.

use super::consent_declaration::ConsentDeclaration;
use super::consent_summary::ConsentSummary;
use super::refusal::OperatorRefusal;
use crate::app::App;
use crate::formats::when::rfc3339;
use crate::sharing::{birth, form};
use rules::calendar::Day;
use rules::consent::denial::Denial;
use rules::consent::notice::RecordState;
use rules::consent::record::Grantee;
use rules::ids::PatientId;
use rules::limits::CARED_FOR_AGE;
use store::Store;
use store::reach::consents::{self, StoredConsent};
use store::sharing::change::{self, Sharer, SharingRequest};
use store::sharing::declared::{self, DeclaredConsent};
use store::sharing::states::{self, StateRequest};
use store::{organisations, patients, people};

/// All consents of a patient.
pub(super) async fn list(app: &App, patient: &str) -> Result<Vec<ConsentSummary>, OperatorRefusal> {
    let number = number(app, patient).await?;
    let mut shown = Vec::new();
    for stored in consents::of_patient(&app.store, number).await? {
        shown.push(summary(app, &stored).await?);
    }
    Ok(shown)
}

/// Makes a consent, or changes it. Tells whether that was a change, and the consent as it is then.
pub(super) async fn set(
    app: &App,
    store: &Store,
    wanted: &ConsentDeclaration,
) -> Result<(bool, ConsentSummary), OperatorRefusal> {
    let number = number(app, &wanted.patient).await?;
    let grantee = declared::grantee(&app.store, &wanted.patient, &wanted.to).await?;
    let grantee = grantee.map_err(|why| OperatorRefusal::because(format!("{} {why}", wanted.to)))?;
    let request = SharingRequest {
        patient: number,
        grantee,
        sharer: Sharer::Operator,
        by: None,
        wanted: wanted.wanted(),
        born: birth::born(app, number, &wanted.patient).await?,
        carers_end_at_age: CARED_FOR_AGE,
        form: form::consent_form(app, None),
    };
    let now = app.clock.now();
    let outcome = change::change(store, request, now, rfc3339(now)).await?.map_err(|denial| refused(&denial))?;
    Ok((outcome.is_changed, summary(app, &outcome.consent).await?))
}

/// Accepts an invitation for the carer who was invited.
pub(super) async fn accept(app: &App, store: &Store, id: &str) -> Result<ConsentSummary, OperatorRefusal> {
    let none = || OperatorRefusal::because(format!("there is no consent {id}; see `recordgate consent list PATIENT`"));
    let known = consents::find(&app.store, id.parse().map_err(|_| none())?).await?.ok_or_else(none)?;
    let now = app.clock.now();
    let how = (form::consent_form(app, None), now, rfc3339(now));
    let accepted = change::accept(store, known.consent().id, None, how).await?.map_err(|denial| refused(&denial))?;
    summary(app, &accepted).await
}

/// Sets a state of a record. Tells whether that was a change.
pub(super) async fn set_state(
    app: &App,
    store: &Store,
    patient: &str,
    state: RecordState,
    reason: String,
) -> Result<bool, OperatorRefusal> {
    let number = number(app, patient).await?;
    let request = StateRequest {
        patient: number,
        state,
        sharer: Sharer::Operator,
        by: None,
        reason: Some(reason),
        born: birth::born(app, number, patient).await?,
        form: form::consent_form(app, None),
    };
    let now = app.clock.now();
    states::set(store, request, now, rfc3339(now)).await?.map_err(|denial| refused(&denial))
}

/// A consent of a declared world as the store makes it.
pub(super) async fn declared(app: &App, wanted: &ConsentDeclaration) -> store::Result<DeclaredConsent> {
    let born: Option<Day> = match patients::find(&app.store, &wanted.patient).await? {
        Some(number) => birth::born(app, number, &wanted.patient).await?,
        None => None,
    };
    Ok(DeclaredConsent {
        patient: wanted.patient.clone(),
        to: wanted.to.clone(),
        wanted: wanted.wanted(),
        born,
        carers_end_at_age: CARED_FOR_AGE,
        form: form::consent_form(app, None),
    })
}

async fn number(app: &App, patient: &str) -> Result<PatientId, OperatorRefusal> {
    let found = patients::find(&app.store, patient).await?;
    found.ok_or_else(|| {
        OperatorRefusal::because(format!("there is no patient {patient}; name the id of a Patient resource"))
    })
}

fn refused(denial: &Denial) -> OperatorRefusal {
    OperatorRefusal::because(denial.message())
}

async fn summary(app: &App, stored: &StoredConsent) -> Result<ConsentSummary, OperatorRefusal> {
    let named = match stored.consent().grantee {
        Grantee::Team(team) => organisations::team(&app.store, team).await?.map(|team| (team.public_id, team.name)),
        Grantee::Professional(user) | Grantee::Carer(user) => {
            people::numbered(&app.store, user).await?.map(|user| (user.username, user.name))
        }
    };
    Ok(ConsentSummary::of(stored, named.unwrap_or_default(), app.clock.now()))
}
