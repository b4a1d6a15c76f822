//! A consent that the custom REST API is sent: whom it is for, what is wanted of it, and the one write path.

use super::change::{self, WantedChange};
use super::{given, grantee};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::interactions::record_view;
use crate::voices::api::ApiStop;
use rules::consent::record::Grantee;
use rules::ids::UserId;
use rules::invitations::is_email;
use rules::rest_errors::RestError;
use rules::rest_faults::{ShapeFault, ValueFault};
use rules::scope::{Scope, UserType};
use store::people;
use store::reach::{consents, grantees};
use views::kinds::consent::{ActorType, ConsentView, SentConsent};

const USER_ID: &str = "userId";

/// What became of it: the consent as it is now.
#[derive(Debug)]
pub(crate) struct SharedConsent {
    pub shown: ConsentView,
    pub is_new: bool,
}

/// Makes the consent of a pair, or changes it.
pub(crate) async fn share(
    app: &App,
    caller: &Caller,
    patient: &str,
    sent: &SentConsent,
) -> Result<SharedConsent, ApiStop> {
    caller.must_be_of_glass(patient)?;
    let missing = || RestError::NotFound("Patient");
    if sent.consent.patient_id.as_ref().is_some_and(|named| named != patient) {
        return Err(missing().into());
    }
    // Whom they name is told to nobody who may not ask about the patient.
    let number = change::known(app, caller, patient).await?.ok_or_else(missing)?;
    let attesting = attesting(app, caller, sent.attestation.user_id.as_deref()).await?;
    let grantee = grantee_of(app, patient, &sent.consent).await?;
    let wanted = sent.wanted(caller.scope() == Some(Scope::Patient));
    let change = WantedChange { patient: patient.to_owned(), grantee, wanted, attesting, sent: None };
    let outcome = change::change(app, caller, change).await?;
    let mut shown = given::shown(app, caller, patient, std::slice::from_ref(&outcome.consent)).await?;
    let Some(mut shown) = shown.pop() else { return Err(missing().into()) };
    shown.actor_email.clone_from(&sent.consent.actor_email);
    record_view::of_record(app, caller, number).await?;
    Ok(SharedConsent { shown, is_new: outcome.is_new })
}

/// The user who attests: a team's session names one of the team, everybody else nobody but themselves.
async fn attesting(app: &App, caller: &Caller, named: Option<&str>) -> Result<Option<UserId>, ApiStop> {
    let Some(named) = named else { return Ok(None) };
    let number = named.parse().ok().map(UserId);
    if caller.user().is_some() {
        let why = ShapeFault::MemberOfOthers { path: USER_ID, only: Scope::Site.word() }.words();
        return if number == caller.user() { Ok(None) } else { Err(RestError::BadRequest(why).into()) };
    }
    let is_member = match (number, caller.reach().teams()) {
        (Some(user), [team]) => change::is_member(app, *team, user).await?,
        _ => false,
    };
    let why = || RestError::Unprocessable(format!("{USER_ID}: {}", ValueFault::NotOfTeam.words()));
    Ok(Some(number.filter(|_| is_member).ok_or_else(why)?))
}

/// Whom a consent that was sent names.
async fn grantee_of(app: &App, patient: &str, sent: &ConsentView) -> Result<Grantee, ApiStop> {
    let id = sent.actor_id.as_deref().unwrap_or_default();
    let (member, found) = match (sent.actor_type, sent.actor_email.as_deref()) {
        (ActorType::Team, _) => ("actorId", grantee::team(app, id).await?),
        (ActorType::Professional, _) => ("actorId", grantee::professional(app, id).await?),
        (ActorType::Carer, Some(address)) => ("actorEmail", invited(app, patient, address).await?),
        (ActorType::Carer, None) => ("actorId", carer(app, patient, id).await?),
    };
    let why = || RestError::Unprocessable(format!("{member}: {}", ValueFault::NoGrantee.words()));
    Ok(found.ok_or_else(why)?)
}

/// The carer of this id: that of their own Patient, or of the RelatedPerson that they are in this record.
async fn carer(app: &App, patient: &str, id: &str) -> Result<Option<Grantee>, ApiStop> {
    if let Ok(consent) = id.parse() {
        let there = consents::find(&app.store, consent).await.during("looking a consent up")?;
        let there = there.map(|there| there.given.consent).filter(|consent| consent.grantee.is_carer());
        let number = store::patients::find(&app.store, patient).await.during("looking a patient up")?;
        if let Some(there) = there.filter(|there| Some(there.patient) == number) {
            return Ok(Some(there.grantee));
        }
    }
    // Nobody is their own carer.
    if id == patient {
        return Ok(None);
    }
    let account = grantees::account_of(&app.store, id).await.during("looking an account up")?;
    Ok(account.map(Grantee::Carer))
}

/// The patient's account that goes by this e-mail address.
async fn invited(app: &App, patient: &str, address: &str) -> Result<Option<Grantee>, ApiStop> {
    if !is_email(address) {
        return Ok(None);
    }
    let user = people::find(&app.store, address).await.during("looking an account up")?;
    let user = user.filter(|user| user.user_type == UserType::Patient && user.patient_id.as_deref() != Some(patient));
    Ok(user.map(|user| Grantee::Carer(user.id)))
}
