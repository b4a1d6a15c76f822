//! The JSON bodies of OAuth and of the custom REST API as schemas, for OpenAPI.

use super::listing::Schema;
use rules::answers::answer;
use rules::clients::GrantType;
use rules::guidance::{calls, token_requests};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// The members of a person that are texts or null, in the order of the answer.
const PERSON_TEXTS: [&str; 26] = [
    "id",
    "userType",
    "heightCm",
    "heightFeet",
    "heightInches",
    "heightInchesTotal",
    "weightKg",
    "weightLbs",
    "title",
    "firstName",
    "lastName",
    "dob",
    "dateDeceased",
    "genderMF",
    "gender",
    "email",
    "phone",
    "address1",
    "address2",
    "city",
    "state",
    "postalCode",
    "country",
    "jobTitle",
    "organizationName",
    "teamName",
];

pub(super) fn schema(schema: Schema) -> Value {
    let text = json!({ "type": "string" });
    let texts = json!({ "type": "array", "items": text });
    let address = json!({ "type": "string", "format": "uri" });
    match schema {
        Schema::Tokens => closed(
            json!({
                "access_token": text,
                "token_type": { "const": "Bearer" },
                "expires_in": { "type": "integer", "minimum": 0, "description": "Seconds." },
                "refresh_token": { "type": "string", "description": "Left out for a System Client." },
                "scope": { "type": "string", "description": "What was granted; none for a System Client." },
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
                "token_type": { "const": "Bearer" },
                "exp": { "type": "integer" },
                "iat": { "type": "integer" },
                "sub": text,
                "iss": address,
            }),
            &["active"],
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
            json!({ "errorMessage": text, "errorCode": { "enum": rest_codes() } }),
            &["errorMessage", "errorCode"],
        ),
        Schema::Person => person(),
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
        Schema::ProtectedResource => open(
            json!({ "resource": address, "authorization_servers": { "type": "array", "items": address } }),
            &["resource", "authorization_servers"],
        ),
        Schema::OpenApi => {
            open(json!({ "openapi": text, "paths": { "type": "object" } }), &["openapi", "info", "paths"])
        }
    }
}

fn person() -> Value {
    let text = json!({ "type": "string" });
    let nullable = json!({ "type": ["string", "null"] });
    let flag = json!({ "type": "boolean" });
    let ids = closed(
        json!({ "value": text, "name": text, "countryCodes": { "type": "array", "items": text } }),
        &["value", "name", "countryCodes"],
    );
    let contact = closed(
        json!({
            "id": text,
            "contactType": { "enum": ["EMAIL", "PHONE"] },
            "contactValue": text,
            "phoneUseType": nullable,
            "primary": flag,
            "confirmed": flag,
        }),
        &["id", "contactType", "contactValue", "phoneUseType", "primary", "confirmed"],
    );
    let mut members: Map<String, Value> =
        PERSON_TEXTS.iter().map(|name| ((*name).to_owned(), nullable.clone())).collect();
    members.insert("nationalIds".into(), json!({ "type": "array", "items": ids }));
    for name in ["orgLevelIds", "teamLevelIds"] {
        members.insert(name.into(), json!({ "type": ["array", "null"], "items": ids }));
    }
    members.insert("contacts".into(), json!({ "type": "array", "items": contact }));
    members.insert("patient".into(), flag);
    let names: Vec<String> = members.keys().cloned().collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    closed(Value::Object(members), &names)
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
    calls::every().iter().map(|refusal| answer(refusal).code).collect()
}
