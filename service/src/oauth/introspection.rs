//! `POST /apiIntrospect.action` (RFC 7662): a client of the operator's choosing asks whether a token opens anything. Reads
//! only: no token is used up, and none lives longer.

use super::token_question::TokenQuestion;
use super::{identity, smart_context};
use crate::app::metrics::DONE;
use crate::app::trouble::{During, Trouble};
use crate::app::{App, Shared};
use crate::callers::bearer;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::secrets::tokens::{Kind, OpenToken};
use crate::voices::token::{NoTokens, TokenStop, respond, token_type};
use axum::http::StatusCode;
use axum::response::Response;
use rules::ids::{ClientId, SessionId};
use rules::lifecycle;
use rules::moment::Moment;
use rules::oauth_errors::TokenRefusal;
use rules::scope::Scope;
use rules::smart::request::SmartScopes;
use serde::Serialize;
use store::attestation::Attestation;
use store::bearer::Bearer;
use store::{attestation, bearer as sessions, clients, organisations};

/// As the metrics count it.
const NAME: &str = "introspection";
/// What is not active is told nothing more of: expired, revoked, unknown and frozen are one.
const INACTIVE: &str = r#"{"active":false}"#;

/// What is told of an active token.
#[derive(Serialize)]
struct ActiveToken<'a> {
    active: bool,
    /// A System Client's token has none, unless it is narrowed to scopes of SMART.
    #[serde(skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
    client_id: String,
    /// Only an access token has one.
    #[serde(skip_serializing_if = "Option::is_none")]
    token_type: Option<&'static str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    exp: Option<i64>,
    #[serde(skip_serializing_if = "Option::is_none")]
    iat: Option<i64>,
    /// Our own number of the user: always the same, and without a meaning. A team or an organisation has none.
    #[serde(skip_serializing_if = "Option::is_none")]
    sub: Option<String>,
    /// The id of the Patient whose record a PATIENT session is about, as SMART's apps call it.
    #[serde(skip_serializing_if = "Option::is_none")]
    patient: Option<String>,
    /// Whether the app has to show who that is, where it asked in SMART's words.
    #[serde(skip_serializing_if = "Option::is_none")]
    need_patient_banner: Option<bool>,
    /// Where the user is in FHIR, as the id_token says it.
    #[serde(rename = "fhirUser", skip_serializing_if = "Option::is_none")]
    fhir_user: Option<String>,
    /// The public id of the one team that a session is for.
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<String>,
    /// The key that an access token is bound to (RFC 9449, 6.2).
    #[serde(skip_serializing_if = "Option::is_none")]
    cnf: Option<Confirmation>,
    iss: &'a str,
}

#[derive(Serialize)]
struct Confirmation {
    jkt: String,
}

fn confirmation(token: &OpenToken) -> Option<Confirmation> {
    token.key.map(|key| Confirmation { jkt: key.as_str().to_owned() })
}

pub async fn introspect(_: Anyone, call: Call) -> Result<Response, TokenStop> {
    let app: Shared = call.app.clone();
    // RFC 7662 2.3: here a client that is not who it says is 401, however it tried.
    let stop = |why: NoTokens| TokenStop { why, grant_type: NAME, basic: true };
    let question = TokenQuestion::read_of_any(call).await.map_err(stop)?;
    if !(question.client.may_introspect && question.client.is_confidential()) {
        return Err(stop(TokenRefusal::MayNotIntrospect.into()));
    }
    let body = told(&app, question.open(&app.keys)).await.map_err(|trouble| stop(trouble.into()))?;
    app.metrics.token_request(NAME, DONE);
    Ok(respond(StatusCode::OK, body))
}

async fn told(app: &App, token: Option<OpenToken>) -> Result<String, Trouble> {
    let now = app.clock.now();
    let active = match token {
        Some(token) if token.content.kind == Kind::SystemAccess => of_system(app, &token, now).await?,
        Some(token) => of_session(app, &token, now).await?,
        None => None,
    };
    let Some(active) = active else { return Ok(INACTIVE.into()) };
    serde_json::to_string(&active).map_err(|error| Trouble::new("telling of a token as JSON", error))
}

async fn of_session<'a>(app: &'a App, token: &OpenToken, now: Moment) -> Result<Option<ActiveToken<'a>>, Trouble> {
    let found = sessions::find(&app.store, SessionId(token.content.id)).await.during("looking at the session")?;
    let Some(bearer) = found.filter(|bearer| token.is_vouched_for(&bearer.salt)) else { return Ok(None) };
    let (session, generation) = (&bearer.session, token.content.generation);
    let is_access = token.content.kind == Kind::Access;
    let stands = match is_access {
        true => bearer::judge_access(&bearer, token, now).is_ok(),
        false => lifecycle::can_refresh(session, generation, now) && bearer::judge_ground(&bearer).is_ok(),
    };
    if !stands {
        return Ok(None);
    }
    let Some(client_id) = name_of(app, bearer.client).await? else { return Ok(None) };
    // What a token is narrowed to says it alone; otherwise what its session was granted.
    let narrowed = Some(token.scopes.as_str()).filter(|scopes| !scopes.is_empty());
    let smart_scopes = narrowed.or(bearer.smart_scopes.as_deref());
    let told = told_in_smart(app, &bearer, smart_scopes).await?;
    // Of an older generation it is not known when it was made.
    let made_at = session.rotated_at.unwrap_or(session.granted_at);
    Ok(Some(ActiveToken {
        active: true,
        scope: Some(smart_scopes.unwrap_or_else(|| bearer.scope.echoed()).into()),
        client_id,
        token_type: is_access.then_some(token_type(token.key.is_some())),
        exp: if is_access { Some(token.content.expires_at) } else { session.ends_at }.map(Moment::unix_seconds),
        iat: (generation == session.generation).then(|| made_at.unix_seconds()),
        sub: told.sub,
        patient: told.patient,
        need_patient_banner: told.need_patient_banner,
        fhir_user: told.fhir_user,
        team: team_of(app, &bearer).await?,
        cnf: confirmation(token),
        iss: &app.settings.base_url,
    }))
}

/// Who granted a session, and whom it is about.
#[derive(Default)]
struct TokenSubject {
    sub: Option<String>,
    patient: Option<String>,
    need_patient_banner: Option<bool>,
    fhir_user: Option<String>,
}

/// In the words in which the session was asked for: in SMART's as in the answer with its tokens.
async fn told_in_smart(app: &App, bearer: &Bearer, scopes: Option<&str>) -> Result<TokenSubject, Trouble> {
    let Some(scopes) = scopes else {
        return Ok(TokenSubject {
            sub: bearer.user.map(|user| user.0.to_string()),
            patient: bearer.patient.clone().filter(|_| bearer.scope == Scope::Patient),
            need_patient_banner: None,
            fhir_user: None,
        });
    };
    let (patient, need_patient_banner) = smart_context::patient(bearer, &SmartScopes::kept(scopes)).unzip();
    let found = attestation::find(&app.store, bearer.id).await.during("looking at who granted a session")?;
    let Some(attested) = found else {
        return Ok(TokenSubject { patient, need_patient_banner, ..TokenSubject::default() });
    };
    let attested = Attestation { scopes: scopes.to_owned(), ..attested };
    let fhir_user = identity::of(app, &attested).await?.and_then(|identity| identity.fhir_user);
    let sub = Some(identity::subject(app, &attested).await?);
    Ok(TokenSubject { sub, patient, need_patient_banner, fhir_user })
}

async fn of_system<'a>(app: &'a App, token: &OpenToken, now: Moment) -> Result<Option<ActiveToken<'a>>, Trouble> {
    let Some(client) = bearer::client_of_system(app, token, now).await? else { return Ok(None) };
    Ok(name_of(app, client).await?.map(|client_id| ActiveToken {
        active: true,
        scope: (!token.scopes.is_empty()).then(|| token.scopes.clone()),
        client_id,
        token_type: Some(token_type(token.key.is_some())),
        exp: Some(token.content.expires_at.unix_seconds()),
        iat: None,
        sub: None,
        patient: None,
        need_patient_banner: None,
        fhir_user: None,
        team: None,
        cnf: confirmation(token),
        iss: &app.settings.base_url,
    }))
}

/// The one team that a session looks through.
async fn team_of(app: &App, bearer: &Bearer) -> Result<Option<String>, Trouble> {
    let [team] = bearer.reach.teams() else { return Ok(None) };
    let team = organisations::team(&app.store, *team).await.during("looking the team of a session up")?;
    Ok(team.map(|team| team.public_id))
}

async fn name_of(app: &App, client: ClientId) -> Result<Option<String>, Trouble> {
    clients::name(&app.store, client).await.during("looking the token's client up")
}
