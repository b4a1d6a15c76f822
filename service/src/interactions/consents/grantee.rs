//! Grantees by the names that callers and operators know them by.

use crate::app::App;
use crate::app::trouble::During;
use crate::voices::api::ApiStop;
use fhir::consent::GranteeReference;
use rules::answers::Refusal;
use rules::consent::record::Grantee;
use rules::ids::UserId;
use rules::scope::UserType;
use store::reach::consents;
use store::{organisations, people};

/// Whom a Consent names.
pub(crate) async fn of_reference(app: &App, reference: &GranteeReference) -> Result<Grantee, ApiStop> {
    let found = match reference {
        GranteeReference::Organization(id) => team(app, id).await?,
        GranteeReference::Practitioner(id) => professional(app, id).await?,
        GranteeReference::RelatedPerson(id) => match id.parse() {
            Ok(id) => {
                let there = consents::find(&app.store, id).await.during("looking a consent up")?;
                there.map(|there| there.consent().grantee).filter(|grantee| grantee.is_carer())
            }
            Err(_) => None,
        },
    };
    let reference = reference.reference();
    found.ok_or_else(|| {
        let what = "is neither a team, nor a professional without a team, nor a carer of this patient here";
        Refusal::Unprocessable(format!("Consent.provision.actor: {reference} {what}")).into()
    })
}

/// The team of this public id.
pub(crate) async fn team(app: &App, public_id: &str) -> Result<Option<Grantee>, ApiStop> {
    let team = organisations::find_team(&app.store, &public_id.to_lowercase()).await.during("looking a team up")?;
    Ok(team.map(|team| Grantee::Team(team.id)))
}

/// The CLINICIAN without a team whose Practitioner has this id.
pub(crate) async fn professional(app: &App, id: &str) -> Result<Option<Grantee>, ApiStop> {
    let Ok(number) = id.parse() else { return Ok(None) };
    let found = people::numbered(&app.store, UserId(number)).await.during("looking a user up")?;
    let Some(user) = found.filter(|user| user.user_type == UserType::Clinician) else { return Ok(None) };
    let teams = organisations::teams_of_user(&app.store, user.id).await.during("listing the teams of a user")?;
    Ok(teams.is_empty().then_some(Grantee::Professional(user.id)))
}
