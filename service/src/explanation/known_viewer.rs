//! A viewer who was found: their reach, as a call of theirs would have it, and what they are called.

use super::viewer_name::ViewerName;
use crate::app::App;
use rules::consent::state::AccountState;
use rules::ids::{OrganisationId, PatientId, TeamId, UserId, ViewerId};
use rules::reach::Reach;
use rules::scope::UserType;
use store::organisations::{self, Team};
use store::people::{self, User};
use store::{Result, patients};

/// Who looks.
#[derive(Debug)]
pub(crate) struct KnownViewer {
    pub reach: Reach,
    /// `the team Sleep Clinic`.
    pub words: String,
    /// Of a person; a team's grant and a System Client have none.
    pub account: Option<AccountState>,
    /// Each through whose eyes they look, and what they are called.
    pub names: Vec<(ViewerId, String)>,
}

/// The viewer of this name, before a patient's record; or why there is none.
pub(crate) async fn find(
    app: &App,
    name: &ViewerName,
    patient: PatientId,
) -> Result<std::result::Result<KnownViewer, String>> {
    match name {
        ViewerName::Team(id) => Ok(team(app, id).await?.map(of_team)),
        ViewerName::User { username, team: named } => {
            let Some(user) = people::find(&app.store, username).await? else {
                return Ok(Err(format!("there is no user {username}; see `recordgate user list`")));
            };
            of_user(app, &user, named.as_deref(), patient).await
        }
        ViewerName::Organisation { organisation, through } => {
            let Some(found) = organisations::find(&app.store, organisation).await? else {
                return Ok(Err(format!("there is no organisation {organisation}; see `recordgate organisation list`")));
            };
            let mut teams = Vec::new();
            for id in through {
                match team(app, id).await? {
                    Ok(team) if team.organisation == found.id => teams.push(team),
                    Ok(_) => return Ok(Err(format!("{id} is no team of the organisation {organisation}"))),
                    Err(why) => return Ok(Err(why)),
                }
            }
            Ok(Ok(of_organisation(found.id, &found.name, &teams)))
        }
    }
}

/// The viewer whom a line of the ledger names by numbers; nobody where all of them are gone.
pub(crate) async fn numbered(
    app: &App,
    (user, team, organisation): (Option<UserId>, Option<TeamId>, Option<OrganisationId>),
    patient: PatientId,
) -> Result<Option<KnownViewer>> {
    if let Some(team) = team {
        return Ok(organisations::team(&app.store, team).await?.map(of_team));
    }
    if let Some(organisation) = organisation {
        let found = organisations::numbered(&app.store, organisation).await?;
        return Ok(found.map(|found| of_organisation(found.id, &found.name, &[])));
    }
    let Some(user) = user else { return Ok(None) };
    match people::numbered(&app.store, user).await? {
        Some(user) => Ok(of_user(app, &user, None, patient).await?.ok()),
        None => Ok(None),
    }
}

async fn team(app: &App, id: &str) -> Result<std::result::Result<Team, String>> {
    let found = organisations::find_team(&app.store, id).await?;
    Ok(found.ok_or_else(|| format!("there is no team {id}; see `recordgate team list`")))
}

fn of_team(team: Team) -> KnownViewer {
    let words = format!("the team {}", team.name);
    KnownViewer {
        reach: Reach::of_teams(vec![team.id]),
        names: vec![(team.id.into(), words.clone())],
        words,
        account: None,
    }
}

fn of_organisation(organisation: OrganisationId, name: &str, through: &[Team]) -> KnownViewer {
    let words = format!("the organisation {name}");
    let teams = through.iter().map(|team| (ViewerId::from(team.id), format!("the team {}", team.name)));
    KnownViewer {
        reach: Reach::of_organisation_through(organisation, through.iter().map(|team| team.id).collect()),
        names: std::iter::once((ViewerId::from(organisation), words.clone())).chain(teams).collect(),
        words,
        account: None,
    }
}

/// A person: the patient, a carer, a professional for one team or without any.
async fn of_user(
    app: &App,
    user: &User,
    named: Option<&str>,
    patient: PatientId,
) -> Result<std::result::Result<KnownViewer, String>> {
    let own = match &user.patient_id {
        Some(own) => patients::find(&app.store, own).await?,
        None => None,
    };
    let mut account = AccountState { frozen: user.frozen_at.is_some(), own_record_shuts_out: false };
    if let Some(own) = own {
        let state = patients::state(&app.store, own).await?;
        account.own_record_shuts_out = state.is_some_and(|state| state.shuts_out());
    }
    let mut names = vec![(ViewerId::from(user.id), user.name.clone())];
    let mut teams = match user.user_type {
        UserType::Clinician | UserType::TeamCoord => organisations::teams_of_user(&app.store, user.id).await?,
        UserType::Patient | UserType::Admin | UserType::PrivacyOfficer => Vec::new(),
    };
    if let Some(named) = named {
        teams.retain(|team| team.public_id == named);
        if teams.is_empty() {
            return Ok(Err(format!("user {} is no member of the team {named}", user.username)));
        }
    }
    let reach = match (user.user_type, teams.as_slice()) {
        (UserType::Admin | UserType::PrivacyOfficer, _) => {
            return Ok(Err(format!("user {} is a {}, who looks at no record", user.username, user.user_type.word())));
        }
        (UserType::Patient, _) if own == Some(patient) => Reach::of_patient(patient),
        (UserType::Patient, _) => Reach::of_carer(user.id, patient),
        (UserType::Clinician, []) => Reach::of_individual(user.id),
        (_, []) => Reach::of_member(user.id, Vec::new()),
        (_, [team]) => {
            names.push((team.id.into(), format!("the team {}", team.name)));
            Reach::of_member(user.id, vec![team.id])
        }
        (_, several) => {
            let ids: Vec<&str> = several.iter().map(|team| team.public_id.as_str()).collect();
            let (name, ids) = (&user.username, ids.join(", "));
            return Ok(Err(format!("user {name} looks for one team at a time: say user:{name}+TEAM, one of {ids}")));
        }
    };
    let words = match teams.first() {
        Some(team) => format!("{} for the team {}", user.name, team.name),
        None => user.name.clone(),
    };
    Ok(Ok(KnownViewer { reach, words, account: Some(account), names }))
}
