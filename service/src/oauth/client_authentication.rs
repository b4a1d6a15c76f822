//! Who the client is: by HTTP Basic, or in the body, never both. A failed authentication burns no code and no token.

use crate::app::App;
use crate::app::trouble::During;
use crate::http::encoding;
use crate::secrets::secret::Secret;
use crate::secrets::throttle::Claimant;
use crate::voices::token::NoTokens;
use axum::http::{HeaderMap, header};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use rules::oauth_errors::TokenRefusal;
use rules::params::Params;
use std::borrow::Cow;
use std::net::IpAddr;
use std::sync::Arc;
use store::clients::{self, Client};

/// What a client says of itself.
pub(super) struct Credentials<'r> {
    client_id: Cow<'r, str>,
    secret: Option<Secret>,
}

/// Whether HTTP Basic was tried: then a failure is 401, as its scheme asks.
pub(super) fn is_basic(headers: &HeaderMap) -> bool {
    headers.get(header::AUTHORIZATION).is_some_and(|value| scheme(value.as_bytes()).eq_ignore_ascii_case(b"Basic"))
}

fn scheme(value: &[u8]) -> &[u8] {
    value.split(|byte| *byte == b' ').next().unwrap_or_default()
}

impl<'r> Credentials<'r> {
    pub(super) fn read(headers: &HeaderMap, params: &'r Params<'_>) -> Result<Self, TokenRefusal> {
        let in_body = params.get("client_id");
        let secret_in_body = params.get("client_secret");
        if headers.get_all(header::AUTHORIZATION).iter().count() > 1 {
            return Err(TokenRefusal::MalformedBasic);
        }
        let Some(value) = headers.get(header::AUTHORIZATION) else {
            let client_id = in_body.ok_or(TokenRefusal::Missing("client_id"))?.into();
            return Ok(Self { client_id, secret: secret_in_body.map(|secret| Secret::new(secret.to_owned())) });
        };
        let (client_id, secret) = basic(value.as_bytes()).ok_or(TokenRefusal::MalformedBasic)?;
        if secret_in_body.is_some() {
            return Err(TokenRefusal::TwoAuthentications);
        }
        if in_body.is_some_and(|in_body| in_body != client_id) {
            return Err(TokenRefusal::ClientIdDiffers);
        }
        // A public client of some libraries sends Basic with an empty password.
        Ok(Self { client_id: client_id.into(), secret: (!secret.reveal().is_empty()).then_some(secret) })
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

/// The client, if it is who it says. The right secret is never throttled, so an innocent client behind a busy address
/// gets through; only failures are counted, and too many of them are told to wait.
pub(super) async fn authenticate(
    app: &App,
    credentials: Credentials<'_>,
    address: IpAddr,
) -> Result<Arc<Client>, NoTokens> {
    let client = clients::find(&app.store, &credentials.client_id).await.during("looking the client up")?;
    let known = client.as_ref().map(|client| client.id);
    let genuine = client.filter(|client| {
        client.disabled_at.is_none()
            && match (&client.secret, &credentials.secret) {
                (Some(stored), Some(sent)) => sent.matches(stored),
                (None, None) => true,
                _ => false,
            }
    });
    if let Some(client) = genuine {
        return Ok(client);
    }
    let claimant = known.map_or(Claimant::Invented(&credentials.client_id), Claimant::Known);
    match app.throttle.client_failed(claimant, address, app.clock.uptime()) {
        Ok(()) => Err(TokenRefusal::ClientNotAuthenticated.into()),
        Err(wait) => Err(NoTokens::Wait(wait)),
    }
}
