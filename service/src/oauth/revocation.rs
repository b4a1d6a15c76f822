//! `POST /apiRevoke.action` (RFC 7009): a client gives up what a token opens. From the answer on nothing of it works, on any node.

use super::client_authentication;
use super::token_question::TokenQuestion;
use crate::app::metrics::{DONE, Reason};
use crate::app::trouble::During;
use crate::app::{App, Shared};
use crate::callers::bearer;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::secrets::tokens::{Kind, OpenToken};
use crate::voices::token::{NoTokens, TokenStop, respond};
use axum::http::StatusCode;
use axum::response::Response;
use rules::ids::ClientId;
use rules::lifecycle::{Refused, Revoked, Ruling};
use rules::moment::Moment;
use rules::oauth_errors::TokenRefusal;
use store::clients::Client;
use store::organisations;
use store::revocation::{self, SystemToken};

/// As the metrics count it.
const NAME: &str = "revocation";

pub async fn revoke(_: Anyone, call: Call) -> Result<Response, TokenStop> {
    let app: Shared = call.app.clone();
    let basic = client_authentication::is_basic(&call.head.headers);
    let stop = |why: NoTokens| TokenStop { why, grant_type: NAME, basic };
    let question = TokenQuestion::read(call).await.map_err(stop)?;
    // What is no token of ours opens nothing, which is what the client wants.
    if let Some(token) = question.open(&app.keys) {
        end(&app, &question.client, &token).await.map_err(stop)?;
    }
    app.metrics.token_request(NAME, DONE);
    Ok(respond(StatusCode::OK, "{}"))
}

async fn end(app: &App, client: &Client, token: &OpenToken) -> Result<(), NoTokens> {
    let now = app.clock.now();
    if token.content.kind == Kind::SystemAccess {
        return end_token(app, client, token, now).await;
    }
    let ending = revocation::end_session(&app.store, client.id, token.for_store(), now);
    match ending.await.during("ending a session for its client")? {
        Some(Ruling::Refuse(Refused::ForeignClient)) => Err(TokenRefusal::Refused(Refused::ForeignClient).into()),
        Some(Ruling::Revoke(why)) => {
            tracing::info!(session = token.content.id, client = client.client_id, "a session was ended by its client");
            app.metrics.revocations.get_or_create(&Reason { why: why.word() }).inc();
            Ok(())
        }
        _ => Ok(()),
    }
}

/// A System Client's token has no session: it ends alone.
async fn end_token(app: &App, client: &Client, token: &OpenToken, now: Moment) -> Result<(), NoTokens> {
    let owner = ClientId(token.content.id);
    let number = token.content.generation;
    let standing =
        organisations::standing(&app.store, owner, "", number).await.during("looking at the token's client")?;
    let opens = standing.is_some_and(|standing| bearer::judge_system(&standing, token).is_ok());
    if !opens || now.is_past(token.content.expires_at) {
        return Ok(());
    }
    if owner != client.id {
        return Err(TokenRefusal::Refused(Refused::ForeignClient).into());
    }
    let token = SystemToken { client: owner, number, expires_at: token.content.expires_at };
    if revocation::end_token(&app.store, token, now).await.during("ending a System Client's token")? {
        app.metrics.revocations.get_or_create(&Reason { why: Revoked::ByClient.word() }).inc();
    }
    Ok(())
}
