//! `/apiRegister.action`: a client registers itself with an initial access token that an operator made (RFC 7591), and looks after its
//! registration with a token of its own (RFC 7592). Off, unless it is turned on.

use super::client_metadata::{self, DescribedClient, Responsible};
use crate::app::failed_authentications::{self, FailureCause};
use crate::app::metrics::DONE;
use crate::app::trouble::{During, Trouble};
use crate::app::{App, Shared};
use crate::callers::bearer;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::http::{origin, receipt};
use crate::operator::client_with_proof;
use crate::secrets::dice;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::Claimant;
use crate::voices::token::{NoTokens, TokenStop, respond};
use axum::body::Body;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::Response;
use rules::answers::Refusal;
use rules::clients::AuthenticationMethod;
use rules::ids::ClientId;
use rules::key_urls::KeyUrl;
use rules::lifecycle::Revoked;
use rules::limits::REGISTRATION_BYTES;
use rules::oauth_errors::TokenRefusal;
use rules::registration::RegistrationFault;
use serde_json::{Map, Value};
use std::net::IpAddr;
use std::sync::Arc;
use store::clients::{self, Client};
use store::{client_invitations, client_sessions};

pub(super) const PATH: &str = "/apiRegister.action";
/// As the metrics count it.
const NAME: &str = "registration";
/// As whom the throttle counts those who guess initial access tokens.
const STRANGER: &str = "initial access token";

/// `POST /apiRegister.action`.
pub async fn register(_: Anyone, call: Call) -> Result<Response, TokenStop> {
    let app = call.app.clone();
    let registered = Box::pin(registered(call)).await.map_err(stop)?;
    app.metrics.token_request(NAME, DONE);
    Ok(registered)
}

/// `GET /apiRegister.action/{client}`.
pub async fn show(_: Anyone, call: Call) -> Result<Response, TokenStop> {
    let shown = Box::pin(async {
        let (own, app, ..) = OwnRegistration::of(call).await?;
        Ok(answer(&app, StatusCode::OK, &own.client, None, &own.token))
    });
    shown.await.map_err(stop)
}

/// `PUT /apiRegister.action/{client}`: what is said takes the place of all that was said before.
pub async fn change(_: Anyone, call: Call) -> Result<Response, TokenStop> {
    Box::pin(changed(call)).await.map_err(stop)
}

/// `DELETE /apiRegister.action/{client}`: the client is shut out for good, and its sessions end.
pub async fn withdraw(_: Anyone, call: Call) -> Result<Response, TokenStop> {
    let withdrawn = Box::pin(async {
        let (own, app, ..) = OwnRegistration::of(call).await?;
        let now = app.clock.now();
        let shut_out = move |client: &mut Client| {
            (client.registration, client.disabled_at) = (None, client.disabled_at.or(Some(now)));
        };
        clients::change(&app.store, own.client.client_id.clone(), shut_out, now)
            .await
            .during("shutting a client out")?;
        client_sessions::end_all(&app.store, own.client.id, Revoked::ByClient, now)
            .await
            .during("ending the sessions of a client")?;
        Ok(respond(StatusCode::NO_CONTENT, Body::empty()))
    });
    withdrawn.await.map_err(stop)
}

const fn stop(why: NoTokens) -> TokenStop {
    TokenStop { why, grant_type: NAME, basic: false }
}

async fn registered(call: Call) -> Result<Response, NoTokens> {
    must_be_on(&call.app)?;
    let address = origin::address(&call.app, &call.head.headers, call.peer);
    let Call { app, head, body, .. } = call;
    let now = app.clock.now();
    let token = sent_token(&head.headers)?;
    let invitation = client_invitations::find(&app.store, &token.fingerprint(), now).await;
    let invitation = invitation.during("looking for an initial access token")?;
    let Some(invitation) = invitation else {
        return Err(failed(&app, Claimant::Invented(STRANGER), None, address, FailureCause::Unknown));
    };
    let metadata = metadata(&head.headers, body).await?;
    let client_id = dice::uuid()?;
    let of = Responsible { client_id: &client_id, owner: &invitation.owner, user_types: &invitation.user_types };
    let described = client_metadata::read(&metadata, of).map_err(TokenRefusal::Registration)?;
    let (client, secret) = client_of(&app, described, None).await?;
    let own = dice::registration_token()?;
    let client = Client { registration: Some(own.fingerprint()), unchecked: true, ..client };
    let made = client_invitations::register(&app.store, token.fingerprint(), client, now).await;
    let Some(client) = made.during("registering a client")? else {
        // Another client has used it meanwhile.
        return Err(wrong_token());
    };
    tracing::info!(client = client.client_id, invitation = invitation.id.0, "a client registered itself");
    Ok(answer(&app, StatusCode::CREATED, &client, secret.as_ref(), &own))
}

async fn changed(call: Call) -> Result<Response, NoTokens> {
    let (own, app, head, body) = OwnRegistration::of(call).await?;
    let metadata = metadata(&head.headers, body).await?;
    let fault = |words: &str| NoTokens::from(TokenRefusal::Registration(RegistrationFault::metadata(words)));
    let before = &own.client;
    if metadata.get("client_id").and_then(Value::as_str) != Some(&before.client_id) {
        return Err(fault("client_id must be that of the registration"));
    }
    // RFC 7592, 2.2: nobody chooses their own.
    if let Some(sent) = metadata.get("client_secret").filter(|sent| !sent.is_null()) {
        let sent = Secret::new(sent.as_str().unwrap_or_default().to_owned());
        if !before.secret.as_ref().is_some_and(|stored| sent.matches(stored)) {
            return Err(fault("client_secret must be the one that was given, or left out"));
        }
    }
    let of = Responsible { client_id: &before.client_id, owner: &before.owner, user_types: &before.user_types };
    let described = client_metadata::read(&metadata, of).map_err(TokenRefusal::Registration)?;
    let (wanted, secret) = client_of(&app, described, Some(before)).await?;
    // What an operator has checked is what they saw.
    let change = move |client: &mut Client| {
        let kept = Client {
            id: client.id,
            registration: client.registration.clone(),
            unchecked: client.unchecked,
            disabled_at: client.disabled_at,
            ..wanted
        };
        let is_new = *client != kept;
        *client = Client { unchecked: kept.unchecked || is_new, ..kept };
    };
    let changed = clients::change(&app.store, before.client_id.clone(), change, app.clock.now()).await;
    let changed = changed.during("changing a registration")?.ok_or_else(wrong_token)?;
    Ok(answer(&app, StatusCode::OK, &changed, secret.as_ref(), &own.token))
}

/// The client as it is stored, with the secret that was made for it, if one was.
async fn client_of(
    app: &App,
    DescribedClient { mut declared, method }: DescribedClient,
    before: Option<&Arc<Client>>,
) -> Result<(Client, Option<Secret>), NoTokens> {
    if let Some(url) = &declared.jwks_url {
        let judged = KeyUrl::read(url).and_then(|url| app.settings.key_egress().judge(&url));
        judged.map_err(|fault| {
            let words = format!("jwks_uri {}", fault.words());
            TokenRefusal::Registration(RegistrationFault::metadata(&words))
        })?;
    }
    let has_secret = before.is_some_and(|before| before.secret.is_some());
    let secret = match method {
        AuthenticationMethod::SecretBasic if !has_secret => Some(dice::client_secret()?),
        _ => None,
    };
    declared.secret.clone_from(&secret);
    let (mut client, _) = client_with_proof(app, declared)
        .await
        .map_err(|why| Trouble::new("making a client of its metadata", why.0.join(" ")))?;
    if method == AuthenticationMethod::None {
        (client.secret, client.keys, client.jwks_url) = (None, Vec::new(), None);
    }
    Ok((client, secret))
}

/// A client that has shown the token of its registration.
struct OwnRegistration {
    client: Arc<Client>,
    token: Secret,
}

impl OwnRegistration {
    /// With what else the call holds.
    async fn of(call: Call) -> Result<(Self, Shared, Box<Parts>, Body), NoTokens> {
        must_be_on(&call.app)?;
        let named = call.part("client").unwrap_or_default().into_owned();
        let Call { app, head, body, peer, .. } = call;
        let token = sent_token(&head.headers)?;
        let client = clients::find(&app.store, &named).await.during("looking a registration up")?;
        let stored = client.as_ref().and_then(|client| client.registration.as_ref());
        let is_genuine = stored.is_some_and(|stored| token.matches(stored));
        let address = origin::address(&app, &head.headers, peer);
        match client {
            Some(client) if is_genuine && client.disabled_at.is_none() => Ok((Self { client, token }, app, head, body)),
            Some(client) => {
                let cause = if is_genuine { FailureCause::ShutOut } else { FailureCause::WrongProof };
                Err(failed(&app, Claimant::Known(client.id), Some(&client.client_id), address, cause))
            }
            None => Err(failed(&app, Claimant::Invented(&named), None, address, FailureCause::Unknown)),
        }
    }
}

/// Counts a token that is not good, as a failed authentication of a client is counted.
fn failed(
    app: &App,
    claimant: Claimant<'_, ClientId>,
    name: Option<&str>,
    address: IpAddr,
    cause: FailureCause,
) -> NoTokens {
    let counted = app.throttle.client_failed(claimant, address, app.clock.uptime());
    failed_authentications::client(app, name, address, if counted.is_ok() { cause } else { FailureCause::Throttled });
    match counted {
        Ok(()) => wrong_token(),
        Err(wait) => NoTokens::Wait(wait),
    }
}

fn wrong_token() -> NoTokens {
    TokenRefusal::Registration(RegistrationFault::WrongToken).into()
}

fn must_be_on(app: &App) -> Result<(), NoTokens> {
    let off = || NoTokens::WrongCall(Refusal::NotFound("clients are registered by an operator here".into()));
    app.settings.client_registration.then_some(()).ok_or_else(off)
}

/// Nobody guesses by sending none, so that is counted nowhere.
fn sent_token(headers: &HeaderMap) -> Result<Secret, NoTokens> {
    bearer::plain_token_of(headers).map(|token| Secret::new(token.to_owned())).map_err(|_| wrong_token())
}

async fn metadata(headers: &HeaderMap, body: Body) -> Result<Map<String, Value>, NoTokens> {
    let not_json = || NoTokens::from(TokenRefusal::Registration(RegistrationFault::NotJson));
    let media_type = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let essence = media_type.split(';').next().unwrap_or_default().trim();
    if !essence.eq_ignore_ascii_case("application/json") {
        return Err(not_json());
    }
    let bytes = receipt::whole(body, REGISTRATION_BYTES).await.map_err(|_| not_json())?;
    serde_json::from_slice(&bytes).map_err(|_| not_json())
}

/// What a client is told of its registration, with the token by which it looks after it.
fn answer(app: &App, status: StatusCode, client: &Client, secret: Option<&Secret>, token: &Secret) -> Response {
    let mut told = client_metadata::told(client);
    let address = format!("{}{PATH}/{}", app.settings.base_url, client.client_id);
    told.insert("registration_client_uri".into(), address.into());
    told.insert("registration_access_token".into(), token.reveal().into());
    if let Some(secret) = secret {
        told.insert("client_secret".into(), secret.reveal().into());
        told.insert("client_secret_expires_at".into(), 0.into());
    }
    respond(status, Value::from(told).to_string())
}
