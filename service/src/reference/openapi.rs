//! `GET /openapi.json`: OAuth, discovery, both APIs and health as OpenAPI 3.1.

use super::components::{components, reference};
use super::examples;
use super::fhir_bodies::{self, FhirBody};
use super::listing::{FileBody, Input, Listing, ParameterPlace, Payload, Schema};
use super::outputs::Output;
use super::schemas;
use crate::app::representation::Representation;
use crate::callers::requirement::Who;
use crate::http::call::Call;
use crate::http::origin;
use crate::voices::api::JSON;
use crate::voices::stop::Voice;
use axum::http::HeaderValue;
use axum::response::Response;
use rules::limits::MOST_FILES;
use rules::params::SEALED_FIELD;
use rules::scope::Scope;
use serde_json::{Map, Value, json};
use std::convert::Infallible;

/// Changes with a release only; short enough that a release is noticed.
const CACHED: HeaderValue = HeaderValue::from_static("public, max-age=300");

/// Made once: it is long, the same for everybody, and anybody may ask for it.
pub async fn read(call: Call, listings: fn() -> Vec<Listing>) -> Result<Response, Infallible> {
    origin::wait_for_document(&call).await;
    let make = || Representation::of(document(&call.app.settings.base_url, &listings()).to_string());
    let made = call.app.openapi.get_or_init(make);
    Ok(made.answer(&call.head.headers, JSON, CACHED))
}

fn document(base_url: &str, listings: &[Listing]) -> Value {
    let mut paths: Map<String, Value> = Map::new();
    let mut schemas: Map<String, Value> = Map::new();
    for listing in listings.iter().filter(|listing| is_described(listing)) {
        let given = listing.outputs().into_iter().filter_map(|output| match output.payload {
            Payload::Json(schema) | Payload::JsonOrCsv(schema) => Some(schema),
            _ => None,
        });
        let in_parts = listing.file_body.and_then(|body| match body {
            FileBody::Parts(schema) => Some(schema),
            FileBody::Bytes => None,
        });
        let told = given.chain(listing.body).chain(in_parts);
        schemas.extend(told.flat_map(|schema| components(schema.name(), schemas::schema(schema))));
        if listing.voice == Voice::Fhir {
            schemas.extend(fhir_bodies::schemas());
        }
        let path = paths.entry(listing.path).or_insert_with(|| json!({}));
        if let Some(path) = path.as_object_mut() {
            path.insert(listing.method.as_str().to_lowercase(), operation(listing));
        }
    }
    json!({
        "openapi": "3.1.0",
        "info": {
            "title": "Recordgate",
            "version": env!("CARGO_PKG_VERSION"),
            "description": "OAuth 2.0, the custom REST API and the FHIR API, whose types and search parameters /fhir/metadata \
                            lists. GET also answers HEAD. What is below /json is below /json/v1, /json/v2 and /json/v2-beta, too. \
                            For people: /docs.",
        },
        "servers": [{ "url": base_url }],
        "paths": paths,
        "components": { "schemas": schemas, "securitySchemes": security_schemes(base_url) },
    })
}

/// Pages are for people, and a sandbox's clock is no API.
fn is_described(listing: &Listing) -> bool {
    !listing.sandbox_only && !listing.is_prefixed() && listing.voice != Voice::Page
}

fn operation(listing: &Listing) -> Value {
    let outputs = listing.outputs();
    let responses: Map<String, Value> =
        outputs.iter().map(|output| (output.status.to_string(), response(listing, output))).collect();
    let mut operation = json!({
        "summary": listing.sentence,
        "tags": [listing.voice.label()],
        "responses": responses,
        "security": security(listing),
    });
    let parameters: Vec<Value> = listing.inputs.iter().filter_map(parameter).collect();
    let members: Vec<&Input> = listing.inputs.iter().filter(|input| input.place == ParameterPlace::Form).collect();
    if let Some(operation) = operation.as_object_mut() {
        if !parameters.is_empty() {
            operation.insert("parameters".into(), parameters.into());
        }
        if !members.is_empty() {
            operation.insert("requestBody".into(), form(&members));
        }
        let contents = contents(listing);
        if let Some(body) = Some(listing).filter(|listing| listing.voice == Voice::Fhir).and_then(fhir_bodies::request)
        {
            operation.insert("requestBody".into(), body);
        }
        if !contents.is_empty() {
            operation.insert("requestBody".into(), json!({ "required": true, "content": contents }));
        }
    }
    operation
}

/// What a body can be, by its media type.
fn contents(listing: &Listing) -> Map<String, Value> {
    let named = |schema: Schema| reference(&schema.name());
    let json_body = listing.body.map(|body| {
        let example = examples::of_request(body, &schemas::schema(body));
        ("application/json".to_owned(), json!({ "schema": named(body), "example": example }))
    });
    let files = listing.file_body.map(|body| match body {
        FileBody::Bytes => {
            let bytes = json!({ "description": "The bytes of the file, under its own media type." });
            ("application/octet-stream".to_owned(), json!({ "schema": bytes }))
        }
        FileBody::Parts(document) => {
            let file = json!({ "type": "string", "contentMediaType": "application/octet-stream" });
            let files = json!({ "type": "array", "items": file, "minItems": 1, "maxItems": MOST_FILES });
            let schema = json!({ "type": "object", "properties": { "document": named(document), "file": files },
                "required": ["document", "file"], "additionalProperties": false });
            let encoding = json!({ "document": { "contentType": "application/json" } });
            ("multipart/form-data".to_owned(), json!({ "schema": schema, "encoding": encoding }))
        }
    });
    json_body.into_iter().chain(files).collect()
}

fn parameter(input: &Input) -> Option<Value> {
    if let Some(free) = fhir_bodies::free_parameters(input).filter(|_| input.place == ParameterPlace::Query) {
        return Some(free);
    }
    let place = match input.place {
        ParameterPlace::Path => "path",
        ParameterPlace::Query => "query",
        ParameterPlace::Header => "header",
        ParameterPlace::Form | ParameterPlace::Json => return None,
    };
    Some(json!({
        "name": input.name,
        "in": place,
        "required": input.is_required,
        "description": input.about,
        "schema": value(input),
    }))
}

fn form(members: &[&Input]) -> Value {
    let properties: Map<String, Value> = members
        .iter()
        .map(|input| {
            let mut schema = value(input);
            if let Some(schema) = schema.as_object_mut() {
                schema.insert("description".into(), input.about.into());
            }
            (input.name.to_owned(), schema)
        })
        .collect();
    let required: Vec<&str> = members.iter().filter(|input| input.is_required).map(|input| input.name).collect();
    let schema = json!({ "type": "object", "properties": properties, "required": required });
    json!({ "required": true, "content": { "application/x-www-form-urlencoded": { "schema": schema } } })
}

fn value(input: &Input) -> Value {
    match input.words {
        Some(words) => json!({ "enum": words() }),
        None if input.name == SEALED_FIELD => json!({ "type": "string" }),
        None => json!({ "type": "string", "maxLength": input.most_bytes }),
    }
}

fn response(listing: &Listing, output: &Output) -> Value {
    if output.payload == Payload::Nothing {
        return json!({ "description": output.meaning });
    }
    let media_type = output.payload.media_type().unwrap_or("*/*");
    let mut content = json!({ media_type: body(listing, output) });
    if let (Some(other), Some(content)) = (output.payload.other_media_type(), content.as_object_mut()) {
        content.insert(other.to_owned(), json!({ "schema": { "type": "string" } }));
    }
    json!({ "description": output.meaning, "content": content })
}

/// The schema of an answer, and what one is like.
fn body(listing: &Listing, output: &Output) -> Value {
    let is_fine = output.status < 300;
    match output.payload {
        Payload::Json(schema) | Payload::JsonOrCsv(schema) => {
            let reference = reference(&schema.name());
            let example = match (listing.voice, is_fine) {
                (Voice::Rest, true) => Some(examples::of_answer(&schemas::schema(schema))),
                (Voice::Rest, false) => examples::of_error(output.status),
                _ => None,
            };
            match example {
                Some(example) => json!({ "schema": reference, "example": example }),
                None => json!({ "schema": reference }),
            }
        }
        Payload::FhirJson | Payload::Acceptance if is_fine => fhir_bodies::given(listing).content(),
        Payload::FhirJson | Payload::Acceptance => FhirBody::OperationOutcome.content(),
        Payload::Content => json!({ "schema": {} }),
        Payload::Nothing | Payload::Html | Payload::PlainText => json!({ "schema": { "type": "string" } }),
    }
}

fn security(listing: &Listing) -> Value {
    match (listing.who, listing.voice) {
        (who, _) if who.is_of_rest() => json!([{ "session": [] }]),
        (who, Voice::Fhir) if who != Who::Anyone => json!([{ "session": [] }, { "system": [] }]),
        (_, Voice::Token) => json!([{ "client": [] }, {}]),
        _ => json!([]),
    }
}

fn security_schemes(base_url: &str) -> Value {
    let scopes: Map<String, Value> = Scope::ALL
        .into_iter()
        .filter(|scope| scope.is_for_user_clients())
        .map(|scope| {
            (scope.word().to_owned(), Value::from(format!("A session of a user of the type {}.", scope.word())))
        })
        .collect();
    json!({
        "client": { "type": "http", "scheme": "basic", "description": "Client ID and secret, each form-encoded first." },
        "system": {
            "type": "oauth2",
            "description": "The access token of a System Client; X-Org-Public-Id names the organisation.",
            "flows": { "clientCredentials": { "tokenUrl": format!("{base_url}/apiToken.action"), "scopes": {} } },
        },
        "session": {
            "type": "oauth2",
            "description": "The access token of a User Client or of a Tethered-Token System Client.",
            "flows": { "authorizationCode": {
                "authorizationUrl": format!("{base_url}/apiAuthorize.action"),
                "tokenUrl": format!("{base_url}/apiToken.action"),
                "refreshUrl": format!("{base_url}/apiToken.action"),
                "scopes": scopes,
            } },
        },
    })
}
