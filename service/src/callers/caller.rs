//! Callers of the two APIs: building one *is* the authorisation.
//!
//! A handler that takes a `FhirCaller` or a `RestCaller` cannot be reached without a token that opens its API; what the
//! caller may see is in `reach`, which every record query demands.

use crate::ahead::{self, Ahead, Wanted};
use crate::app::accesses::Viewer;
use crate::app::{App, Shared};
use crate::fhir::search::Search;
use crate::secrets::tokens::{self, Kind, Opened};
use crate::voices::api::{Fhir, Rest, trouble};
use axum::extract::FromRequestParts;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use rules::answers::Refusal;
use rules::clients::{Api, ClientKind};
use rules::lifecycle::{self, Lapse};
use rules::moment::Moment;
use rules::reach::Reach;
use rules::scope::Scope;
use std::sync::Arc;
use store::profile::{self, Profile};
use store::records::{self, Resource};
use store::salt::Salt;
use store::searching;

/// The header by which a System Client names the organisation that it acts for.
pub const ORGANISATION_HEADER: &str = "x-org-public-id";

/// Who calls, and what they may see.
#[derive(Debug)]
pub struct Caller {
    pub kind: ClientKind,
    /// The session's scope; a System Client has none.
    pub scope: Option<Scope>,
    pub reach: Reach,
    /// `None` for a System Client.
    pub session: Option<i64>,
    /// The user behind the session; `None` for a team's session and for a System Client.
    pub user: Option<i64>,
    /// Our own number of the client.
    pub client: i64,
    /// The moment of this request, read once.
    pub now: Moment,
    /// What the path and the query name, found in the round trip that said who calls.
    ahead: Option<Ahead>,
}

/// A caller of the FHIR API.
#[derive(Debug)]
pub struct FhirCaller(pub Caller);

/// A caller of the custom REST API.
#[derive(Debug)]
pub struct RestCaller(pub Caller);

impl Caller {
    /// As the count of accesses knows the caller.
    #[must_use]
    pub const fn viewer(&self) -> Viewer<'_> {
        Viewer { client: self.client, user: self.user, reach: &self.reach, now: self.now }
    }

    /// Refuses a session whose scope does not cover `needed`; System Clients have no user type to be wrong.
    pub fn must_cover(&self, needed: Scope) -> Result<(), Refusal> {
        match self.scope {
            Some(is) if !is.covers(needed) => Err(Refusal::UserTypeNotPermitted { is, needs: needed }),
            _ => Ok(()),
        }
    }

    /// One resource, if it is there and in reach.
    pub async fn read(&self, app: &App, type_name: &str, id: &str) -> store::Result<Option<Arc<Resource>>> {
        match &self.ahead {
            Some(Ahead::Resource { wanted, found }) if *wanted == (type_name, id) => Ok(found.clone()),
            _ => records::read(&app.store, &self.reach, type_name, id).await,
        }
    }

    /// A Binary, if it is there and in reach by itself or through a document.
    pub async fn read_binary(&self, app: &App, id: &str) -> store::Result<Option<Arc<Resource>>> {
        match &self.ahead {
            Some(Ahead::Resource { wanted, found }) if *wanted == ("Binary", id) => Ok(found.clone()),
            _ => records::read_binary(&app.store, &self.reach, id).await,
        }
    }

    /// Who is behind the session.
    pub async fn profile(&mut self, app: &App) -> store::Result<Profile> {
        match (self.ahead.take(), self.session) {
            (Some(Ahead::Profile(profile)), _) => Ok(profile),
            (_, Some(session)) => profile::of_session(&app.store, session).await,
            (_, None) => Ok(Profile::default()),
        }
    }

    /// What the search of this request finds in reach.
    pub(crate) async fn search(&self, app: &App, search: &Search) -> store::Result<Vec<Arc<Resource>>> {
        match &self.ahead {
            Some(Ahead::Matches(found)) => Ok(found.clone()),
            _ => searching::search(&app.store, &self.reach, &search.sought()).await,
        }
    }
}

impl FromRequestParts<Shared> for FhirCaller {
    type Rejection = Fhir;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Fhir> {
        Ok(Self(authorise(app, Api::Fhir, &parts.headers, Wanted::by(app, parts)).await?))
    }
}

impl FromRequestParts<Shared> for RestCaller {
    type Rejection = Rest;

    async fn from_request_parts(parts: &mut Parts, app: &Shared) -> Result<Self, Rest> {
        Ok(Self(authorise(app, Api::CustomRest, &parts.headers, Wanted::by(app, parts)).await?))
    }
}

async fn authorise(app: &Shared, api: Api, headers: &HeaderMap, wanted: Option<Wanted>) -> Result<Caller, Refusal> {
    let token = bearer(headers)?;
    let opened = tokens::open(&app.keys, &[Kind::Access, Kind::SystemAccess], token).ok_or(Refusal::UnknownToken)?;
    let now = app.clock.now();
    if opened.said.kind == Kind::SystemAccess {
        system_caller(app, api, headers, &opened, now, wanted).await
    } else {
        session_caller(app, api, &opened, now, wanted).await
    }
}

async fn session_caller(
    app: &Shared,
    api: Api,
    token: &Opened,
    now: Moment,
    wanted: Option<Wanted>,
) -> Result<Caller, Refusal> {
    let seen = ahead::session(app, token.said.id, wanted).await.map_err(|error| trouble(&error))?;
    let genuine = seen.filter(|(seen, _)| token.is_vouched_for(&seen.salt));
    let (seen, ahead) = genuine.ok_or(Refusal::UnknownToken)?;
    let kind = seen.client_kind;
    lifecycle::standing(&seen.session, &token.access(), now).map_err(|lapse| Refusal::Lapsed(kind, lapse))?;
    if seen.client_disabled {
        return Err(Refusal::UnknownToken);
    }
    if seen.user_frozen {
        return Err(Refusal::Frozen);
    }
    if !kind.may_call(api) {
        return Err(Refusal::ClientKindNotPermitted(kind));
    }
    let reach = seen.reach.clone();
    let (scope, session) = (Some(seen.scope), Some(seen.id));
    Ok(Caller { kind, scope, reach, session, user: seen.user, client: seen.client, now, ahead })
}

async fn system_caller(
    app: &Shared,
    api: Api,
    headers: &HeaderMap,
    token: &Opened,
    now: Moment,
    wanted: Option<Wanted>,
) -> Result<Caller, Refusal> {
    let kind = ClientKind::System;
    let named = organisation(headers);
    let asked = named.as_deref().unwrap_or_default();
    let seen = ahead::system(app, token.said.id, asked, wanted).await.map_err(|error| trouble(&error))?;
    let (seen, ahead) = seen.ok_or(Refusal::UnknownToken)?;
    let secret = seen.secret.as_ref().ok_or(Refusal::UnknownToken)?;
    if seen.disabled || !token.is_vouched_for(&Salt::of_fingerprint(&secret.0)) {
        return Err(Refusal::UnknownToken);
    }
    if !kind.may_call(api) {
        return Err(Refusal::ClientKindNotPermitted(kind));
    }
    if now.is_past(token.said.expires_at) {
        return Err(Refusal::Lapsed(kind, Lapse::TokenExpired));
    }
    named?;
    let organisation = seen.granted_by.ok_or(Refusal::OrganisationNotGranted)?;
    let reach = Reach::Organisation(organisation);
    Ok(Caller { kind, scope: None, reach, session: None, user: None, client: token.said.id, now, ahead })
}

/// "The word Bearer, one space, then the token", in one `Authorization` header.
fn bearer(headers: &HeaderMap) -> Result<&str, Refusal> {
    let mut all = headers.get_all(header::AUTHORIZATION).iter();
    let (first, second) = (all.next().ok_or(Refusal::NoToken)?, all.next());
    let text = first.to_str().map_err(|_| Refusal::MalformedToken)?;
    let (word, token) = text.split_once(' ').ok_or(Refusal::MalformedToken)?;
    let well_formed = second.is_none()
        && word.eq_ignore_ascii_case("Bearer")
        && !token.is_empty()
        && token.bytes().all(|byte| byte.is_ascii_graphic());
    well_formed.then_some(token).ok_or(Refusal::MalformedToken)
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
