//! The id_token (OpenID Connect Core, 2): says to a client who granted a session, signed.

use super::identity;
use crate::app::App;
use crate::app::signing::{self, CannotSign};
use crate::app::trouble::{During, Trouble};
use crate::secrets::secret::Secret;
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use rules::ids::SessionId;
use rules::limits::ID_TOKEN_SECONDS;
use rules::moment::Moment;
use rules::openid;
use serde::Serialize;
use sha2::{Digest, Sha256};
use store::attestation;

#[derive(Serialize)]
struct IdTokenClaims<'a> {
    iss: &'a str,
    sub: String,
    aud: &'a str,
    exp: i64,
    iat: i64,
    auth_time: i64,
    #[serde(skip_serializing_if = "Option::is_none")]
    nonce: Option<&'a str>,
    acr: &'static str,
    amr: &'static [&'static str],
    at_hash: String,
    #[serde(rename = "fhirUser", skip_serializing_if = "Option::is_none")]
    fhir_user: Option<String>,
}

/// The id_token that goes with this access token; `None` where the session was not granted `openid`.
pub(super) async fn of(app: &App, session: i64, access_token: &Secret, now: Moment) -> Result<Option<Secret>, Trouble> {
    let found = attestation::find(&app.store, SessionId(session)).await.during("looking at who granted a session")?;
    let Some(attested) = found else { return Ok(None) };
    let Some(identity) = identity::of(app, &attested).await? else { return Ok(None) };
    let claims = IdTokenClaims {
        iss: &app.settings.base_url,
        sub: identity.sub,
        aud: &attested.client,
        exp: now.plus_seconds(ID_TOKEN_SECONDS).unix_seconds(),
        iat: now.unix_seconds(),
        auth_time: attested.authenticated_at.unix_seconds(),
        nonce: attested.nonce.as_deref(),
        acr: openid::acr(attested.factor),
        amr: openid::amr(attested.factor),
        at_hash: left_half(access_token),
        fhir_user: identity.fhir_user,
    };
    let key = signing::in_use(app, attested.algorithm).await?;
    Ok(Some(key.sign(&claims).map_err(CannotSign::Key)?))
}

/// OpenID Connect Core, 3.1.3.6: of the hash that goes with the algorithm, which is SHA-256 for both that are used here.
fn left_half(access_token: &Secret) -> String {
    let hash = Sha256::digest(access_token.reveal().as_bytes());
    let (half, _) = hash.split_at(hash.len() / 2);
    URL_SAFE_NO_PAD.encode(half)
}
