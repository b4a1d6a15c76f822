//! The declared world: organisations, teams, users, clients and grants as a file states them, made so in one go.

use crate::access::clients::{self, Client};
use crate::access::memberships;
use crate::access::organisations::{self, Organisation, Team};
use crate::access::patients;
use crate::access::people::{self, User};
use crate::engine::Tx;
use crate::error::{Error, Result};
use crate::ids::Ids;
use crate::records::{registrations, sight};
use crate::sql::statement::statements;
use crate::store::Store;
use rules::clients::ClientKind;
use rules::ids::TeamId;
use rules::moment::Moment;
use rules::scope::UserType;

/// What shall be there. The `id`s inside are ignored; names decide what is the same thing.
#[derive(Debug, Default)]
pub struct World {
    pub organisations: Vec<Organisation>,
    /// With the public id of each team's organisation.
    pub teams: Vec<(Team, String)>,
    /// With the public ids of each user's teams.
    pub users: Vec<(User, Vec<String>)>,
    pub clients: Vec<Client>,
    /// Organisation's public id and Client ID.
    pub organisation_grants: Vec<(String, String)>,
}

/// What one part of the world turned out to need.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Created,
    Updated,
    Unchanged,
}

/// One line of what `apply` did: the sort of thing, its name, and what became of it.
#[derive(Clone, Debug)]
pub struct Applied {
    pub what: &'static str,
    pub name: String,
    pub change: Change,
}

statements! {
    REHEARSE = "SAVEPOINT rehearsal";
    TAKE_BACK = "ROLLBACK TO SAVEPOINT rehearsal";
    END_REHEARSAL = "RELEASE SAVEPOINT rehearsal";
}

/// Makes the world as declared, all of it or nothing, and says what changed. What is not declared stays as it is.
pub async fn apply(store: &Store, world: World, now: Moment) -> Result<Vec<Applied>> {
    let ids = store.ids.clone();
    store.write(move |tx| Box::pin(async move { apply_in(tx, &ids, &world, now).await })).await
}

/// What `apply` would change, changing nothing: the same work, taken back at its end.
pub async fn rehearse(store: &Store, world: World, now: Moment) -> Result<Vec<Applied>> {
    let ids = store.ids.clone();
    let write = store.write(move |tx| {
        Box::pin(async move {
            let fill = tx.notebook().fill();
            tx.execute(REHEARSE, &[]).await?;
            let done = apply_in(tx, &ids, &world, now).await?;
            tx.execute(TAKE_BACK, &[]).await?;
            tx.execute(END_REHEARSAL, &[]).await?;
            // What did not happen has no lines.
            tx.notebook().cut(fill);
            Ok(done)
        })
    });
    write.await
}

async fn apply_in(tx: &mut Tx<'_>, ids: &Ids, world: &World, now: Moment) -> Result<Vec<Applied>> {
    let mut done = Vec::new();
    for wanted in &world.organisations {
        let before = organisations::load(tx, &wanted.public_id).await?;
        let wanted =
            Organisation { id: before.as_ref().map_or_else(|| ids.next(now).into(), |b| b.id), ..wanted.clone() };
        let change = changed(before.as_ref(), &wanted);
        if change != Change::Unchanged {
            organisations::put(tx, ids, before.as_ref(), &wanted, now).await?;
        }
        done.push(Applied { what: "organisation", name: wanted.name, change });
    }
    for (wanted, organisation) in &world.teams {
        let home = organisations::load(tx, organisation)
            .await?
            .ok_or_else(|| unknown("team", &wanted.name, "organisation", organisation))?;
        let before = organisations::load_team(tx, &wanted.public_id).await?;
        let wanted = Team {
            id: before.as_ref().map_or_else(|| ids.next(now).into(), |b| b.id),
            organisation: home.id,
            organisation_name: home.name,
            ..wanted.clone()
        };
        let change = changed(before.as_ref(), &wanted);
        if change != Change::Unchanged {
            organisations::put_team(tx, ids, before.as_ref(), &wanted, now).await?;
            sight::derive_for_team(tx, wanted.id).await?;
        }
        done.push(Applied { what: "team", name: wanted.name, change });
    }
    for (wanted, teams) in &world.users {
        done.push(apply_user(tx, ids, wanted, teams, now).await?);
    }
    for wanted in &world.clients {
        done.push(apply_client(tx, ids, wanted, now).await?);
    }
    for (organisation, client) in &world.organisation_grants {
        done.push(apply_grant(tx, ids, organisation, client, now).await?);
    }
    Ok(done)
}

async fn apply_user(tx: &mut Tx<'_>, ids: &Ids, wanted: &User, teams: &[String], now: Moment) -> Result<Applied> {
    let before = people::load(tx, &wanted.username).await?;
    let wanted = User {
        id: before.as_ref().map_or_else(|| ids.next(now).into(), |b| b.id),
        frozen_at: before.as_ref().and_then(|b| b.frozen_at),
        deceased: before.as_ref().is_some_and(|b| b.deceased),
        username: wanted.username.to_lowercase(),
        ..wanted.clone()
    };
    let mut change = changed(before.as_ref(), &wanted);
    if change != Change::Unchanged {
        people::put(tx, ids, before.as_ref(), &wanted, now).await?;
    }
    let mut team_ids = Vec::new();
    for public_id in teams {
        let team = organisations::load_team(tx, public_id).await?;
        team_ids.push(team.ok_or_else(|| unknown("user", &wanted.username, "team", public_id))?.id);
    }
    team_ids.sort_unstable();
    team_ids.dedup();
    if set_teams(tx, ids, &wanted, &team_ids, now).await? && change == Change::Unchanged {
        change = Change::Updated;
    }
    Ok(Applied { what: "user", name: wanted.username, change })
}

/// Makes `teams` the user's teams: a patient is registered with them, anyone else is a member. Tells whether that
/// changed anything.
async fn set_teams(tx: &mut Tx<'_>, ids: &Ids, user: &User, teams: &[TeamId], now: Moment) -> Result<bool> {
    if let (Some(patient), UserType::Patient) = (&user.patient_id, user.user_type) {
        let patient = patients::number(tx, ids, patient, now).await?;
        return registrations::set(tx, ids, patient, teams, now).await;
    }
    memberships::set(tx, ids, user.id, teams, now).await
}

async fn apply_client(tx: &mut Tx<'_>, ids: &Ids, wanted: &Client, now: Moment) -> Result<Applied> {
    let before = clients::load(tx, &wanted.client_id).await?;
    if let Some(before) = &before
        && before.kind != wanted.kind
    {
        return Err(Error::Setup(format!(
            "client {}: it is registered as a {}; a client's kind cannot change, register a new Client ID",
            wanted.client_id,
            before.kind.contract_name()
        )));
    }
    let wanted = Client {
        id: before.as_ref().map_or_else(|| ids.next(now).into(), |b| b.id),
        disabled_at: before.as_ref().and_then(|b| b.disabled_at),
        ..wanted.clone()
    };
    let change = changed(before.as_ref(), &wanted);
    if change != Change::Unchanged {
        clients::put(tx, ids, before.as_ref(), &wanted, now).await?;
    }
    Ok(Applied { what: "client", name: wanted.client_id, change })
}

async fn apply_grant(tx: &mut Tx<'_>, ids: &Ids, organisation: &str, client: &str, now: Moment) -> Result<Applied> {
    let name = format!("{client} by {organisation}");
    let home = organisations::load(tx, organisation).await?;
    let home = home.ok_or_else(|| unknown("organisation_grant", &name, "organisation", organisation))?;
    let grantee = clients::load(tx, client).await?;
    let grantee = grantee.ok_or_else(|| unknown("organisation_grant", &name, "client", client))?;
    if grantee.kind != ClientKind::System {
        return Err(Error::Setup(format!(
            "organisation_grant {name}: an organisation grants access to System Clients; {client} is a {}",
            grantee.kind.contract_name()
        )));
    }
    let granted = organisations::grant(tx, ids, home.id, &grantee, now).await?;
    Ok(Applied { what: "organisation_grant", name, change: if granted { Change::Created } else { Change::Unchanged } })
}

fn changed<T: PartialEq>(before: Option<&T>, wanted: &T) -> Change {
    match before {
        None => Change::Created,
        Some(before) if before == wanted => Change::Unchanged,
        Some(_) => Change::Updated,
    }
}

fn unknown(what: &str, name: &str, missing: &str, public_id: &str) -> Error {
    Error::Setup(format!("{what} {name}: there is no {missing} {public_id}; declare it first"))
}
