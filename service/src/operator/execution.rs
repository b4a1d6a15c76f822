//! Carries out what an operator asks for.

use super::refusal::OperatorRefusal;
use super::reply::Reply;
use super::request::{Progress, Request};
use super::{apply, changes, import, issue, lists};
use crate::app::{Shared, key_ring};

/// Carries out one request.
pub async fn execute(app: &Shared, request: Request, progress: &Progress) -> Reply {
    let change = request.change();
    let reply = carry_out(app, request, progress).await.unwrap_or_else(|OperatorRefusal(why)| Reply::Refused(why));
    if let Some(change) = change {
        tracing::info!(change, done = !matches!(reply, Reply::Refused(_)), "an operator asked for a change");
    }
    reply
}

async fn carry_out(app: &Shared, request: Request, progress: &Progress) -> Result<Reply, OperatorRefusal> {
    match request {
        Request::Apply { declared, how } => apply::apply(app, *declared, how, progress).await.map(Reply::Applied),
        Request::Import { organisation, team, resources, check_only } => {
            let imported = import::import(app, &organisation, team.as_deref(), &resources, check_only).await;
            imported.map(Reply::Imported)
        }
        Request::Clients { only } => lists::clients(app, only.as_deref()).await.map(Reply::Clients),
        Request::DisableClient { client_id } => changes::enable(app, client_id, false).await.map(Reply::Changed),
        Request::EnableClient { client_id } => changes::enable(app, client_id, true).await.map(Reply::Changed),
        Request::ChangeKeys { client_id, jwks } => {
            changes::change_keys(app, client_id, &jwks).await.map(Reply::Changed)
        }
        Request::RotateSecret { client_id } => changes::rotate_secret(app, client_id).await.map(Reply::Secret),
        Request::Organisations => lists::organisations(app).await.map(Reply::Organisations),
        Request::Withdraw { organisation, client_id } => {
            changes::withdraw(app, &organisation, &client_id).await.map(Reply::Changed)
        }
        Request::Teams => lists::teams(app).await.map(Reply::Teams),
        Request::Users { after } => lists::users(app, &after).await.map(Reply::Users),
        Request::SetPassword { username, password, end_sessions } => {
            changes::set_password(app, username, password, end_sessions).await.map(Reply::Ended)
        }
        Request::EndSessions { username } => changes::end_sessions(app, username).await.map(Reply::Ended),
        Request::Freeze { username, frozen } => changes::freeze(app, username, frozen).await.map(Reply::Changed),
        Request::Grants { username, team, before } => {
            lists::grants(app, username.as_deref(), team.as_deref(), before).await.map(Reply::Grants)
        }
        Request::Revoke { grants } => changes::revoke(app, &grants).await.map(|()| Reply::Changed(true)),
        Request::Issue { client_id, who, check_only } => {
            issue::issue(app, &client_id, who, check_only).await.map(Reply::Issued)
        }
        Request::Keys => Ok(Reply::Keys(app.keys.ids())),
        Request::RotateKey => {
            key_ring::rotate(&app.store, &app.keys, app.clock.now()).await?;
            Ok(Reply::Keys(app.keys.ids()))
        }
        Request::RetireKey { id } => {
            key_ring::retire(&app.store, &app.keys, &id, app.clock.now()).await?;
            Ok(Reply::Keys(app.keys.ids()))
        }
        Request::AdoptRing => {
            key_ring::adopt(&app.store, &app.keys, app.clock.now()).await?;
            Ok(Reply::Keys(app.keys.ids()))
        }
        Request::Backup { to } => {
            let (app, progress) = (app.clone(), progress.clone());
            let copy = move || store::backup::copy(&app.store, &to, |done, all| progress(done, all));
            tokio::task::spawn_blocking(copy).await??;
            Ok(Reply::BackedUp)
        }
    }
}
