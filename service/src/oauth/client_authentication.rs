//! Who the client is: by HTTP Basic, by a secret in the body or by a signed assertion, never two of them. A failed authentication burns no code and no token.

use super::client_assertion;
use crate::app::App;
use crate::app::failed_authentications::{self, FailureCause};
use crate::app::request_context;
use crate::app::trouble::During;
use crate::callers::bearer;
use crate::http::encoding;
use crate::secrets::assertion::Assertion;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::Claimant;
use crate::voices::token::NoTokens;
use axum::http::request::Parts;
use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rules::oauth_errors::TokenRefusal;
use rules::params::Params;
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;
use store::clients::{self, Client};
use store::salt::Salt;

/// What a client says of itself.
pub(super) struct Credentials<'r> {
    client_id: Cow<'r, str>,
    proof: Proof,
}

/// How a client proves it.
enum Proof {
    Nothing,
    Secret(Secret),
    Assertion(Assertion),
}

/// A client that has proven who it is.
#[derive(Debug)]
pub(super) struct GenuineClient {
    client: Arc<Client>,
    /// Of the secret or key that proved it; a public client has none.
    pub salt: Option<Salt>,
}

impl std::ops::Deref for GenuineClient {
    type Target = Client;

    fn deref(&self) -> &Client {
        &self.client
    }
}

/// Whether HTTP Basic was tried: then a failure is 401, as its scheme asks.
pub(super) fn is_basic(headers: &HeaderMap) -> bool {
    is_by(headers, b"Basic")
}

/// Whether an access token was sent.
pub(super) fn is_token(headers: &HeaderMap) -> bool {
    is_by(headers, b"Bearer") || is_by(headers, b"DPoP")
}

fn is_by(headers: &HeaderMap, known: &[u8]) -> bool {
    headers.get(header::AUTHORIZATION).is_some_and(|value| scheme(value.as_bytes()).eq_ignore_ascii_case(known))
}

fn scheme(value: &[u8]) -> &[u8] {
    value.split(|byte| *byte == b' ').next().unwrap_or_default()
}

impl<'r> Credentials<'r> {
    /// `implied` is a public client that need not say its name, because its token does.
    pub(super) fn read(
        headers: &HeaderMap,
        params: &'r Params<'_>,
        implied: Option<&'r str>,
    ) -> Result<Self, TokenRefusal> {
        let in_body = params.get("client_id");
        let secret_in_body = params.get("client_secret");
        if headers.get_all(header::AUTHORIZATION).iter().count() > 1 {
            return Err(TokenRefusal::MalformedBasic);
        }
        if let Some(assertion) = client_assertion::sent(params)? {
            if headers.contains_key(header::AUTHORIZATION) || secret_in_body.is_some() {
                return Err(TokenRefusal::TwoAuthentications);
            }
            if in_body.is_some_and(|in_body| in_body != assertion.client_id()) {
                return Err(TokenRefusal::ClientIdDiffers);
            }
            return Ok(Self { client_id: assertion.client_id().to_owned().into(), proof: Proof::Assertion(assertion) });
        }
        let Some(value) = headers.get(header::AUTHORIZATION) else {
            let implied = implied.filter(|_| secret_in_body.is_none());
            let client_id = in_body.or(implied).ok_or(TokenRefusal::Missing("client_id"))?.into();
            let proof = secret_in_body.map_or(Proof::Nothing, |secret| Proof::Secret(Secret::new(secret.to_owned())));
            return Ok(Self { client_id, proof });
        };
        let (client_id, secret) = basic(value.as_bytes()).ok_or(TokenRefusal::MalformedBasic)?;
        if secret_in_body.is_some() {
            return Err(TokenRefusal::TwoAuthentications);
        }
        if in_body.is_some_and(|in_body| in_body != client_id) {
            return Err(TokenRefusal::ClientIdDiffers);
        }
        // A public client of some libraries sends Basic with an empty password.
        let proof = if secret.reveal().is_empty() { Proof::Nothing } else { Proof::Secret(secret) };
        Ok(Self { client_id: client_id.into(), proof })
    }
}

/// RFC 6749 2.3.1: both parts are form-encoded inside HTTP Basic.
fn basic(value: &[u8]) -> Option<(String, Secret)> {
    let encoded = value.get(scheme(value).len()..)?.trim_ascii();
    let decoded = zeroize::Zeroizing::new(STANDARD.decode(encoded).ok()?);
    let text = std::str::from_utf8(&decoded).ok()?;
    let (client_id, secret) = text.split_once(':')?;
    let (client_id, secret) = (encoding::text(client_id.as_bytes())?, encoding::text(secret.as_bytes())?);
    scheme(value).eq_ignore_ascii_case(b"Basic").then(|| (client_id.into_owned(), Secret::new(secret.into_owned())))
}

/// The client, if it is who it says. The right secret or signature is never throttled, so an innocent client behind a busy address
/// gets through; only failures are counted, and too many of them are told to wait.
pub(super) async fn authenticate(
    app: &App,
    credentials: &Credentials<'_>,
    address: IpAddr,
) -> Result<GenuineClient, NoTokens> {
    let client = clients::find(&app.store, &credentials.client_id).await.during("looking the client up")?;
    let proven = match client.clone().filter(|client| client.disabled_at.is_none()) {
        Some(client) => prove(app, client, &credentials.proof).await,
        None => Err(TokenRefusal::ClientNotAuthenticated.into()),
    };
    let refusal = match proven {
        Err(NoTokens::Refusal(refusal)) => refusal,
        client_or_trouble => return client_or_trouble,
    };
    let (claimant, cause) = match &client {
        Some(client) if client.disabled_at.is_some() => (Claimant::Known(client.id), FailureCause::ShutOut),
        Some(client) => (Claimant::Known(client.id), FailureCause::WrongProof),
        None => (Claimant::Invented(&credentials.client_id), FailureCause::Unknown),
    };
    let name = client.as_ref().map(|client| client.client_id.as_str());
    // An assertion is found fault with only behind a good signature: that is a mistake of the client's own, and no guess.
    let counted = match refusal {
        TokenRefusal::Assertion(_) => Ok(()),
        _ => app.throttle.client_failed(claimant, address, app.clock.uptime()),
    };
    let cause = if counted.is_ok() { cause } else { FailureCause::Throttled };
    failed_authentications::client(app, name, address, cause);
    match counted {
        Ok(()) => Err(refusal.into()),
        Err(wait) => Err(NoTokens::Wait(wait)),
    }
}

/// The client whose own access token is in `Authorization`, and nothing else that would prove somebody. Nobody guesses a token: what is
/// none is counted nowhere.
pub(super) async fn by_token(app: &App, head: &Parts, params: &Params<'_>) -> Result<GenuineClient, NoTokens> {
    if params.get("client_secret").is_some() || params.get("client_assertion").is_some() {
        return Err(TokenRefusal::TwoAuthentications.into());
    }
    let client = match bearer::client_of(app, head).await? {
        Some(id) => clients::name(&app.store, id).await.during("looking the token's client up")?,
        None => None,
    };
    let client = match client {
        Some(client_id) => clients::find(&app.store, &client_id).await.during("looking the client up")?,
        None => None,
    };
    let client = client.filter(|client| client.disabled_at.is_none()).ok_or(TokenRefusal::ClientNotAuthenticated)?;
    if params.get("client_id").is_some_and(|named| named != client.client_id) {
        return Err(TokenRefusal::ClientIdDiffers.into());
    }
    request_context::note_client(client.clone());
    Ok(GenuineClient { client, salt: None })
}

/// A client is registered for one way to prove itself, and no other will do.
async fn prove(app: &App, client: Arc<Client>, proof: &Proof) -> Result<GenuineClient, NoTokens> {
    let salt = match (&client.secret, proof) {
        // Apart, because few clients have one, and every token request would have room for it.
        (None, Proof::Assertion(assertion)) => Some(Box::pin(client_assertion::judge(app, &client, assertion)).await?),
        (Some(stored), Proof::Secret(sent)) if sent.matches(stored) => Some(Salt::of_fingerprint(&stored.0)),
        (None, Proof::Nothing) if !client.signs() => None,
        _ => return Err(TokenRefusal::ClientNotAuthenticated.into()),
    };
    request_context::note_client(client.clone());
    Ok(GenuineClient { client, salt })
}
