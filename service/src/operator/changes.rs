//! Changes to one client, user, organisation or grant.

use super::client_keys::{NewKeyUrl, NewKeys};
use super::refusal::{OperatorRefusal, no_client, no_organisation, no_user};
use super::reply::{NewFactorLink, NewSecret};
use crate::app::App;
use crate::secrets::dice;
use crate::secrets::passwords;
use crate::secrets::secret::Secret;
use rules::ids::SessionId;
use rules::invitations::{FurtherProof, is_ended_name};
use rules::lifecycle::Revoked;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use store::Store;
use store::factors::links;
use store::grants::{self, Whose};
use store::invited_accounts::{self, Ender};
use store::{clients, endings, organisations, people};

/// Lets a client in again, or shuts it out with all tokens it holds. Tells whether that was a change.
pub(super) async fn enable(
    app: &App,
    store: &Store,
    client_id: String,
    enabled: bool,
) -> Result<bool, OperatorRefusal> {
    let now = app.clock.now();
    let (name, before) = (client_id.clone(), Flag::default());
    let noted = before.clone();
    let change = move |client: &mut clients::Client| {
        noted.set(client.disabled_at.is_none() != enabled);
        client.disabled_at = if enabled { None } else { client.disabled_at.or(Some(now)) };
    };
    clients::change(store, client_id, change, now).await?.ok_or_else(|| no_client(&name))?;
    Ok(before.get())
}

/// Says that a client which registered itself is what it says. Tells whether that was a change.
pub(super) async fn approve(app: &App, store: &Store, client_id: String) -> Result<bool, OperatorRefusal> {
    let (name, before) = (client_id.clone(), Flag::default());
    let noted = before.clone();
    let change = move |client: &mut clients::Client| {
        noted.set(client.unchecked);
        client.unchecked = false;
    };
    clients::change(store, client_id, change, app.clock.now()).await?.ok_or_else(|| no_client(&name))?;
    Ok(before.get())
}

/// Gives a client a new secret. From then on the old one, and the tokens that a System Client got with it, are void.
pub(super) async fn rotate_secret(app: &App, store: &Store, client_id: String) -> Result<NewSecret, OperatorRefusal> {
    let client = clients::find(&app.store, &client_id).await?.ok_or_else(|| no_client(&client_id))?;
    if client.signs() {
        return Err(OperatorRefusal::because(format!(
            "client {client_id} signs with keys of its own; give it others with `recordgate client change {client_id} --jwks FILE` \
             or --jwks-url URL"
        )));
    }
    if client.secret.is_none() {
        return Err(OperatorRefusal::because(format!(
            "client {client_id} is a {} without a secret; there is none to rotate",
            client.kind.contract_name()
        )));
    }
    let secret = dice::client_secret()?;
    let fingerprint = secret.fingerprint();
    clients::change(store, client_id.clone(), |client| client.secret = Some(fingerprint), app.clock.now()).await?;
    Ok(NewSecret { client_id, secret })
}

/// Gives a client other keys, or another place of them, instead of those it had or of its secret. Tells whether that was a change.
pub(super) async fn change_keys(
    app: &App,
    store: &Store,
    client_id: String,
    (jwks, jwks_url): (&[String], Option<&str>),
) -> Result<bool, OperatorRefusal> {
    let client = clients::find(&app.store, &client_id).await?.ok_or_else(|| no_client(&client_id))?;
    if !client.kind.may_hold_keys() {
        let kind = client.kind.contract_name();
        return Err(OperatorRefusal::because(format!("client {client_id} is a {kind}; jwks is not for it")));
    }
    let url = jwks_url.map(|url| NewKeyUrl::read(app, &client_id, url)).transpose()?;
    let (keys, before) = (NewKeys::read(if url.is_some() { &[] } else { jwks })?, Flag::default());
    let noted = before.clone();
    let change = move |client: &mut clients::Client| {
        let keys = keys.beside(&client.keys);
        let url = url.map(|url| url.instead_of(client.jwks_url.as_ref()));
        noted.set((&keys, &url) != (&client.keys, &client.jwks_url));
        (client.keys, client.jwks_url, client.secret) = (keys, url, None);
    };
    clients::change(store, client_id, change, app.clock.now()).await?;
    Ok(before.get())
}

/// Gives a client no tokens from now on but such as are bound to a key, or any. Tells whether that was a change.
pub(super) async fn bind_tokens(
    app: &App,
    store: &Store,
    client_id: String,
    bound: bool,
) -> Result<bool, OperatorRefusal> {
    let client = clients::find(&app.store, &client_id).await?.ok_or_else(|| no_client(&client_id))?;
    if !client.kind.may_bind_tokens() {
        let kind = client.kind.contract_name();
        let why = format!("client {client_id} is a {kind}; dpop_bound_access_tokens is not for it");
        return Err(OperatorRefusal::because(why));
    }
    let before = Flag::default();
    let noted = before.clone();
    let change = move |client: &mut clients::Client| {
        noted.set(client.dpop_bound != bound);
        client.dpop_bound = bound;
    };
    clients::change(store, client_id, change, app.clock.now()).await?;
    Ok(before.get())
}

/// Takes an organisation's grant to a System Client back.
pub(super) async fn withdraw(
    app: &App,
    store: &Store,
    organisation: &str,
    client_id: &str,
) -> Result<bool, OperatorRefusal> {
    let home = organisations::find(&app.store, organisation).await?.ok_or_else(|| no_organisation(organisation))?;
    let client = clients::find(&app.store, client_id).await?.ok_or_else(|| no_client(client_id))?;
    Ok(organisations::withdraw(store, home.id, client.id, app.clock.now()).await?)
}

/// Sets what an organisation asks for of whoever redeems one of its invitations. Tells whether that was a change.
pub(super) async fn set_invitation_proof(
    app: &App,
    store: &Store,
    organisation: String,
    proof: FurtherProof,
) -> Result<bool, OperatorRefusal> {
    let changed = organisations::set_proof(store, organisation.clone(), proof, app.clock.now()).await?;
    changed.ok_or_else(|| no_organisation(&organisation))
}

/// Ends an account that a patient made by invitation, with all its sessions, of which it tells the number.
pub(super) async fn end_account(app: &App, store: &Store, username: String) -> Result<u64, OperatorRefusal> {
    let user = people::find(&app.store, &username).await?.ok_or_else(|| no_user(&username))?;
    let ended = invited_accounts::end(store, user.id, Ender::Operator, app.clock.now()).await?;
    ended.ok_or_else(|| {
        OperatorRefusal::because(format!(
            "user {username} is not an account that a patient made by invitation, or was ended before; \
             to keep somebody out, use `recordgate user freeze`"
        ))
    })
}

/// An account that was ended stays so.
fn may_be_changed(username: &str) -> Result<(), OperatorRefusal> {
    if is_ended_name(username) {
        return Err(OperatorRefusal::because(format!(
            "user {username} was ended, and nobody signs in with it any more; the patient can be invited again"
        )));
    }
    Ok(())
}

/// Gives a user a new password, which signs their browsers out. Tells how many sessions of apps were ended with it.
pub(super) async fn set_password(
    app: &App,
    store: &Store,
    username: String,
    password: Secret,
    end_sessions: bool,
) -> Result<u64, OperatorRefusal> {
    may_be_changed(&username)?;
    let (name, whose) = (username.clone(), username.clone());
    let hash = tokio::task::spawn_blocking(move || passwords::take(&password, &whose)).await??;
    let why = end_sessions.then_some(Revoked::ByOperator);
    let renewal = endings::renew(store, username, None, hash, why, app.clock.now()).await?;
    Ok(renewal.ok_or_else(|| no_user(&name))?.ended)
}

/// Makes the link by which a user resets their second factor, and ends every session of theirs.
pub(super) async fn reset_factors(
    app: &App,
    store: &Store,
    username: String,
) -> Result<NewFactorLink, OperatorRefusal> {
    may_be_changed(&username)?;
    let (name, token) = (username.clone(), dice::link_token()?);
    let ended = links::make(store, username, token.fingerprint(), app.clock.now()).await?;
    let ended = ended.ok_or_else(|| no_user(&name))?;
    let link = format!("{}/second-factor/reset?link={}", app.settings.base_url, token.reveal());
    Ok(NewFactorLink { link: Secret::new(link), ended })
}

/// Signs a user's browsers out and ends the access of their apps. Tells how many sessions that were.
pub(super) async fn end_sessions(app: &App, store: &Store, username: String) -> Result<u64, OperatorRefusal> {
    let name = username.clone();
    let ended = endings::end_all(store, username, Revoked::ByOperator, app.clock.now()).await?;
    ended.ok_or_else(|| no_user(&name))
}

/// Freezes a user's access or lets it thaw. Tells whether that was a change.
pub(super) async fn freeze(app: &App, store: &Store, username: String, frozen: bool) -> Result<bool, OperatorRefusal> {
    may_be_changed(&username)?;
    let now = app.clock.now();
    let (name, before) = (username.clone(), Flag::default());
    let noted = before.clone();
    let change = move |user: &mut people::User| {
        noted.set(user.frozen_at.is_some() != frozen);
        user.frozen_at = if frozen { user.frozen_at.or(Some(now)) } else { None };
    };
    people::change(store, username, change, now).await?.ok_or_else(|| no_user(&name))?;
    Ok(before.get())
}

/// Revokes grants as an operator; names those that there are none of, or that were revoked before.
pub(super) async fn revoke(app: &App, store: &Store, grants: &[i64]) -> Result<(), OperatorRefusal> {
    let mut problems = Vec::new();
    for id in grants {
        if !grants::revoke(store, SessionId(*id), Whose::Anyone, Revoked::ByOperator, app.clock.now()).await? {
            problems.push(format!("there is no grant {id} to revoke; see `recordgate grant list`"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(OperatorRefusal(problems)) }
}

/// Carries one fact out of a change that runs on the writer's thread.
#[derive(Clone, Default)]
struct Flag(Arc<AtomicBool>);

impl Flag {
    fn set(&self, fact: bool) {
        self.0.store(fact, Ordering::SeqCst);
    }

    fn get(&self) -> bool {
        self.0.load(Ordering::SeqCst)
    }
}
