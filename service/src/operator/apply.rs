//! Making a declaration so: what it refers to is looked up, its passwords hashed, its secrets made, then it is written piece by
//! piece, so that others get their turn; a small one in one piece.

use super::check::Check;
use super::client_keys::{NewKeyUrl, NewKeys};
use super::consents;
use super::declaration::{ClientDeclaration, Declaration, GrantDeclaration, Password, UserDeclaration};
use super::new_passwords::{self, Candidate};
use super::references;
use super::refusal::OperatorRefusal;
use super::reply::{ApplyReport, Change, NewSecret};
use super::request::{How, Progress};
use crate::app::App;
use crate::secrets::dice;
use crate::secrets::passwords::NotTaken;
use rules::clients::Obtains;
use rules::ids::{ClientId, UserId};
use rules::openid;
use store::Store;
use store::clients::{self, Client};
use store::people::{self, PasswordHash, User};
use store::rehearsal;
use store::world::{self, Agenda, Applied, WantedGrant, WantedOrganisation, WantedTeam, World};

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
    let mut declared_consents = Vec::new();
    for consent in declared.users.iter().flat_map(|user| &user.consents) {
        declared_consents.push(consents::declared(app, consent).await?);
    }
    let mut world = World {
        organisations: declared
            .organisations
            .into_iter()
            .map(|o| WantedOrganisation {
                public_id: o.public_id,
                name: o.name,
                invitation_proof: o.invitation_proof,
                default_label: o.default_label,
            })
            .collect(),
        teams: declared
            .teams
            .into_iter()
            .map(|t| WantedTeam {
                public_id: t.public_id,
                name: t.name,
                organisation: t.organisation,
                default_label: t.settings.default_label,
                default_access: t.settings.default_access,
                break_glass: t.settings.break_glass,
            })
            .collect(),
        users: users(app, declared.users, progress).await?,
        patients: declared.patients.into_iter().map(|patient| (patient.id, patient.teams)).collect(),
        consents: declared_consents,
        clients: Vec::new(),
        organisation_grants: declared.organisation_grants.into_iter().map(wanted_grant).collect(),
    };
    for client in declared.clients {
        let (client, made) = client_with_proof(app, client).await?;
        secrets.extend(made);
        world.clients.push(client);
    }
    if how == How::DryRun {
        let changes = rehearsal::rehearse(store, &world, app.clock.now()).await?.into_iter().map(change);
        return Ok(ApplyReport { changes: changes.collect(), secrets: Vec::new(), problem: None });
    }
    let (done, problem) = make(app, store, world, progress).await?;
    // A secret is told of a client that was made with it, and of no other.
    let is_made = |secret: &NewSecret| done.iter().any(|done| done.what == "client" && done.name == secret.client_id);
    secrets.retain(is_made);
    Ok(ApplyReport { changes: done.into_iter().map(change).collect(), secrets, problem })
}

/// Makes the world. Trouble with the first piece is a refusal, because nothing was changed; with a later one it is told beside
/// what was done: pieces that are on disk stay there, and making the same world once more finishes it.
fn wanted_grant(declared: GrantDeclaration) -> WantedGrant {
    let GrantDeclaration { organisation, client, client_ids, through, .. } = declared;
    WantedGrant { organisation, client, client_ids, through }
}

async fn make(
    app: &App,
    store: &Store,
    world: World,
    progress: &Progress,
) -> Result<(Vec<Applied>, Option<String>), OperatorRefusal> {
    let (mut agenda, mut done) = (Agenda::from(world), Vec::new());
    let all = agenda.len();
    while !agenda.is_empty() {
        match world::apply_some(store, agenda, app.clock.now()).await {
            Ok((some, left)) => {
                done.extend(some);
                agenda = left;
                progress(done.len() as u64, all as u64);
            }
            Err(error) if done.is_empty() => return Err(error.into()),
            Err(error) => {
                let so_far = format!("{} of {all} were made as declared before: {error}", done.len());
                return Ok((done, Some(so_far)));
            }
        }
    }
    Ok((done, None))
}

fn change(done: Applied) -> Change {
    let change = match done.change {
        world::Change::Created => "created",
        world::Change::Updated => "updated",
        world::Change::Unchanged => "unchanged",
    };
    Change { what: done.what.into(), name: done.name, change: change.into() }
}

/// The client as it is stored. One that brings neither secret nor keys keeps its own; a new System Client gets a secret.
pub(crate) async fn client_with_proof(
    app: &App,
    wanted: ClientDeclaration,
) -> Result<(Client, Option<NewSecret>), OperatorRefusal> {
    let stored = clients::find(&app.store, &wanted.client_id).await?;
    let (stored_secret, stored_keys, stored_url) =
        stored.map(|client| (client.secret.clone(), client.keys.clone(), client.jwks_url.clone())).unwrap_or_default();
    let is_bare = stored_secret.is_none() && stored_keys.is_empty() && stored_url.is_none();
    let (fingerprint, keys, jwks_url, made) = if !wanted.jwks.is_empty() {
        (None, NewKeys::read(&wanted.jwks)?.beside(&stored_keys), None, None)
    } else if let Some(url) = wanted.jwks_url {
        (None, Vec::new(), Some(NewKeyUrl::read(app, &wanted.client_id, &url)?.instead_of(stored_url.as_ref())), None)
    } else if let Some(given) = wanted.secret {
        (Some(given.fingerprint()), Vec::new(), None, None)
    } else if is_bare && !wanted.kind.has_session() {
        let secret = dice::client_secret()?;
        let fingerprint = secret.fingerprint();
        (Some(fingerprint), Vec::new(), None, Some(NewSecret { client_id: wanted.client_id.clone(), secret }))
    } else {
        (stored_secret, stored_keys, stored_url, None)
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
        jwks_url,
        session_seconds: wanted.session_seconds,
        access_seconds: wanted.access_seconds,
        refresh_tokens: wanted.refresh_tokens,
        require_pkce: wanted.require_pkce,
        retry_seconds: wanted.retry_seconds,
        scope_echo: wanted.scope_echo,
        redirect_extra_query: wanted.redirect_extra_query,
        may_introspect: wanted.may_introspect,
        smart_scopes: wanted.smart_scopes,
        user_types: wanted.user_types,
        id_token_algorithm: wanted.id_token_algorithm.as_deref().and_then(openid::id_token_algorithm),
        sector: wanted.sector,
        default_organisation: wanted.default_organisation,
        require_par: wanted.require_par,
        dpop_bound: wanted.dpop_bound,
        pkce_when_sent: wanted.pkce_when_sent,
        launch_url: wanted.launch_url,
        post_logout_redirect_uris: wanted.post_logout_redirect_uris,
        // What an operator declares is theirs from then on.
        registration: None,
        unchecked: false,
        disabled_at: None,
    };
    if client.may_introspect && !client.is_confidential() {
        return Err(OperatorRefusal::because(format!(
            "client {} cannot have may_introspect: it is public, so anybody could ask in its name; give it a secret",
            client.client_id
        )));
    }
    if client.pkce_when_sent && !client.is_confidential() {
        return Err(OperatorRefusal::because(format!(
            "client {} cannot have pkce = \"when-sent\": it is public, so nothing but PKCE binds its codes to it; give it a secret",
            client.client_id
        )));
    }
    if client.kind.obtains() == Obtains::ClientCredentials && !client.smart_scopes.is_empty() && !client.signs() {
        return Err(OperatorRefusal::because(format!(
            "client {} cannot have scopes of SMART with a secret: a Backend Service signs (private_key_jwt); give it jwks \
             or jwks_url",
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
            organisation: wanted.organisation,
            frozen_at: None,
            deceased: false,
            record_frozen: false,
        };
        users.push((user, wanted.teams));
        // They may be many, and each is read in place.
        tokio::task::yield_now().await;
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
