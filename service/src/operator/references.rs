//! Whether what a declaration refers to is there, declared beside it or in the store; all that is not is told at once.

use super::declaration::{Declaration, Password};
use super::refusal::OperatorRefusal;
use super::request::How;
use crate::app::App;
use rules::clients::{ClientKind, Obtains};
use std::collections::{HashMap, HashSet};
use store::sharing::declared::GranteeName;
use store::world::SELF_MADE;
use store::{clients, invited_accounts, organisations, people};

/// What is in the store already, by name.
struct KnownNames {
    organisations: HashSet<String>,
    teams: HashSet<String>,
    clients: HashMap<String, ClientKind>,
}

/// All that is wrong with a declaration as far as only the store can tell.
pub(super) async fn check(app: &App, declared: &Declaration, how: How) -> Result<Vec<String>, OperatorRefusal> {
    let store = &app.store;
    let there = KnownNames {
        organisations: organisations::list(store).await?.into_iter().map(|o| o.public_id).collect(),
        teams: organisations::list_teams(store).await?.into_iter().map(|t| t.public_id).collect(),
        clients: clients::list(store).await?.into_iter().map(|c| (c.client_id, c.kind)).collect(),
    };
    let mut problems = Problems(Vec::new());
    if how == How::OnlyNew {
        already_there(declared, &there, &mut problems);
    }
    references(declared, &there, &mut problems);
    for user in &declared.users {
        let stored = people::find(store, &user.username).await?;
        let name = format!("user {}", user.username);
        if stored.is_some() && how == How::OnlyNew {
            problems.note(&user.at, &name, "is there already; change it with `recordgate apply`");
        }
        if let Some(stored) = stored.as_ref().filter(|stored| stored.user_type != user.user_type)
            && invited_accounts::of_user(store, stored.id).await?.is_some()
        {
            problems.note(&user.at, &name, SELF_MADE);
        }
        if stored.is_none() && matches!(user.password, Password::Kept) {
            problems.note(&user.at, &name, "has no password; give password or password_hash");
        }
        for consent in &user.consents {
            let (GranteeName::Carer(person) | GranteeName::Professional(person)) = &consent.to else { continue };
            let is_declared = declared.users.iter().any(|user| user.username == *person);
            if !is_declared && people::find(store, person).await?.is_none() {
                let name = format!("consent of {}", consent.patient);
                problems.note(&consent.at, &name, &format!("there is no user {person}; declare it too"));
            }
        }
        // They may be many, and each is read in place.
        tokio::task::yield_now().await;
    }
    Ok(problems.0)
}

fn already_there(declared: &Declaration, there: &KnownNames, problems: &mut Problems) {
    let why = "is there already; change it with `recordgate apply`";
    for organisation in declared.organisations.iter().filter(|o| there.organisations.contains(&o.public_id)) {
        problems.note(&organisation.at, &format!("organisation {}", organisation.public_id), why);
    }
    for team in declared.teams.iter().filter(|t| there.teams.contains(&t.public_id)) {
        problems.note(&team.at, &format!("team {}", team.public_id), why);
    }
    for client in declared.clients.iter().filter(|c| there.clients.contains_key(&c.client_id)) {
        problems.note(&client.at, &format!("client {}", client.client_id), why);
    }
}

fn references(declared: &Declaration, there: &KnownNames, problems: &mut Problems) {
    let organisations: HashSet<&str> = declared.organisations.iter().map(|o| o.public_id.as_str()).collect();
    let teams: HashSet<&str> = declared.teams.iter().map(|t| t.public_id.as_str()).collect();
    let clients: HashMap<&str, ClientKind> = declared.clients.iter().map(|c| (c.client_id.as_str(), c.kind)).collect();
    let has_organisation = |id: &str| organisations.contains(id) || there.organisations.contains(id);
    for team in declared.teams.iter().filter(|team| !has_organisation(&team.organisation)) {
        let why = format!("there is no organisation {}; declare it too", team.organisation);
        problems.note(&team.at, &format!("team {}", team.name), &why);
    }
    for user in &declared.users {
        if let Some(organisation) = user.organisation.as_ref().filter(|id| !has_organisation(id)) {
            let why = format!("there is no organisation {organisation}; declare it too");
            problems.note(&user.at, &format!("user {}", user.username), &why);
        }
    }
    let users = declared.users.iter().map(|user| (&user.at, format!("user {}", user.username), &user.teams));
    let patients = declared.patients.iter().map(|one| (&one.at, format!("patient {}", one.id), &one.teams));
    for (at, name, of) in users.chain(patients) {
        for team in of.iter().filter(|id| !teams.contains(id.as_str()) && !there.teams.contains(*id)) {
            problems.note(at, &name, &format!("there is no team {team}; declare it too"));
        }
    }
    for consent in declared.users.iter().flat_map(|user| &user.consents) {
        if let GranteeName::Team(team) = &consent.to
            && !teams.contains(team.as_str())
            && !there.teams.contains(team)
        {
            let name = format!("consent of {}", consent.patient);
            problems.note(&consent.at, &name, &format!("there is no team {team}; declare it too"));
        }
    }
    for client in &declared.clients {
        if let Some(kind) = there.clients.get(&client.client_id).filter(|kind| **kind != client.kind) {
            let why = format!(
                "is registered as a {}; a client's kind cannot change, register a new Client ID",
                kind.contract_name()
            );
            problems.note(&client.at, &format!("client {}", client.client_id), &why);
        }
    }
    for grant in &declared.organisation_grants {
        let name = format!("organisation_grant to {}", grant.client);
        if !has_organisation(&grant.organisation) {
            let why = format!("there is no organisation {}; declare it too", grant.organisation);
            problems.note(&grant.at, &name, &why);
        }
        for team in
            grant.through.iter().flatten().filter(|id| !teams.contains(id.as_str()) && !there.teams.contains(*id))
        {
            problems.note(&grant.at, &name, &format!("there is no team {team}; declare it too"));
        }
        match clients.get(grant.client.as_str()).or_else(|| there.clients.get(&grant.client)) {
            None => problems.note(&grant.at, &name, "there is no such client; declare it too"),
            Some(kind) if kind.obtains() != Obtains::ClientCredentials => {
                let why = format!("it is a {}; organisations grant access to System Clients", kind.contract_name());
                problems.note(&grant.at, &name, &why);
            }
            Some(_) => {}
        }
    }
}

struct Problems(Vec<String>);

impl Problems {
    fn note(&mut self, at: &str, name: &str, why: &str) {
        let place = if at.is_empty() { String::new() } else { format!("{at}: ") };
        self.0.push(format!("{place}{name}: {why}"));
    }
}
