//! JSON bodies as schemas, for OpenAPI: those of types that tell their own, and those of OAuth, which RFCs tell.

use super::listing::Schema;
use crate::voices::token::token_type;
use rules::answers::answer;
use rules::clients::GrantType;
use rules::guidance::{calls, token_requests};
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
