//! OpenID Connect beside OAuth: discovery, the keys that sign, and userinfo.

use super::authorization_page;
use super::discovery::{self, document};
use super::identity;
use super::logout;
use crate::app::App;
use crate::app::signing;
use crate::app::trouble::{During, Trouble};
use crate::callers::bearer;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::voices::api::{ApiStop, JSON, NO_STORE};
use axum::http::header;
use axum::response::{IntoResponse, Response};
use rules::answers::Refusal;
use rules::authorize::{CHALLENGE_METHODS, PROMPTS, RESPONSE_MODES, RESPONSE_TYPES};
use rules::clients::{AuthenticationMethod, GrantType, SigningAlgorithm};
use rules::openid::{ACRS, CLAIMS, ID_TOKEN_ALGORITHMS};
use serde_json::{Map, Value, json};
use std::convert::Infallible;
use store::attestation::{self, Attestation};

/// OpenID Connect Discovery, 3.
pub async fn configuration(_: Anyone, call: Call) -> Result<Response, Infallible> {
    let base = &call.app.settings.base_url;
    Ok(discovery::of_server(
        &call.app,
        json!({
            "issuer": base,
            "authorization_endpoint": format!("{base}{}", authorization_page::PATH),
            "token_endpoint": format!("{base}/apiToken.action"),
            "userinfo_endpoint": format!("{base}/apiUserinfo.action"),
            "jwks_uri": discovery::keys(base),
            "end_session_endpoint": format!("{base}{}", logout::PATH),
            "pushed_authorization_request_endpoint": format!("{base}/apiPar.action"),
            "require_pushed_authorization_requests": false,
            "revocation_endpoint": format!("{base}/apiRevoke.action"),
            "introspection_endpoint": format!("{base}/apiIntrospect.action"),
            "scopes_supported": discovery::scopes(),
            "response_types_supported": RESPONSE_TYPES,
            "response_modes_supported": RESPONSE_MODES,
            "grant_types_supported": GrantType::ALL.map(GrantType::word),
            "acr_values_supported": ACRS,
            "subject_types_supported": ["pairwise"],
            "id_token_signing_alg_values_supported": ID_TOKEN_ALGORITHMS.map(SigningAlgorithm::word),
            "prompt_values_supported": PROMPTS,
            "claims_supported": CLAIMS,
            "token_endpoint_auth_methods_supported": AuthenticationMethod::ALL.map(AuthenticationMethod::word),
            "token_endpoint_auth_signing_alg_values_supported": SigningAlgorithm::ALL.map(SigningAlgorithm::word),
            "code_challenge_methods_supported": CHALLENGE_METHODS,
            "dpop_signing_alg_values_supported": SigningAlgorithm::OF_PROOFS.map(SigningAlgorithm::word),
            "claims_parameter_supported": false,
            "request_parameter_supported": false,
            "request_uri_parameter_supported": false,
            "authorization_response_iss_parameter_supported": true,
            "service_documentation": format!("{base}/docs"),
        }),
    ))
}

/// The public keys by which id_tokens are signed (RFC 7517, 5).
pub async fn keys(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    let published = signing::published(&call.app).await.map_err(Trouble::from)?;
    let keys: Vec<Value> = published.iter().filter_map(|key| serde_json::from_str(&key.jwk).ok()).collect();
    Ok(document(&json!({ "keys": keys })))
}

/// Who granted the session of an access token (OpenID Connect Core, 5.3).
pub async fn userinfo(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    let app: &App = &call.app;
    let (session, part) = bearer::identify(app, &call.head).await?;
    let found = attestation::find(&app.store, session).await.during("looking at who granted a session")?;
    let identity = match found {
        Some(attested) => {
            let scopes = part.unwrap_or_else(|| attested.scopes.clone());
            identity::of(app, &Attestation { scopes, ..attested }).await?
        }
        None => None,
    };
    let identity = identity.ok_or(Refusal::IdentityNotGranted)?;
    let mut claims = Map::from_iter([("sub".to_owned(), Value::from(identity.sub))]);
    let told = [("fhirUser", identity.fhir_user), ("name", identity.name)];
    claims.extend(told.into_iter().filter_map(|(name, value)| Some((name.to_owned(), Value::from(value?)))));
    Ok(([(header::CONTENT_TYPE, JSON), NO_STORE], Value::from(claims).to_string()).into_response())
}
