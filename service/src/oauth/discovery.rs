//! Discovery: what a client may know of us before it asks for anything (RFC 8414, RFC 9728, SMART App Launch).
//!
//! Made from the tables that execute, and of nothing else: a document that claimed more would send clients into refusals.

use super::authorization_page;
use super::registration;
use crate::app::App;
use crate::callers::requirement::Anyone;
use crate::http::call::Call;
use crate::http::well_known::{FHIR, REST};
use crate::voices::api::JSON;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse, Response};
use rules::authorize::{CHALLENGE_METHODS, RESPONSE_MODES, RESPONSE_TYPES};
use rules::clients::{AuthenticationMethod, GrantType, SigningAlgorithm};
use rules::scope::Scope;
use serde_json::{Value, json};
use std::convert::Infallible;

/// Changes with a release only; short enough that a release is noticed.
const CACHED: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// RFC 8414.
pub async fn authorization_server(_: Anyone, call: Call) -> Result<Response, Infallible> {
    let base = &call.app.settings.base_url;
    Ok(of_server(
        &call.app,
        json!({
            "issuer": base,
            "authorization_endpoint": format!("{base}{}", authorization_page::PATH),
            "token_endpoint": format!("{base}/apiToken.action"),
            "jwks_uri": keys(base),
            "scopes_supported": scopes(),
            "response_types_supported": RESPONSE_TYPES,
            "response_modes_supported": RESPONSE_MODES,
            "grant_types_supported": GrantType::ALL.map(GrantType::word),
            "token_endpoint_auth_methods_supported": AuthenticationMethod::ALL.map(AuthenticationMethod::word),
            "token_endpoint_auth_signing_alg_values_supported": algorithms(),
            "pushed_authorization_request_endpoint": format!("{base}/apiPar.action"),
            "require_pushed_authorization_requests": false,
            "revocation_endpoint": format!("{base}/apiRevoke.action"),
            "revocation_endpoint_auth_methods_supported": AuthenticationMethod::ALL.map(AuthenticationMethod::word),
            "revocation_endpoint_auth_signing_alg_values_supported": algorithms(),
            "introspection_endpoint": format!("{base}/apiIntrospect.action"),
            "introspection_endpoint_auth_methods_supported": proofs(),
            "introspection_endpoint_auth_signing_alg_values_supported": algorithms(),
            "code_challenge_methods_supported": CHALLENGE_METHODS,
            "dpop_signing_alg_values_supported": proof_algorithms(),
            "authorization_response_iss_parameter_supported": true,
            "service_documentation": format!("{base}/docs"),
            "protected_resources": [format!("{base}{FHIR}"), format!("{base}{REST}")],
        }),
    ))
}

/// Where the keys are by which we sign.
pub(super) fn keys(base: &str) -> String {
    format!("{base}/.well-known/jwks.json")
}

/// What holds of SMART's capabilities beside the ways in which clients prove themselves.
const CAPABILITIES: [&str; 12] = [
    "launch-ehr",
    "launch-standalone",
    "sso-openid-connect",
    "context-banner",
    "context-ehr-patient",
    "context-standalone-patient",
    "permission-offline",
    "permission-online",
    "permission-patient",
    "permission-user",
    "permission-v1",
    "permission-v2",
];

/// SMART App Launch. Of its capabilities only those that hold.
pub async fn smart(_: Anyone, call: Call) -> Result<Response, Infallible> {
    let base = &call.app.settings.base_url;
    let mut capabilities = vec!["authorize-post"];
    capabilities.extend(AuthenticationMethod::ALL.map(AuthenticationMethod::smart_capability));
    capabilities.dedup();
    capabilities.extend(CAPABILITIES);
    Ok(of_server(
        &call.app,
        json!({
            "issuer": base,
            "jwks_uri": keys(base),
            "authorization_endpoint": format!("{base}{}", authorization_page::PATH),
            "token_endpoint": format!("{base}/apiToken.action"),
            "pushed_authorization_request_endpoint": format!("{base}/apiPar.action"),
            "require_pushed_authorization_requests": false,
            "revocation_endpoint": format!("{base}/apiRevoke.action"),
            "introspection_endpoint": format!("{base}/apiIntrospect.action"),
            "management_endpoint": format!("{base}/connected-apps"),
            "token_endpoint_auth_methods_supported": AuthenticationMethod::ALL.map(AuthenticationMethod::word),
            "token_endpoint_auth_signing_alg_values_supported": algorithms(),
            "grant_types_supported": GrantType::ALL.map(GrantType::word),
            "scopes_supported": scopes(),
            "response_types_supported": RESPONSE_TYPES,
            "code_challenge_methods_supported": CHALLENGE_METHODS,
            "dpop_signing_alg_values_supported": proof_algorithms(),
            "capabilities": capabilities,
        }),
    ))
}

/// RFC 9728: the service as one resource.
pub async fn whole_service(_: Anyone, call: Call) -> Result<Response, Infallible> {
    Ok(resource(&call, "", "Recordgate"))
}

/// RFC 9728: the FHIR API.
pub async fn fhir_api(_: Anyone, call: Call) -> Result<Response, Infallible> {
    Ok(resource(&call, FHIR, "Recordgate FHIR API"))
}

/// RFC 9728: the custom REST API.
pub async fn rest_api(_: Anyone, call: Call) -> Result<Response, Infallible> {
    Ok(resource(&call, REST, "Recordgate custom REST API"))
}

fn resource(call: &Call, path: &str, name: &str) -> Response {
    let base = &call.app.settings.base_url;
    document(&json!({
        "resource": format!("{base}{path}"),
        "authorization_servers": [base],
        "scopes_supported": scopes(),
        "bearer_methods_supported": ["header"],
        "dpop_signing_alg_values_supported": proof_algorithms(),
        "dpop_bound_access_tokens_required": false,
        "resource_name": name,
        "resource_documentation": format!("{base}/docs"),
    }))
}

/// The contract's, and of SMART's those that stand alone with one of each kind of those that name types and permissions.
pub(super) fn scopes() -> Vec<&'static str> {
    Scope::ALL.into_iter().map(Scope::word).chain(SMART_SCOPES).collect()
}

const SMART_SCOPES: [&str; 12] = [
    "openid",
    "fhirUser",
    "profile",
    "launch/patient",
    "offline_access",
    "online_access",
    "patient/*.cruds",
    "user/*.cruds",
    "system/*.cruds",
    "patient/*.read",
    "user/*.read",
    "system/*.read",
];

/// By which a client may sign its assertion.
fn algorithms() -> [&'static str; 6] {
    SigningAlgorithm::ALL.map(SigningAlgorithm::word)
}

/// By which a client may prove that it holds a key (RFC 9449, 5.1).
fn proof_algorithms() -> [&'static str; 3] {
    SigningAlgorithm::OF_PROOFS.map(SigningAlgorithm::word)
}

/// Whoever asks about tokens must prove who it is.
fn proofs() -> Vec<&'static str> {
    AuthenticationMethod::ALL.into_iter().filter(|method| method.is_proof()).map(AuthenticationMethod::word).collect()
}

/// What is said of the authorization server, with where clients register themselves, if they do.
pub(super) fn of_server(app: &App, mut content: Value) -> Response {
    if let Some(members) = content.as_object_mut().filter(|_| app.settings.client_registration) {
        let address = format!("{}{}", app.settings.base_url, registration::PATH);
        members.insert("registration_endpoint".into(), address.into());
    }
    document(&content)
}

pub(super) fn document(content: &Value) -> Response {
    ([(header::CONTENT_TYPE, JSON), (header::CACHE_CONTROL, CACHED)], content.to_string()).into_response()
}
