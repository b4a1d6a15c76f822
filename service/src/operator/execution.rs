//! Carries out what an operator asks for.

use super::account::Account;
use super::refusal::OperatorRefusal;
use super::reply::Reply;
use super::request::{Progress, Request};
use super::{apply, changes, client_invitations, consents, import, issue, lists, why};
use crate::app::{Shared, access_writer, key_ring, signing};
use rules::consent::notice::RecordState;
use store::ledger::Author;
use store::{Store, backup};

/// Carries out one request for the account that this process runs under.
pub async fn execute(app: &Shared, request: Request, progress: &Progress) -> Reply {
    execute_for(app, &Account::of_this_process(), request, progress).await
}

/// Carries out one request for an operator. What changes is told as theirs.
pub async fn execute_for(app: &Shared, operator: &Account, request: Request, progress: &Progress) -> Reply {
    execute_by(app, &operator.to_string(), request, progress).await
}

/// Carries out one request for somebody of this name: an operator's account on the machine, or an administrator on our pages.
pub async fn execute_by(app: &Shared, operator: &str, request: Request, progress: &Progress) -> Reply {
    let change = request.change();
    let store = app.store.by(Author::operator(operator));
    let done = carry_out(app, &store, request, progress).await;
    let reply = done.unwrap_or_else(|OperatorRefusal(why)| Reply::Refused(why));
    if let Some(change) = change {
        let done = !matches!(reply, Reply::Refused(_));
        tracing::info!(change, done, operator, "an operator asked for a change");
    }
    reply
}

/// `store` is the operator's: all that changes something goes through it.
async fn carry_out(
    app: &Shared,
    store: &Store,
    request: Request,
    progress: &Progress,
) -> Result<Reply, OperatorRefusal> {
    match request {
        Request::Apply { declared, how } => {
            apply::apply(app, store, *declared, how, progress).await.map(Reply::Applied)
        }
        Request::Import { organisation, team, resources, mode } => {
            let source = (organisation.as_str(), team.as_deref());
            import::import(app, store, source, resources, mode).await.map(Reply::Imported)
        }
        Request::Clients { only } => lists::clients(app, only.as_deref()).await.map(Reply::Clients),
        Request::DisableClient { client_id } => changes::enable(app, store, client_id, false).await.map(Reply::Changed),
        Request::EnableClient { client_id } => changes::enable(app, store, client_id, true).await.map(Reply::Changed),
        Request::ApproveClient { client_id } => changes::approve(app, store, client_id).await.map(Reply::Changed),
        Request::InviteClients(wanted) => {
            client_invitations::make(app, store, wanted).await.map(Reply::ClientInvitation)
        }
        Request::ClientInvitations => client_invitations::list(app).await.map(Reply::ClientInvitations),
        Request::RevokeClientInvitation { id } => client_invitations::revoke(app, store, id).await.map(Reply::Changed),
        Request::ChangeKeys { client_id, jwks, jwks_url } => {
            changes::change_keys(app, store, client_id, (&jwks, jwks_url.as_deref())).await.map(Reply::Changed)
        }
        Request::BindTokens { client_id, bound } => {
            changes::bind_tokens(app, store, client_id, bound).await.map(Reply::Changed)
        }
        Request::RotateSecret { client_id } => changes::rotate_secret(app, store, client_id).await.map(Reply::Secret),
        Request::Organisations => lists::organisations(app).await.map(Reply::Organisations),
        Request::SetInvitationProof { organisation, proof } => {
            changes::set_invitation_proof(app, store, organisation, proof).await.map(Reply::Changed)
        }
        Request::Withdraw { organisation, client_id } => {
            changes::withdraw(app, store, &organisation, &client_id).await.map(Reply::Changed)
        }
        Request::Teams => lists::teams(app).await.map(Reply::Teams),
        Request::Users { after } => lists::users(app, &after).await.map(Reply::Users),
        Request::SetPassword { username, password, end_sessions } => {
            changes::set_password(app, store, username, password, end_sessions).await.map(Reply::Ended)
        }
        Request::EndSessions { username } => changes::end_sessions(app, store, username).await.map(Reply::Ended),
        Request::EndAccount { username } => changes::end_account(app, store, username).await.map(Reply::Ended),
        Request::ResetFactors { username } => changes::reset_factors(app, store, username).await.map(Reply::FactorLink),
        Request::Freeze { username, frozen } => changes::freeze(app, store, username, frozen).await.map(Reply::Changed),
        Request::Consents { patient } => consents::list(app, &patient).await.map(Reply::Consents),
        Request::Why(question) => why::why(app, store, &question).await.map(|told| Reply::Why(Box::new(told))),
        Request::SetConsent { wanted } => {
            let (changed, consent) = consents::set(app, store, &wanted).await?;
            Ok(Reply::Consent { changed, consent: Box::new(consent) })
        }
        Request::AcceptConsent { id } => {
            let consent = consents::accept(app, store, &id).await?;
            Ok(Reply::Consent { changed: true, consent: Box::new(consent) })
        }
        Request::FreezeRecord { patient, frozen, reason } => {
            let state = if frozen { RecordState::Frozen } else { RecordState::Unfrozen };
            consents::set_state(app, store, &patient, state, reason).await.map(Reply::Changed)
        }
        Request::DisableSharing { patient, disabled, reason } => {
            let state = if disabled { RecordState::SharingDisabled } else { RecordState::SharingEnabled };
            consents::set_state(app, store, &patient, state, reason).await.map(Reply::Changed)
        }
        Request::Grants { username, team, before } => {
            lists::grants(app, username.as_deref(), team.as_deref(), before).await.map(Reply::Grants)
        }
        Request::Revoke { grants } => changes::revoke(app, store, &grants).await.map(|()| Reply::Changed(true)),
        Request::Issue { client_id, who, choice, check_only } => {
            issue::issue(app, store, &client_id, (who, &choice), check_only).await.map(Reply::Issued)
        }
        Request::Keys => Ok(Reply::Keys(app.keys.ids())),
        Request::RotateKey => {
            key_ring::rotate(store, &app.keys, app.clock.now()).await?;
            Ok(Reply::Keys(app.keys.ids()))
        }
        Request::SigningKeys => lists::signing_keys(app).await.map(Reply::SigningKeys),
        Request::RotateSigningKeys => {
            signing::rotate(app, store).await?;
            lists::signing_keys(app).await.map(Reply::SigningKeys)
        }
        Request::RetireKey { id } => {
            key_ring::retire(store, &app.keys, &id, app.clock.now()).await?;
            Ok(Reply::Keys(app.keys.ids()))
        }
        Request::AdoptRing => {
            key_ring::adopt(store, &app.keys, app.clock.now()).await?;
            Ok(Reply::Keys(app.keys.ids()))
        }
        Request::Backup { to } => {
            // What is spooled goes along: it is in no file of the store yet.
            access_writer::flush(app).await;
            let (holder, progress, target) = (app.clone(), progress.clone(), to.clone());
            let copy = move || backup::copy(&holder.store, &target, |done, all| progress(done, all));
            tokio::task::spawn_blocking(copy).await??;
            backup::note(store, &to, app.clock.now()).await?;
            Ok(Reply::BackedUp)
        }
    }
}
