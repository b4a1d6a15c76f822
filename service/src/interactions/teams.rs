//! The teams of a caller, and the patients whom one of them has in its care.

use super::noted::Noted;
use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::caller::Caller;
use crate::formats::when;
use crate::voices::api::ApiStop;
use fhir::json;
use fhir::types::ResourceType;
use rules::ids::{PatientId, TeamId};
use rules::labels::{Label, Labels};
use rules::rest_errors::RestError;
use store::organisations::{self, Team};
use store::reach::consents::StoredConsent;
use store::reach::in_care::{self, CareState};
use store::{patients, read as records};
use views::item::PrivacyLabel;
use views::kinds::person::{PatientFacts, Person};
use views::kinds::team::{Care, TeamOrganisation, TeamPatient, TeamView};

/// The teams through which the caller looks.
pub(crate) async fn mine(app: &App, caller: &Caller) -> Result<Vec<TeamView>, Trouble> {
    let mut shown = Vec::new();
    for team in teams(app, caller).await? {
        let home = organisations::numbered(&app.store, team.organisation).await.during("looking an organisation up")?;
        let id = home.map(|home| home.public_id).unwrap_or_default();
        shown.push(TeamView {
            id: team.public_id,
            name: team.name,
            organisation: TeamOrganisation { id, name: team.organisation_name },
            default_label: label(team.settings.default_label),
            default_access: labels(team.settings.default_access),
            break_glass: team.settings.break_glass,
        });
    }
    Ok(shown)
}

async fn teams(app: &App, caller: &Caller) -> Result<Vec<Team>, Trouble> {
    let mut teams = Vec::new();
    for team in caller.reach().teams() {
        teams.extend(organisations::team(&app.store, *team).await.during("looking a team up")?);
    }
    Ok(teams)
}

/// The team of this public id, if the caller looks through it.
pub(crate) async fn own(app: &App, caller: &Caller, public_id: &str) -> Result<TeamId, ApiStop> {
    let own = teams(app, caller).await?.into_iter().find(|team| team.public_id == public_id.to_lowercase());
    Ok(own.ok_or(RestError::NotFound("Team"))?.id)
}

/// Some of a team's patients, whoever came last first, and behind whom the next ones are. Each is looked at.
pub(crate) async fn patients(
    app: &App,
    caller: &Caller,
    (team, state): (TeamId, CareState),
    before: Option<PatientId>,
    limit: usize,
) -> Result<(Vec<TeamPatient>, Option<PatientId>), ApiStop> {
    let one_more = i64::try_from(limit + 1).unwrap_or(i64::MAX);
    let found = in_care::of_team(&app.store, (team, state), before, (one_more, caller.now())).await;
    let mut found = found.during("listing the patients of a team")?;
    let is_more = found.len() > limit;
    found.truncate(limit);
    let next = found.last().map(|last| last.consent().patient).filter(|_| is_more);
    let mut shown = Vec::new();
    for consent in &found {
        shown.extend(patient(app, caller, consent).await?);
    }
    Ok((shown, next))
}

/// One of them, as far as the caller sees them.
async fn patient(app: &App, caller: &Caller, stored: &StoredConsent) -> Result<Option<TeamPatient>, Trouble> {
    let consent = stored.consent();
    let id = patients::fhir_id(&app.store, consent.patient).await.during("looking a patient up")?;
    let Some(id) = id else { return Ok(None) };
    let found = records::read(&app.store, caller.reach(), ResourceType::Patient, &id, caller.now()).await;
    let Some(found) = found.during("reading a Patient of a team")? else { return Ok(None) };
    Ok(Some(shown(&Noted::one(app, caller, found), stored)))
}

/// A patient who was looked at, with what the team has of them.
pub(super) fn shown(found: &Noted, stored: &StoredConsent) -> TeamPatient {
    let consent = stored.consent();
    let banner = Person::patient(&found.id, json::read(&found.body).as_ref(), PatientFacts::default()).banner();
    let care = Care {
        labels: labels(consent.labels),
        discharged: consent.discharged,
        date_added: when::rfc3339(stored.made_at),
    };
    TeamPatient { banner, care }
}

fn labels(held: Labels) -> Vec<PrivacyLabel> {
    held.each().map(label).collect()
}

fn label(label: Label) -> PrivacyLabel {
    PrivacyLabel::named(label.code()).unwrap_or_default()
}
