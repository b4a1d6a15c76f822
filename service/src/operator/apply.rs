//! Making a declaration so: what it refers to is looked up, its passwords hashed, its secrets made, then all of it is
//! written in one transaction.

use super::check::Check;
use super::client_keys;
use super::declaration::{ClientDeclaration, Declaration, Password, UserDeclaration};
use super::new_passwords::{self, Candidate};
use super::references;
use super::refusal::OperatorRefusal;
use super::reply::{ApplyReport, Change, NewSecret};
use super::request::{How, Progress};
use crate::app::App;
use crate::secrets::dice;
use crate::secrets::passwords::NotTaken;
use rules::ids::{ClientId, OrganisationId, TeamId, UserId};
use store::Store;
use store::clients::{self, Client};
use store::organisations::{Organisation, Team};
use store::people::{self, PasswordHash, User};
use store::world::{self, World};

pub(super) async fn apply(
    app: &App,
    store: &Store,
    declared: Declaration,
    how: How,
    progress: &Progress,
) -> Result<ApplyReport, OperatorRefusal> {
    let problems = references::check(app, &declared, how).await?;
    if !problems.is_empty() {
        return Err(OperatorRefusal(problems));
    }
    let mut secrets = Vec::new();
    let mut world = World {
        organisations: declared
            .organisations
            .into_iter()
            .map(|o| Organisation { id: OrganisationId::default(), public_id: o.public_id, name: o.name })
            .collect(),
        teams: declared
            .teams
            .into_iter()
            .map(|t| {
                let name = String::new();
                (
                    Team {
                        id: TeamId::default(),
                        public_id: t.public_id,
                        organisation: OrganisationId::default(),
                        organisation_name: name,
                        name: t.name,
                    },
                    t.organisation,
                )
            })
            .collect(),
        users: users(app, declared.users, progress).await?,
        clients: Vec::new(),
        organisation_grants: declared.organisation_grants.into_iter().map(|g| (g.organisation, g.client)).collect(),
    };
    for client in declared.clients {
        let (client, made) = client_with_proof(app, client).await?;
        secrets.extend(made);
        world.clients.push(client);
    }
    let now = app.clock.now();
    let done = if how == How::DryRun {
        secrets.clear();
        world::rehearse(store, world, now).await?
    } else {
        world::apply(store, world, now).await?
    };
    let changes = done.into_iter().map(|done| Change {
        what: done.what.into(),
        name: done.name,
        change: match done.change {
            world::Change::Created => "created",
            world::Change::Updated => "updated",
            world::Change::Unchanged => "unchanged",
        }
        .into(),
    });
    Ok(ApplyReport { changes: changes.collect(), secrets })
}

/// The client as it is stored. One that brings neither secret nor keys keeps its own; a new System Client gets a secret.
async fn client_with_proof(
    app: &App,
    wanted: ClientDeclaration,
) -> Result<(Client, Option<NewSecret>), OperatorRefusal> {
    let stored = clients::find(&app.store, &wanted.client_id).await?;
    let (stored_secret, stored_keys) =
        stored.map(|client| (client.secret.clone(), client.keys.clone())).unwrap_or_default();
    let (fingerprint, keys, made) = if !wanted.jwks.is_empty() {
        (None, client_keys::NewKeys::read(&wanted.jwks)?.beside(&stored_keys), None)
    } else if let Some(given) = wanted.secret {
        (Some(given.fingerprint()), Vec::new(), None)
    } else if stored_secret.is_none() && stored_keys.is_empty() && !wanted.kind.has_session() {
        let secret = dice::client_secret()?;
        let fingerprint = secret.fingerprint();
        (Some(fingerprint), Vec::new(), Some(NewSecret { client_id: wanted.client_id.clone(), secret }))
    } else {
        (stored_secret, stored_keys, None)
    };
    let client = Client {
        id: ClientId::default(),
        client_id: wanted.client_id,
        kind: wanted.kind,
        owner: wanted.owner,
        product: wanted.product,
        redirect_uris: wanted.redirect_uris,
        scopes: wanted.scopes,
        secret: fingerprint,
        keys,
        session_seconds: wanted.session_seconds,
        access_seconds: wanted.access_seconds,
        refresh_tokens: wanted.refresh_tokens,
        require_pkce: wanted.require_pkce,
        retry_seconds: wanted.retry_seconds,
        scope_echo: wanted.scope_echo,
        redirect_extra_query: wanted.redirect_extra_query,
        may_introspect: wanted.may_introspect,
        disabled_at: None,
    };
    if client.may_introspect && !client.is_confidential() {
        return Err(OperatorRefusal::because(format!(
            "client {} cannot have may_introspect: it is public, so anybody could ask in its name; give it a secret",
            client.client_id
        )));
    }
    Ok((client, made))
}

async fn users(
    app: &App,
    declared: Vec<UserDeclaration>,
    progress: &Progress,
) -> Result<Vec<(User, Vec<String>)>, OperatorRefusal> {
    let mut users = Vec::with_capacity(declared.len());
    let mut candidates = Vec::new();
    let mut of_user = Vec::new();
    for wanted in declared {
        let stored = people::find(&app.store, &wanted.username).await?.map(|user| user.password_hash);
        let password_hash = match wanted.password {
            Password::Hash(hash) => PasswordHash(hash.reveal().to_owned()),
            Password::Kept => stored.unwrap_or_else(|| PasswordHash(String::new())),
            Password::Text(password) => {
                of_user.push(users.len());
                candidates.push(Candidate { at: wanted.at, username: wanted.username.clone(), password, stored });
                PasswordHash(String::new())
            }
        };
        let user = User {
            id: UserId::default(),
            username: wanted.username,
            password_hash,
            user_type: wanted.user_type,
            name: wanted.name,
            patient_id: wanted.patient,
            frozen_at: None,
            deceased: false,
        };
        users.push((user, wanted.teams));
    }
    let progress = progress.clone();
    let hashes = tokio::task::spawn_blocking(move || new_passwords::hash_all(candidates, &progress)).await?;
    let mut problems = Vec::new();
    for (at, (candidate, hash)) in of_user.into_iter().zip(hashes) {
        match (users.get_mut(at), hash) {
            (Some((user, _)), Ok(hash)) => user.password_hash = hash,
            (_, Err(NotTaken::Fault(fault))) => {
                Check::new(&candidate.at, "user", Some(&candidate.username), &mut problems).note(&fault.words());
            }
            (_, Err(trouble)) => return Err(trouble.into()),
            (None, Ok(_)) => {}
        }
    }
    if problems.is_empty() { Ok(users) } else { Err(OperatorRefusal(problems)) }
}
