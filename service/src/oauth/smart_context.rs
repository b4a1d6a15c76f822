//! What SMART and OpenID Connect add to an answer with tokens: whom it is about, and who granted it.

use super::id_token;
use crate::app::App;
use crate::voices::token::{NoTokens, SmartMembers, TokenSet};
use rules::ids::SessionId;
use rules::moment::Moment;
use rules::scope::Scope;
use rules::smart::offer;
use rules::smart::request::SmartScopes;
use store::bearer::{self, Bearer};

/// The answer with all that its client asked to be told. Who granted a session is told with its first tokens, those of the code: it
/// does not change, and a retry of a refresh gets the same answer. Whoever has used a code or a refresh token up gets the next in any
/// case: without what cannot be told now.
pub(super) async fn complete(
    app: &App,
    session: i64,
    scopes: &SmartScopes,
    issued: TokenSet,
    is_code: bool,
    now: Moment,
) -> Result<TokenSet, NoTokens> {
    let bearer = bearer::find(&app.store, SessionId(session)).await.unwrap_or_else(|error| {
        tracing::warn!(session, %error, "the patient of a session could not be looked up");
        None
    });
    let context = bearer.as_deref().and_then(|bearer| patient(bearer, scopes));
    let id_token = match is_code {
        true => id_token::of(app, session, &issued.access_token, now).await.unwrap_or_else(|trouble| {
            trouble.report_work("telling a client who granted a session");
            None
        }),
        false => None,
    };
    let need_patient_banner = context.as_ref().map(|(_, needs_banner)| *needs_banner);
    let patient = issued.patient.clone().or(context.map(|(patient, _)| patient));
    Ok(TokenSet { patient, smart: Some(Box::new(SmartMembers { need_patient_banner, id_token })), ..issued })
}

/// The patient in context, and whether the app must show who that is: nobody takes their own record for another's.
pub(super) fn patient(bearer: &Bearer, scopes: &SmartScopes) -> Option<(String, bool)> {
    let patient = bearer.context.clone().filter(|_| offer::is_told_of_patient(&scopes.scopes))?;
    let is_own = bearer.scope == Scope::Patient && bearer.reach.person().is_none();
    Some((patient, !is_own))
}
