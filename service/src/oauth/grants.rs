//! The three grants of the token endpoint: authorization code, refresh token, client credentials.

use super::client_authentication::GenuineClient;
use super::smart_context;
use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::proof::ShownKey;
use crate::secrets::dice;
use crate::secrets::secret::Secret;
use crate::secrets::tokens::{self, AccessBounds, Kind, TokenContent};
use crate::voices::token::{NoTokens, TokenSet};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rules::authorize::is_verifier;
use rules::bound_key::KeyThumbprint;
use rules::clients::GrantType;
use rules::ids::SessionId;
use rules::lifecycle::{Issue, Refused, Ruling};
use rules::moment::Moment;
use rules::oauth_errors::TokenRefusal;
use rules::params::Params;
use rules::scope::{OFFLINE_ACCESS, Scope, ScopeRequest};
use rules::smart::grant;
use rules::smart::offer::{self, RefreshScope};
use rules::smart::request::{self, SmartScopes};
use sha2::{Digest, Sha256};
use store::bearer;
use store::clients::{Client, Registration};
use store::salt::Salt;
use store::sessions::{self, Redemption, TokenOutcome};
use store::vocabulary::VOCABULARY;

/// What a System Client's tokens say of scopes where it has none.
const NO_SCOPES: &str = "none";

pub(super) async fn issue(
    app: &App,
    grant: GrantType,
    client: &GenuineClient,
    params: &Params<'_>,
    shown: Option<ShownKey>,
) -> Result<TokenSet, NoTokens> {
    let now = app.clock.now();
    match grant {
        GrantType::AuthorizationCode => redeem(app, client, params, shown, now).await,
        GrantType::RefreshToken => refresh(app, client, params, shown, now).await,
        GrantType::ClientCredentials => {
            let key = used(app, shown).await?;
            client_credentials(app, client, params.get("scope"), key, now)
        }
    }
}

/// Uses up the proof of a request, if it has one. Whoever has neither a secret nor a token of ours never comes this far, so that nobody
/// can fill the book of proofs.
async fn used(app: &App, shown: Option<ShownKey>) -> Result<Option<KeyThumbprint>, NoTokens> {
    match shown {
        // Apart, because few clients send one, and every token request would have room for it.
        Some(shown) => Ok(Some(Box::pin(shown.used(app)).await?)),
        None => Ok(None),
    }
}

/// What a token request asks of its session beside what it presents.
#[derive(Clone, Copy)]
struct AskedTokens<'a> {
    scope: Option<&'a str>,
    is_code: bool,
    /// The key that it has shown.
    key: Option<KeyThumbprint>,
}

async fn redeem(
    app: &App,
    client: &Client,
    params: &Params<'_>,
    shown: Option<ShownKey>,
    now: Moment,
) -> Result<TokenSet, NoTokens> {
    let code = params.get("code").ok_or(TokenRefusal::Missing("code"))?;
    let verifier = params.get("code_verifier");
    if verifier.is_some_and(|verifier| !is_verifier(verifier)) {
        return Err(TokenRefusal::MalformedVerifier.into());
    }
    let opened = tokens::open(&app.keys, &[Kind::Code], code).ok_or(TokenRefusal::Refused(Refused::Unknown))?;
    let redemption = Redemption {
        code: opened.for_store(),
        redirect_uri: params.get("redirect_uri").map(String::from),
        challenge: verifier.map(|verifier| URL_SAFE_NO_PAD.encode(Sha256::digest(verifier.as_bytes()))),
    };
    let key = used(app, shown).await?;
    let by = Registration { key, ..client.registration() };
    let outcome = sessions::redeem(&app.store, by, redemption, now).await.during("redeeming a code")?;
    settle(app, client, opened.content.id, outcome, AskedTokens { scope: None, is_code: true, key }, now).await
}

async fn refresh(
    app: &App,
    client: &Client,
    params: &Params<'_>,
    shown: Option<ShownKey>,
    now: Moment,
) -> Result<TokenSet, NoTokens> {
    let token = params.get("refresh_token").ok_or(TokenRefusal::Missing("refresh_token"))?;
    let opened = tokens::open(&app.keys, &[Kind::Refresh], token).ok_or(TokenRefusal::Refused(Refused::Unknown))?;
    let scope = params.get("scope").map(String::from);
    let key = used(app, shown).await?;
    let by = Registration { key, ..client.registration() };
    let outcome = sessions::refresh(&app.store, by, opened.for_store(), scope.clone(), now).await;
    let outcome = outcome.during("refreshing a session")?;
    settle(app, client, opened.content.id, outcome, AskedTokens { scope: scope.as_deref(), is_code: false, key }, now)
        .await
}

/// The client of a SMART session's refresh token. Some of SMART's libraries do not say who they are when they refresh: a public client's
/// name proves nothing, and its token says it too.
pub(super) async fn implied_client(app: &App, params: &Params<'_>) -> Result<Option<String>, NoTokens> {
    let token = params.get("refresh_token").and_then(|token| tokens::open(&app.keys, &[Kind::Refresh], token));
    let Some(token) = token else { return Ok(None) };
    let found = bearer::find(&app.store, SessionId(token.content.id)).await.during("looking at the session")?;
    let bearer = found.filter(|bearer| token.is_vouched_for(&bearer.salt) && bearer.smart_scopes.is_some());
    Ok(bearer.map(|bearer| bearer.client_name.to_string()))
}

/// Says a ruling: tokens, or why not.
async fn settle(
    app: &App,
    client: &Client,
    session: i64,
    outcome: Option<TokenOutcome>,
    AskedTokens { scope: asked_scope, is_code, key }: AskedTokens<'_>,
    now: Moment,
) -> Result<TokenSet, NoTokens> {
    let outcome = outcome.ok_or(TokenRefusal::Refused(Refused::Unknown))?;
    match outcome.ruling {
        Ruling::Issue(mut issue) | Ruling::IssueAgain(mut issue) => {
            if let Some(granted) = &outcome.smart_scopes {
                let scopes = SmartScopes::kept(granted);
                if scopes.is_smart() {
                    issue.with_refresh_token &= offer::is_refreshed(&scopes);
                    let part =
                        asked_scope.map(|asked| offer::refresh_scope(asked, granted, outcome.scope, &VOCABULARY));
                    let part = match part {
                        Some(RefreshScope::Part(part)) => Some(request::spelt(&part)),
                        _ => None,
                    };
                    let bounds = AccessBounds { key, scopes: part.as_deref() };
                    let issued = tokens_of(app, session, &outcome.salt, &issue, (granted, bounds), now)?;
                    return Box::pin(smart_context::complete(app, session, &scopes, issued, is_code, now)).await;
                }
            }
            let spelt = asked_scope.or(outcome.scope_spelt.as_deref());
            let scope = client.scope_echo.spell(outcome.scope, spelt, issue.with_refresh_token).into_owned();
            let is_smart = spelt.and_then(ScopeRequest::read).is_some_and(|asked| asked.is_smart);
            let patient = match is_smart && outcome.scope == Scope::Patient {
                // Apart, because few clients ask for it, and every token request would have room for it.
                true => Box::pin(patient(app, session)).await,
                false => None,
            };
            let bounds = AccessBounds { key, scopes: None };
            let mut issued = tokens_of(app, session, &outcome.salt, &issue, (&scope, bounds), now)?;
            issued.patient = patient;
            let Some(granted) = &outcome.smart_scopes else { return Ok(issued) };
            // Behind the contract's word, which opens or narrows as the lens says.
            let (_, others) = granted.split_once(' ').unwrap_or_default();
            let others = others.split(' ').filter(|word| !word.is_empty() && *word != OFFLINE_ACCESS);
            issued.scope = std::iter::once(issued.scope.as_str()).chain(others).collect::<Vec<_>>().join(" ");
            Box::pin(smart_context::complete(app, session, &SmartScopes::kept(granted), issued, is_code, now)).await
        }
        Ruling::Revoke(why) => {
            tracing::warn!(session, client = client.client_id, why = why.word(), "a session was revoked");
            app.metrics.revocations.get_or_create(&crate::app::metrics::Reason { why: why.word() }).inc();
            Err(TokenRefusal::Revoked(why).into())
        }
        Ruling::Refuse(why) => Err(TokenRefusal::Refused(why).into()),
    }
}

/// The FHIR id of the patient whom a session is about, which SMART's apps look for beside their tokens. Whoever has used a code or a
/// refresh token up gets the next in any case: without it, where it cannot be looked up.
async fn patient(app: &App, session: i64) -> Option<String> {
    match bearer::find(&app.store, SessionId(session)).await {
        Ok(bearer) => bearer?.patient.clone(),
        Err(error) => {
            tracing::warn!(session, %error, "the patient of a session could not be looked up");
            None
        }
    }
}

/// The tokens of one generation: a pure function of key, salt, session and generation, of the part of the scopes to which the access
/// token is narrowed, and of the client's key to which it is bound.
fn tokens_of(
    app: &App,
    session: i64,
    salt: &Salt,
    issue: &Issue,
    (granted, bounds): (&str, AccessBounds<'_>),
    now: Moment,
) -> Result<TokenSet, NoTokens> {
    let content = |kind, expires_at| TokenContent { kind, id: session, generation: issue.generation, expires_at };
    let sealed = |content| tokens::seal(&app.keys, salt, content).map(Secret::new).ok_or_else(no_key);
    let access = tokens::seal_access(&app.keys, salt, content(Kind::Access, issue.access_expires_at), bounds);
    Ok(TokenSet {
        access_token: access.map(Secret::new).ok_or_else(no_key)?,
        is_bound: bounds.key.is_some(),
        expires_in: now.seconds_until(issue.access_expires_at),
        refresh_token: issue.with_refresh_token.then(|| sealed(content(Kind::Refresh, Moment(0)))).transpose()?,
        scope: bounds.scopes.unwrap_or(granted).to_owned(),
        patient: None,
        smart: None,
    })
}

/// A System Client's token needs no write: it is sealed over the client, its end, a random number and the scopes to which it is
/// narrowed and the key to which it is bound, and salted by what the client proved itself with: when that secret or key is gone, so is the token.
fn client_credentials(
    app: &App,
    client: &GenuineClient,
    asked_scope: Option<&str>,
    key: Option<KeyThumbprint>,
    now: Moment,
) -> Result<TokenSet, NoTokens> {
    let granted =
        grant::of_system(asked_scope, &client.smart_scopes, &VOCABULARY).map_err(TokenRefusal::SystemScope)?;
    let salt = client.salt.as_ref().ok_or(TokenRefusal::ClientNotAuthenticated)?;
    let random = dice::number()?;
    let expires_at = now.plus_seconds(client.access_seconds);
    let content = TokenContent { kind: Kind::SystemAccess, id: client.id.0, generation: random, expires_at };
    let sealed = tokens::seal_access(&app.keys, salt, content, AccessBounds { key, scopes: granted.as_deref() });
    Ok(TokenSet {
        access_token: sealed.map(Secret::new).ok_or_else(no_key)?,
        is_bound: key.is_some(),
        expires_in: client.access_seconds,
        refresh_token: None,
        scope: granted.unwrap_or_else(|| NO_SCOPES.into()),
        patient: None,
        smart: None,
    })
}

fn no_key() -> Trouble {
    Trouble::new("sealing a token", "the key ring has no key to seal with")
}
