//! What making a declared world would change, found out by reading alone: a dry run takes no turn at the writer.

use super::comparison::{Change, changed, wanted_client, wanted_organisation, wanted_team, wanted_user};
use super::world::{Applied, WantedGrant, WantedTeam, World, consent_change, consented_teams};
use crate::access::clients::{self, Client};
use crate::access::organisations::{self, Team, WantedTerms};
use crate::access::people::{self, User};
use crate::error::Result;
use crate::records::reach::registrations;
use crate::records::sharing::declared;
use crate::store::Store;
use rules::ids::{ClientId, OrganisationId, TeamId, UserId};
use rules::moment::Moment;
use rules::scope::UserType;
use std::collections::BTreeSet;

/// What `world::apply` would say of this world. Whether what the world refers to is there, the caller has seen to.
pub async fn rehearse(store: &Store, world: &World, now: Moment) -> Result<Vec<Applied>> {
    let mut told = Vec::new();
    for wanted in &world.organisations {
        let before = organisations::find(store, &wanted.public_id).await?;
        let change = changed(before.as_ref(), &wanted_organisation(before.as_ref(), wanted, OrganisationId::default));
        told.push(Applied { what: "organisation", name: wanted.name.clone(), change });
    }
    for wanted in &world.teams {
        let change = team(store, wanted).await?;
        told.push(Applied { what: "team", name: wanted.name.clone(), change });
    }
    for (wanted, teams) in &world.users {
        let apart = wanted.patient_id.as_deref().map_or_else(BTreeSet::new, |patient| apart(world, patient));
        let change = user(store, wanted, (teams, &apart)).await?;
        told.push(Applied { what: "user", name: wanted.username.to_lowercase(), change });
        // Each is read in place; others on this thread get their turn all the same.
        tokio::task::yield_now().await;
    }
    for (patient, teams) in &world.patients {
        let is_same = has_these(store, patient, (teams, &apart(world, patient))).await?;
        let change = if is_same { Change::Unchanged } else { Change::Updated };
        told.push(Applied { what: "patient", name: patient.clone(), change });
    }
    for wanted in &world.consents {
        let change = consent_change(declared::rehearse(store, wanted, now).await?);
        told.push(Applied { what: "consent", name: wanted.name(), change });
    }
    for wanted in &world.clients {
        let change = client(store, wanted).await?;
        told.push(Applied { what: "client", name: wanted.client_id.clone(), change });
    }
    for wanted in &world.organisation_grants {
        let WantedGrant { organisation, client, .. } = wanted;
        let change = grant(store, wanted).await?;
        told.push(Applied { what: "organisation_grant", name: format!("{client} by {organisation}"), change });
    }
    Ok(told)
}

async fn team(store: &Store, wanted: &WantedTeam) -> Result<Change> {
    let Some(before) = organisations::find_team(store, &wanted.public_id).await? else { return Ok(Change::Created) };
    // An organisation that is yet to be made is another than the one it has.
    let home = organisations::find(store, &wanted.organisation).await?;
    let home = home.map_or_else(|| (OrganisationId::default(), String::new()), |home| (home.id, home.name));
    Ok(changed(Some(&before), &wanted_team(Some(&before), wanted, home, TeamId::default)))
}

async fn user(store: &Store, wanted: &User, teams: (&[String], &BTreeSet<&str>)) -> Result<Change> {
    let before = people::find(store, &wanted.username).await?;
    let wanted = wanted_user(before.as_ref(), wanted, UserId::default);
    let change = changed(before.as_ref(), &wanted);
    if change != Change::Unchanged {
        return Ok(change);
    }
    let is_same = match (&wanted.patient_id, wanted.user_type) {
        (Some(patient), UserType::Patient) => has_these(store, patient, teams).await?,
        _ => names(&organisations::teams_of_user(store, wanted.id).await?) == set(teams.0),
    };
    Ok(if is_same { Change::Unchanged } else { Change::Updated })
}

/// Whether the teams that are declared have the patient, and no other that was declared before: what the patient has given stays.
async fn has_these(store: &Store, patient: &str, (teams, apart): (&[String], &BTreeSet<&str>)) -> Result<bool> {
    let (there, declared) =
        (registrations::teams(store, patient).await?, registrations::declared(store, patient).await?);
    let (wanted, there) = (set(teams), names(&there));
    let stays = |team: &String| wanted.contains(team.as_str()) || apart.contains(team.as_str());
    Ok(wanted.is_subset(&there) && declared.iter().all(stays))
}

fn names(teams: &[Team]) -> BTreeSet<&str> {
    teams.iter().map(|team| team.public_id.as_str()).collect()
}

fn set(teams: &[String]) -> BTreeSet<&str> {
    teams.iter().map(String::as_str).collect()
}

/// The teams to which a patient's consent is declared by itself.
fn apart<'w>(world: &'w World, patient: &'w str) -> BTreeSet<&'w str> {
    consented_teams(&world.consents, patient).collect()
}

async fn grant(store: &Store, wanted: &WantedGrant) -> Result<Change> {
    let Some(there) = organisations::granted(store, &wanted.organisation, &wanted.client).await? else {
        return Ok(Change::Created);
    };
    let mut teams = Vec::new();
    for public_id in wanted.through.iter().flatten() {
        match organisations::find_team(store, public_id).await? {
            Some(team) => teams.push(team.id),
            // It is yet to be made, so nobody looks through it.
            None => return Ok(Change::Updated),
        }
    }
    let terms = WantedTerms { client_ids: wanted.client_ids, through: wanted.through.as_ref().map(|_| teams) };
    Ok(changed(Some(&there), &terms.over(&there)))
}

async fn client(store: &Store, wanted: &Client) -> Result<Change> {
    let before = clients::find(store, &wanted.client_id).await?;
    Ok(changed(before.as_deref(), &wanted_client(before.as_deref(), wanted, ClientId::default)))
}
