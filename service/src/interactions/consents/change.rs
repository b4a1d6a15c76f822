//! Changing a consent, for whoever calls: who they are to the patient, and the one write path of the store.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::interactions::lens;
use crate::sharing::{birth, form};
use crate::voices::api::ApiStop;
use rules::answers::Refusal;
use rules::consent::caller::writing_team;
use rules::consent::change::WantedConsent;
use rules::consent::denial::Denial;
use rules::consent::glass::GlassDeed;
use rules::consent::record::Grantee;
use rules::ids::{PatientId, TeamId, UserId};
use rules::limits::CARED_FOR_AGE;
use rules::scope::Scope;
use serde_json::Value;
use store::organisations;
use store::reach::circle;
use store::sharing::change::{self, Sharer, SharingOutcome, SharingRequest};

/// A change that a caller wants of one consent.
#[derive(Debug)]
pub(crate) struct WantedChange {
    /// The FHIR id of the patient.
    pub patient: String,
    pub grantee: Grantee,
    pub wanted: WantedConsent,
    /// The user who attests for SITE.
    pub attesting: Option<UserId>,
    /// The Consent as it was sent, of which some elements are kept.
    pub sent: Option<Value>,
}

/// Makes it, or says why not.
pub(crate) async fn change(app: &App, caller: &Caller, change: WantedChange) -> Result<SharingOutcome, ApiStop> {
    caller.must_not_by_glass(GlassDeed::ChangeConsent)?;
    lens::must_open_sharing_of(caller, &change.patient)?;
    let number = known(app, caller, &change.patient).await?.ok_or(Refusal::Denied(Denial::NotFound))?;
    let sharer = sharer(app, caller, number, change.attesting).await?;
    let request = SharingRequest {
        patient: number,
        grantee: change.grantee,
        sharer,
        by: caller.user().or(change.attesting),
        wanted: change.wanted,
        born: birth::born(app, number, &change.patient).await.during("reading a Patient")?,
        carers_end_at_age: CARED_FOR_AGE,
        form: form::consent_form(app, change.sent),
    };
    let (store, now) = (app.store.by(caller.author()), caller.now());
    let made = change::change(&store, request, now, when::rfc3339(now)).await.during("changing a consent")?;
    Ok(made.map_err(Refusal::Denied)?)
}

/// The number of a patient whose consents the caller may ask about: the one that the session is about, or one of the organisation.
/// Of all others there is no telling whether they exist, in no step.
pub(crate) async fn known(app: &App, caller: &Caller, patient: &str) -> Result<Option<PatientId>, ApiStop> {
    let reach = caller.reach();
    if let (None, None, [team]) = (reach.record(), reach.organisation(), reach.teams()) {
        let team = organisations::team(&app.store, *team).await.during("looking a team up")?;
        let Some(team) = team else { return Ok(None) };
        let known = circle::known_to(&app.store, team.organisation.into(), patient).await;
        return Ok(known.during("looking a patient up")?);
    }
    let known = circle::in_reach(&app.store, &reach.without_glass(), patient, caller.now()).await;
    Ok(known.during("looking a patient up")?)
}

/// Who the caller is to a patient. To a patient's session every other record is as if it were not there.
pub(crate) async fn sharer(
    app: &App,
    caller: &Caller,
    patient: PatientId,
    attesting: Option<UserId>,
) -> Result<Sharer, ApiStop> {
    let reach = caller.reach();
    if let Some(record) = reach.record() {
        let is_about = record == patient;
        return match (reach.own(), reach.person()) {
            (Some(_), _) if is_about => Ok(Sharer::Patient),
            (None, Some(user)) if is_about => Ok(Sharer::Carer(user)),
            _ => Err(Refusal::Denied(Denial::NotFound).into()),
        };
    }
    match (caller.scope(), reach.organisation()) {
        (None, Some(organisation)) => Ok(Sharer::SystemClient(organisation)),
        (Some(Scope::Clinician | Scope::Site | Scope::TeamCoord), _) if reach.person().is_none() => {
            let team = writing_team(reach.teams()).map_err(Refusal::Denied)?;
            if caller.scope() == Some(Scope::TeamCoord) {
                return Ok(Sharer::Coordinator(team));
            }
            let attesting = match (caller.user(), attesting) {
                (Some(user), _) => Some(user),
                (None, Some(named)) => is_member(app, team, named).await?.then_some(named),
                (None, None) => None,
            };
            Ok(Sharer::Clinician { team, attesting })
        }
        _ => Ok(Sharer::Other),
    }
}

/// Whether a user is a member of a team.
pub(crate) async fn is_member(app: &App, team: TeamId, user: UserId) -> Result<bool, ApiStop> {
    let teams = organisations::teams_of_user(&app.store, user).await.during("listing the teams of a user")?;
    Ok(teams.iter().any(|own| own.id == team))
}
