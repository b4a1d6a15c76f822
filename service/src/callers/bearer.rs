//! The bearer of an access token: who that is, and what they may see.

use super::caller::{Caller, CallerGlass};
use super::proof::{self, ProofStop};
use crate::app::App;
use crate::app::request_context;
use crate::app::response_budget::Taker;
use crate::app::trouble::{During, Trouble};
use crate::secrets::tokens::{self, Kind, OpenToken};
use crate::voices::api::ApiStop;
use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderValue, header};
use rules::answers::Refusal;
use rules::clients::{Api, ClientKind};
use rules::consent::denial::Denial;
use rules::consent::glass::{GLASS_HEADER, GlassUse};
use rules::consent::view::View;
use rules::ids::{ClientId, SessionId};
use rules::lifecycle::{self, Lapse};
use rules::moment::Moment;
use rules::reach::Reach;
use rules::smart::grant;
use rules::smart::lens::Lens;
use rules::smart::request::SmartScopes;
use std::sync::Arc;
use store::bearer::{self, Bearer};
use store::organisations::{self, SystemStanding};
use store::reach::circle;
use store::sharing::glass;

/// The header by which a System Client names the organisation that it acts for.
const ORGANISATION_HEADER: &str = "x-org-public-id";

/// How an access token is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum TokenScheme {
    Bearer,
    /// With a proof of the key that the token is bound to.
    Dpop,
}

pub(super) async fn authorise(app: &App, api: Api, head: &Parts) -> Result<Caller, ApiStop> {
    let opened = presented(app, head).await?;
    let (headers, now) = (&head.headers, app.clock.now());
    if opened.content.kind == Kind::SystemAccess {
        system_caller(app, api, headers, &opened, now).await
    } else {
        session_caller(app, api, headers, &opened, now).await
    }
}

/// The access token of a request, sent as it must be: one that is bound to a key with a proof of that key, any other without.
async fn presented(app: &App, head: &Parts) -> Result<OpenToken, ApiStop> {
    let (scheme, token) = token_of(&head.headers)?;
    if scheme == TokenScheme::Dpop {
        request_context::note_proof();
    }
    let opened = tokens::open(&app.keys, &[Kind::Access, Kind::SystemAccess], token).ok_or(Refusal::UnknownToken)?;
    match (scheme, opened.key) {
        (TokenScheme::Bearer, None) => {}
        (TokenScheme::Dpop, None) => return Err(Refusal::UnboundToken.into()),
        (TokenScheme::Bearer, Some(_)) => {
            request_context::note_proof();
            return Err(Refusal::BoundToken.into());
        }
        // Apart, because few tokens are bound, and every call would have room for it.
        (TokenScheme::Dpop, Some(key)) => Box::pin(proof::must_show(app, head, token, key)).await?,
    }
    Ok(opened)
}

async fn session_caller(
    app: &App,
    api: Api,
    headers: &HeaderMap,
    token: &OpenToken,
    now: Moment,
) -> Result<Caller, ApiStop> {
    let found = bearer::find(&app.store, SessionId(token.content.id)).await.during("looking at the session")?;
    let bearer = found.filter(|bearer| token.is_vouched_for(&bearer.salt)).ok_or(Refusal::UnknownToken)?;
    let judged = judge_access(&bearer, token, now);
    let kind = bearer.client_kind;
    let mut caller = Caller {
        kind,
        scope: Some(bearer.scope),
        reach: reach_of(&bearer, token),
        patient: bearer.patient.clone(),
        context: bearer.context.clone(),
        session: Some(bearer.id),
        sign_in: None,
        user: bearer.user,
        client: Some(bearer.client),
        taker: Taker::Session(bearer.id),
        client_ids: None,
        session_ends_at: bearer.session.ends_at,
        salt: Some(bearer.salt.clone()),
        glass: None,
        now,
    };
    request_context::note_client(bearer);
    judged?;
    if !kind.may_call(api) {
        return Err(Refusal::ClientKindNotPermitted(kind).into());
    }
    must_not_be_frozen(app, &caller).await?;
    if let Some(header) = headers.get(GLASS_HEADER) {
        look_through(app, &mut caller, header).await?;
    }
    Ok(caller)
}

/// What a session sees, as far as its token is not narrowed to a part of its scopes.
fn reach_of(bearer: &Bearer, token: &OpenToken) -> Reach {
    let reach = bearer.reach.clone();
    if token.scopes.is_empty() {
        return reach;
    }
    let patient = reach.lens().and_then(|lens| lens.lens().patient());
    reach.through_lens(Lens::of_part(&SmartScopes::kept(&token.scopes).scopes, patient))
}

/// The session of an access token that opens something now, whichever API it is for, and the part of its scopes to which the token is
/// narrowed: its client asks who its user is.
pub(crate) async fn identify(app: &App, head: &Parts) -> Result<(SessionId, Option<String>), ApiStop> {
    let token = presented(app, head).await?;
    if token.content.kind != Kind::Access {
        return Err(Refusal::UnknownToken.into());
    }
    let found = bearer::find(&app.store, SessionId(token.content.id)).await.during("looking at the session")?;
    let bearer = found.filter(|bearer| token.is_vouched_for(&bearer.salt)).ok_or(Refusal::UnknownToken)?;
    let (judged, session) = (judge_access(&bearer, &token, app.clock.now()), bearer.id);
    request_context::note_client(bearer);
    judged?;
    Ok((session, Some(token.scopes).filter(|part| !part.is_empty())))
}

/// The client whose access token a request presents, whoever granted it; none, where it opens nothing now.
pub(crate) async fn client_of(app: &App, head: &Parts) -> Result<Option<ClientId>, ProofStop> {
    let token = match presented(app, head).await {
        Ok(token) => token,
        Err(ApiStop::Refusal(Refusal::Proof(fault))) => return Err(fault.into()),
        Err(ApiStop::Trouble(trouble)) => return Err(trouble.into()),
        Err(_) => return Ok(None),
    };
    let now = app.clock.now();
    if token.content.kind == Kind::SystemAccess {
        return Ok(client_of_system(app, &token, now).await?);
    }
    let found = bearer::find(&app.store, SessionId(token.content.id)).await.during("looking at the session")?;
    let stands = |bearer: &Arc<Bearer>| token.is_vouched_for(&bearer.salt) && judge_access(bearer, &token, now).is_ok();
    Ok(found.filter(stands).map(|bearer| bearer.client))
}

/// The client of a System Client's token, if that opens anything now, for whichever organisation.
pub(crate) async fn client_of_system(app: &App, token: &OpenToken, now: Moment) -> Result<Option<ClientId>, Trouble> {
    let client = ClientId(token.content.id);
    let standing = organisations::standing(&app.store, client, "", token.content.generation).await;
    let standing = standing.during("looking at the token's client")?;
    let genuine = standing.is_some_and(|standing| judge_system(&standing, token).is_ok());
    Ok((genuine && !now.is_past(token.content.expires_at)).then_some(client))
}

/// Lets a call look through the glass whose token it presents. A token that does not fit is refused, never passed over.
async fn look_through(app: &App, caller: &mut Caller, header: &HeaderValue) -> Result<(), ApiStop> {
    let invalid = || Refusal::Denied(Denial::GlassInvalid);
    if caller.reach.lens().is_some() {
        return Err(Refusal::OutsideScopes(None).into());
    }
    let token = header.to_str().ok().and_then(|text| tokens::open(&app.keys, &[Kind::Glass], text));
    let token = token.filter(|token| caller.salt.as_ref().is_some_and(|salt| token.is_vouched_for(salt)));
    let id = token.ok_or_else(invalid)?.content.id;
    let found = glass::find(&app.store, id).await.during("looking at a broken glass")?;
    let (glass, state, patient) = found.ok_or_else(invalid)?;
    let (Some(session), [team]) = (caller.session, caller.reach.teams()) else { return Err(invalid().into()) };
    let call = GlassUse { session, team: *team, user: caller.user, patient: None };
    let open = glass.opened(&call, &state, caller.now).map_err(Refusal::Denied)?;
    caller.reach = caller.reach.clone().through_glass(open);
    caller.glass = Some(CallerGlass { id, glass, patient });
    Ok(())
}

/// A carer's session is about one record: where that is frozen, it gets nowhere.
async fn must_not_be_frozen(app: &App, caller: &Caller) -> Result<(), ApiStop> {
    let (Some(record), Some(_)) = (caller.reach.record(), caller.reach.person()) else { return Ok(()) };
    let circle = circle::of(&app.store, record).await.during("looking at who sees a patient")?;
    match circle.views(&caller.reach, caller.now).contains(&View::In) {
        true => Err(Refusal::Denied(Denial::FrozenInward).into()),
        false => Ok(()),
    }
}

/// Whether a genuine access token of a session opens anything now: the judgement of a call and of whoever asks about one.
pub(crate) fn judge_access(bearer: &Bearer, token: &OpenToken, now: Moment) -> Result<(), Refusal> {
    let lapsed = |lapse| Refusal::Lapsed(bearer.client_kind, lapse);
    lifecycle::standing(&bearer.session, &token.access(), now).map_err(lapsed)?;
    judge_ground(bearer)
}

/// Whether what a session stands on, beside itself, still stands: its client and its user.
pub(crate) fn judge_ground(bearer: &Bearer) -> Result<(), Refusal> {
    if bearer.client_disabled {
        return Err(Refusal::UnknownToken);
    }
    if bearer.session.frozen {
        return Err(Refusal::Frozen);
    }
    Ok(())
}

/// Whether a System Client's token is genuine, not ended, and its client still who it was and registered for what the token says; not
/// whether its time is up.
pub(crate) fn judge_system(standing: &SystemStanding, token: &OpenToken) -> Result<(), Refusal> {
    let good = !standing.disabled
        && !standing.ended
        && standing.salts.iter().any(|salt| token.is_vouched_for(salt))
        && grant::is_of_system_still(&token.scopes, &standing.smart_scopes);
    good.then_some(()).ok_or(Refusal::UnknownToken)
}

async fn system_caller(
    app: &App,
    api: Api,
    headers: &HeaderMap,
    token: &OpenToken,
    now: Moment,
) -> Result<Caller, ApiStop> {
    let kind = ClientKind::System;
    let named = organisation(headers);
    let name = named.as_deref().unwrap_or_default();
    let client = ClientId(token.content.id);
    let standing = organisations::standing(&app.store, client, name, token.content.generation).await;
    let standing = standing.during("looking at the client and its grant")?.ok_or(Refusal::UnknownToken)?;
    judge_system(&standing, token)?;
    let (granted_by, client_ids) = (standing.granted_by, Some(standing.client_ids));
    let (through, has_default) = (standing.through.clone(), standing.has_default);
    request_context::note_client(standing);
    if !kind.may_call(api) {
        return Err(Refusal::ClientKindNotPermitted(kind).into());
    }
    if now.is_past(token.content.expires_at) {
        return Err(Refusal::Lapsed(kind, Lapse::TokenExpired).into());
    }
    match named {
        Err(Refusal::OrganisationMissing) if has_default => {}
        named => drop(named?),
    }
    let organisation = granted_by.ok_or(Refusal::OrganisationNotGranted)?;
    let reach = Reach::of_organisation_through(organisation, through);
    let narrowed = Some(token.scopes.as_str()).filter(|scopes| !scopes.is_empty());
    let reach = match narrowed.and_then(|scopes| SmartScopes::kept(scopes).lens(None)) {
        Some(lens) => reach.through_lens(lens),
        None => reach,
    };
    Ok(Caller {
        kind,
        scope: None,
        reach,
        patient: None,
        context: None,
        session: None,
        sign_in: None,
        user: None,
        client: Some(client),
        taker: Taker::Client(client),
        client_ids,
        session_ends_at: None,
        salt: None,
        glass: None,
        now,
    })
}

/// A token that is no access token of ours, and is bound to no key: that by which a client looks after its registration.
pub(crate) fn plain_token_of(headers: &HeaderMap) -> Result<&str, Refusal> {
    match token_of(headers)? {
        (TokenScheme::Bearer, token) => Ok(token),
        (TokenScheme::Dpop, _) => Err(Refusal::MalformedToken),
    }
}

/// "The word Bearer, one space, then the token", in one `Authorization` header; or the word DPoP, where a proof goes with it.
fn token_of(headers: &HeaderMap) -> Result<(TokenScheme, &str), Refusal> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (all.next().ok_or(Refusal::NoToken)?, all.next());
    let text = first.to_str().map_err(|_| Refusal::MalformedToken)?;
    let (word, token) = text.split_once(' ').ok_or(Refusal::MalformedToken)?;
    let scheme = match word {
        word if word.eq_ignore_ascii_case("Bearer") => TokenScheme::Bearer,
        word if word.eq_ignore_ascii_case("DPoP") => TokenScheme::Dpop,
        _ => return Err(Refusal::MalformedToken),
    };
    let well_formed = second.is_none() && !token.is_empty() && token.bytes().all(|byte| byte.is_ascii_graphic());
    well_formed.then_some((scheme, token)).ok_or(Refusal::MalformedToken)
}

/// The organisation that `X-Org-Public-Id` names, in the spelling of the database.
fn organisation(headers: &HeaderMap) -> Result<String, Refusal> {
    let mut all = headers.get_all(ORGANISATION_HEADER).iter();
    let first = all.next().ok_or(Refusal::OrganisationMissing)?;
    if all.next().is_some() {
        return Err(Refusal::OrganisationTwice);
    }
    let text = first.to_str().map_err(|_| Refusal::OrganisationMalformed)?;
    // Only the hyphenated form; the parser would take braces and bare digits too.
    if text.len() != 36 {
        return Err(Refusal::OrganisationMalformed);
    }
    uuid::Uuid::try_parse(text).map(|uuid| uuid.to_string()).map_err(|_| Refusal::OrganisationMalformed)
}
