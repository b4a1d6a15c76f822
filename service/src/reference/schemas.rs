//! JSON bodies as schemas, for OpenAPI: those of types that tell their own, and those of OAuth, which RFCs tell.

use super::listing::Schema;
use crate::voices::token::token_type;
use rules::answers::answer;
use rules::authorize::RESPONSE_TYPES;
use rules::clients::{AuthenticationMethod, GrantType, SigningAlgorithm};
use rules::guidance::{calls, token_requests};
use rules::limits::REGISTERED_URIS;
use rules::openid::ID_TOKEN_ALGORITHMS;
use rules::registration::METHODS;
use rules::rest_errors::RestError;
use serde_json::{Value, json};
use std::collections::BTreeSet;

pub(super) fn schema(schema: Schema) -> Value {
    let text = json!({ "type": "string" });
    let texts = json!({ "type": "array", "items": text });
    let address = json!({ "type": "string", "format": "uri" });
    match schema {
        Schema::Tokens => closed(
            json!({
                "access_token": text,
                "token_type": { "enum": [token_type(false), token_type(true)] },
                "expires_in": { "type": "integer", "minimum": 0, "description": "Seconds." },
                "refresh_token": { "type": "string", "description": "Left out for a System Client." },
                "scope": { "type": "string", "description": "What was granted; none for a System Client." },
                "patient": {
                    "type": "string",
                    "description": "The FHIR id of the patient whom the session is about, for a client that sent words of SMART.",
                },
                "need_patient_banner": {
                    "type": "boolean",
                    "description": "In a SMART session about a patient: whether the app has to show who that is.",
                },
                "id_token": {
                    "type": "string",
                    "description": "Beside the first tokens of a session that was granted openid: who granted it, as a signed JWT.",
                },
            }),
            &["access_token", "token_type", "expires_in", "scope"],
        ),
        Schema::TokenError => closed(
            json!({ "error": { "enum": token_errors() }, "error_description": text }),
            &["error", "error_description"],
        ),
        Schema::Introspection => closed(
            json!({
                "active": { "type": "boolean" },
                "scope": text,
                "client_id": text,
                "token_type": { "enum": [token_type(false), token_type(true)] },
                "exp": { "type": "integer" },
                "iat": { "type": "integer" },
                "sub": text,
                "patient": text,
                "need_patient_banner": { "type": "boolean" },
                "fhirUser": address,
                "team": text,
                "cnf": closed(json!({ "jkt": text }), &["jkt"]),
                "iss": address,
            }),
            &["active"],
        ),
        Schema::PushedRequest => {
            closed(json!({ "request_uri": text, "expires_in": { "type": "integer" } }), &["request_uri", "expires_in"])
        }
        Schema::ClientMetadata => open(client_metadata(), &["redirect_uris", "scope"]),
        Schema::ClientRegistration | Schema::RegistrationRead => open(
            registration(),
            &["client_id", "redirect_uris", "registration_client_uri", "registration_access_token"],
        ),
        Schema::EmptyObject => closed(json!({}), &[]),
        Schema::ExportManifest => open(
            json!({
                "transactionTime": { "type": "string", "format": "date-time" },
                "request": address,
                "requiresAccessToken": { "const": true },
                "output": { "type": "array", "items": { "type": "object", "properties": {
                    "type": text, "url": address, "count": { "type": "integer" },
                } } },
                "error": { "type": "array", "items": { "type": "object" } },
            }),
            &["transactionTime", "request", "requiresAccessToken", "output", "error"],
        ),
        Schema::RestError => closed(
            json!({ "errorMessage": text, "errorCode": { "enum": rest_codes() }, "requestId": text }),
            &["errorMessage", "errorCode", "requestId"],
        ),
        Schema::Of(schema) => (schema.make)(),
        Schema::Clock => closed(json!({ "now": { "type": "string", "format": "date-time" } }), &["now"]),
        Schema::AuthorizationServer => open(
            json!({
                "issuer": address,
                "authorization_endpoint": address,
                "token_endpoint": address,
                "grant_types_supported": { "type": "array", "items": { "enum": GrantType::ALL.map(GrantType::word) } },
                "scopes_supported": texts,
            }),
            &["issuer", "authorization_endpoint", "token_endpoint", "response_types_supported"],
        ),
        Schema::SmartConfiguration => open(
            json!({ "authorization_endpoint": address, "token_endpoint": address, "capabilities": texts }),
            &["authorization_endpoint", "token_endpoint", "capabilities", "code_challenge_methods_supported"],
        ),
        Schema::OpenIdConfiguration => open(
            json!({
                "issuer": address,
                "authorization_endpoint": address,
                "token_endpoint": address,
                "userinfo_endpoint": address,
                "jwks_uri": address,
                "id_token_signing_alg_values_supported": texts,
            }),
            &["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "subject_types_supported"],
        ),
        Schema::JwkSet => open(
            json!({ "keys": { "type": "array", "items": { "type": "object", "required": ["kty", "kid"] } } }),
            &["keys"],
        ),
        Schema::Userinfo => closed(json!({ "sub": text, "fhirUser": address, "name": text }), &["sub"]),
        Schema::ProtectedResource => open(
            json!({ "resource": address, "authorization_servers": { "type": "array", "items": address } }),
            &["resource", "authorization_servers"],
        ),
        Schema::OpenApi => {
            open(json!({ "openapi": text, "paths": { "type": "object" } }), &["openapi", "info", "paths"])
        }
    }
}

/// What of a client's metadata (RFC 7591, 2) is heeded.
fn client_metadata() -> Value {
    let text = json!({ "type": "string" });
    let words = |words: Vec<&str>| json!({ "type": "array", "items": { "enum": words } });
    let addresses = json!({ "type": "array", "items": text, "maxItems": REGISTERED_URIS });
    json!({
        "redirect_uris": addresses,
        "scope": { "type": "string", "description": "Scopes of SMART and OpenID Connect." },
        "client_name": text,
        "token_endpoint_auth_method": { "enum": METHODS.map(AuthenticationMethod::word) },
        "grant_types": words(vec![GrantType::AuthorizationCode.word(), GrantType::RefreshToken.word()]),
        "response_types": words(RESPONSE_TYPES.to_vec()),
        "jwks": { "type": "object" },
        "jwks_uri": text,
        "id_token_signed_response_alg": { "enum": ID_TOKEN_ALGORITHMS.map(SigningAlgorithm::word) },
        "post_logout_redirect_uris": addresses,
        "require_pushed_authorization_requests": { "type": "boolean" },
    })
}

/// The same, with what the service says.
fn registration() -> Value {
    let text = json!({ "type": "string" });
    let mut all = client_metadata();
    let own = json!({
        "client_id": text,
        "client_id_issued_at": { "type": "integer" },
        "client_secret": { "type": "string", "description": "Where one was made with this answer; it is not told again." },
        "client_secret_expires_at": { "const": 0 },
        "subject_type": { "const": "pairwise" },
        "registration_client_uri": { "type": "string", "format": "uri" },
        "registration_access_token": text,
    });
    if let (Value::Object(all), Value::Object(own)) = (&mut all, own) {
        all.extend(own);
    }
    all
}

/// An object with these members and no others.
fn closed(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// An object that may have more members than are told here: its RFC lists them all.
fn open(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required })
}

/// The codes of refusals, and those that a throttle and trouble on our side have.
fn token_errors() -> BTreeSet<&'static str> {
    let refused = token_requests::every().into_iter().map(|refusal| refusal.error().word());
    refused.chain(["temporarily_unavailable", "server_error"]).collect()
}

fn rest_codes() -> BTreeSet<&'static str> {
    let own = RestError::every().into_iter().map(|error| error.answer().code);
    calls::every().iter().map(|refusal| answer(refusal).code).chain(own).collect()
}
