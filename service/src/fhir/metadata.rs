//! `GET /fhir/metadata`: the CapabilityStatement, open to everyone. It says what is there and where to get a token.

use crate::app::Settings;
use crate::callers::requirement::Anyone;
use crate::fhir::manner::Manner;
use crate::fhir::query::{MODE, Query};
use crate::fhir::{answer, media, operations};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::parameters::kind::Kind;
use fhir::parameters::membership::COMPARTMENTS;
use fhir::parameters::parameter::Parameter;
use fhir::parameters::table;
use fhir::types::{self, ResourceType};
use rules::answers::Refusal;
use rules::guidance::promises::{Interaction, Served};
use serde_json::{Value, json};

/// The day on which what this statement says last changed.
const DATE: &str = "2026-11-16";
const OAUTH_URIS: &str = "http://fhir-registry.smarthealthit.org/StructureDefinition/oauth-uris";
/// What a server says that exports as Bulk Data Access has it.
const BULK_DATA: &str = "http://hl7.org/fhir/uv/bulkdata/CapabilityStatement/bulk-data";
const SECURITY_SERVICE: &str = "http://terminology.hl7.org/CodeSystem/restful-security-service";

pub async fn read(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    let query = Query::of_statement(call.query())?;
    media::must_take_json(&call.head.headers, query.format())?;
    let manner = Manner::of(&query)?;
    let make = || statement(&call.app.settings, call.served).to_string();
    match query.get(MODE) {
        // All of a CapabilityStatement is normative.
        None | Some("full" | "normative") => {
            let whole = call.app.capability_statement.get_or_init(|| make().into());
            Ok(match (manner.is_plain(), std::str::from_utf8(whole)) {
                (false, Ok(text)) => answer::json(manner.text(ResourceType::CapabilityStatement, text)),
                _ => answer::json(whole.clone()),
            })
        }
        Some("terminology") => {
            let text = terminology(&call.app.settings).to_string();
            Ok(answer::json(manner.text(ResourceType::TerminologyCapabilities, &text)))
        }
        Some(_) => Err(Refusal::Invalid("mode must be full, normative or terminology".into()).into()),
    }
}

/// What is served of terminologies: nothing but codes as they are stored.
fn terminology(settings: &Settings) -> Value {
    json!({
        "resourceType": "TerminologyCapabilities",
        "status": "active",
        "date": DATE,
        "kind": "instance",
        "software": { "name": "Recordgate", "version": env!("CARGO_PKG_VERSION") },
        "implementation": { "description": "Recordgate FHIR API", "url": format!("{}/fhir", settings.base_url) },
    })
}

fn statement(settings: &Settings, served: &Served) -> Value {
    let base = &settings.base_url;
    let mut statement = json!({
        "resourceType": "CapabilityStatement",
        "status": "active",
        "date": DATE,
        "kind": "instance",
        "instantiates": [BULK_DATA],
        "software": { "name": "Recordgate", "version": env!("CARGO_PKG_VERSION") },
        "implementation": { "description": "Recordgate FHIR API", "url": format!("{base}/fhir") },
        "fhirVersion": "4.0.1",
        "format": ["application/fhir+json", "json"],
        "rest": [{
            "mode": "server",
            "security": {
                "cors": true,
                "extension": [{
                    "url": OAUTH_URIS,
                    "extension": [
                        { "url": "authorize", "valueUri": format!("{base}/apiAuthorize.action") },
                        { "url": "token", "valueUri": format!("{base}/apiToken.action") },
                        { "url": "revoke", "valueUri": format!("{base}/apiRevoke.action") },
                        { "url": "introspect", "valueUri": format!("{base}/apiIntrospect.action") },
                        { "url": "manage", "valueUri": format!("{base}/connected-apps") },
                    ],
                }],
                "service": [{
                    "coding": [{ "system": SECURITY_SERVICE, "code": "OAuth", "display": "OAuth" }],
                    "text": "OAuth 2.0 bearer tokens",
                }],
            },
            "interaction": interactions(Served::SYSTEM, served),
            "compartment": COMPARTMENTS.map(compartment),
            "resource": types::all().filter_map(|of| resource(of, served)).collect::<Vec<_>>(),
        }],
    });
    let operations = operations::statements(served, Served::SYSTEM);
    if let Some(rest) =
        statement.pointer_mut("/rest/0").and_then(Value::as_object_mut).filter(|_| !operations.is_empty())
    {
        rest.insert("operation".into(), operations.into());
    }
    statement
}

/// HL7's definition of a compartment, which is named as its type is, but for the first letter.
fn compartment(of: ResourceType) -> String {
    let (first, rest) = of.name().split_at_checked(1).unwrap_or_default();
    format!("http://hl7.org/fhir/CompartmentDefinition/{}{rest}", first.to_ascii_lowercase())
}

/// What is served of a type, or of all at once.
fn interactions(name: &str, served: &Served) -> Vec<Value> {
    served.of(name).filter_map(Interaction::code).map(|code| json!({ "code": code })).collect()
}

/// What is served of a type, by the list of routes that serves it.
fn resource(resource_type: ResourceType, served: &Served) -> Option<Value> {
    let name = resource_type.name();
    let codes = interactions(name, served);
    // FHIR has no empty arrays.
    if codes.is_empty() {
        return None;
    }
    let has = |interaction| served.has(interaction, name);
    let mut resource = json!({
        "type": name,
        "interaction": codes,
        "versioning": if has(Interaction::Update) { "versioned-update" } else { "versioned" },
        "readHistory": has(Interaction::History),
        "updateCreate": has(Interaction::Update),
        "conditionalCreate": has(Interaction::ConditionalCreate),
        "conditionalUpdate": has(Interaction::ConditionalUpdate),
        "conditionalDelete": if has(Interaction::ConditionalDelete) { "single" } else { "not-supported" },
    });
    let members = resource.as_object_mut()?;
    if has(Interaction::Search) {
        let parameters = table::of(resource_type).iter().filter(|parameter| parameter.kind != Kind::Text);
        let references = parameters.clone().filter(|parameter| parameter.kind == Kind::Reference);
        let includes = references.map(|reference| format!("{name}:{}", reference.code));
        let of_table = |parameter: &Parameter| json!({ "name": parameter.code, "type": parameter.kind.name() });
        members.insert("searchInclude".into(), ["*".to_owned()].into_iter().chain(includes).collect());
        members.insert("searchParam".into(), parameters.map(of_table).collect());
    }
    let operations = operations::statements(served, name);
    if !operations.is_empty() {
        members.insert("operation".into(), operations.into());
    }
    Some(resource)
}
