//! `GET /fhir/OperationDefinition/{code}` of each operation that is served, and `GET /fhir/OperationDefinition` of them all: open to
//! everyone, as `/metadata` is.

use crate::callers::api::FhirReader;
use crate::callers::requirement::{Anyone, Requirement};
use crate::fhir::media;
use crate::fhir::operations::catalogue;
use crate::fhir::operations::operation::{MANY, Operand, Operation};
use crate::fhir::read::answer;
use crate::fhir::search::query_string::FORMAT;
use crate::fhir::search::{endpoint, query_string};
use crate::http::call::Call;
use crate::interactions::absence;
use crate::interactions::search::query;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::http::header;
use axum::response::Response;
use fhir::types::{self, ResourceType};
use rules::answers::Refusal;
use rules::guidance::served::{Level, Served};
use rules::params::shown;
use serde_json::{Value, json};

/// The path of each definition, for the list of routes.
pub fn paths() -> impl Iterator<Item = &'static str> {
    catalogue::all().map(|operation| operation.definition)
}

pub async fn read(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    let format = query_string::only_format(call.query())?;
    media::must_take_json(&call.head.headers, format.as_deref())?;
    let path = call.head.uri.path();
    let operation = catalogue::all().find(|operation| operation.definition == path);
    let operation = operation.ok_or_else(|| absence::not_there(ResourceType::OperationDefinition))?;
    Ok(answer::json(definition(operation, call.served).to_string()))
}

/// By what definitions are found without a token.
const PARAMETERS: [&str; 5] = [FORMAT, "_id", "code", "name", "url"];

/// Those that are served, for whoever has no token. With one it is a search as of any type: of what is stored.
pub async fn search(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    if call.head.headers.contains_key(header::AUTHORIZATION) {
        let caller = FhirReader::of(&call.app, &call.head).await?;
        return endpoint::of_type(caller, call, ResourceType::OperationDefinition).await;
    }
    let sent = query::pairs(call.query().unwrap_or_default().as_bytes())?;
    if let Some((unknown, _)) = sent.iter().find(|(name, _)| !PARAMETERS.contains(&name.as_str())) {
        let (unknown, known) = (shown(unknown), PARAMETERS.join(", "));
        let words = format!("without a token the parameter {unknown} is not known; known are: {known}");
        return Err(Refusal::Invalid(words).into());
    }
    let format = sent.iter().find(|(name, _)| name == FORMAT).map(|(_, value)| value.as_str());
    media::must_take_json(&call.head.headers, format)?;
    let url = format!("{}/OperationDefinition", base(&call.app.settings.base_url));
    let all = catalogue::all().map(|operation| definition(operation, call.served));
    let found = all.filter(|one| sent.iter().all(|(name, wanted)| meets(one, name, wanted)));
    let entry = |one: Value| {
        let id = one.get("id").and_then(Value::as_str).unwrap_or_default().to_owned();
        json!({ "fullUrl": format!("{url}/{id}"), "resource": one, "search": { "mode": "match" } })
    };
    let entries: Vec<Value> = found.map(entry).collect();
    let own = endpoint::link(&sent, None);
    let own = if own.is_empty() { url } else { format!("{url}?{own}") };
    let mut bundle = json!({
        "resourceType": "Bundle", "type": "searchset", "total": entries.len(),
        "link": [{ "relation": "self", "url": own }],
    });
    // FHIR has no empty arrays.
    if let Some(members) = bundle.as_object_mut().filter(|_| !entries.is_empty()) {
        members.insert("entry".into(), entries.into());
    }
    Ok(answer::json(bundle.to_string()))
}

/// Whether a definition has one of these values; a name is told by its beginning, whatever its case.
fn meets(definition: &Value, name: &str, wanted: &str) -> bool {
    let member = if name == "_id" { "id" } else { name };
    let is = definition.get(member).and_then(Value::as_str).unwrap_or_default();
    let fits = |wanted: &str| match name {
        FORMAT => true,
        "name" => is.to_lowercase().starts_with(&wanted.to_lowercase()),
        _ => is == wanted,
    };
    wanted.split(',').any(fits)
}

/// Of what it is served comes from the list of routes.
fn definition(operation: &Operation, served: &Served) -> Value {
    let levels: Vec<(Level, &str)> = served.operation(operation.code).collect();
    let has = |level| levels.iter().any(|(served, _)| *served == level);
    let mut named: Vec<&str> = levels.iter().map(|(_, of)| *of).filter(|of| !of.is_empty()).collect();
    named.sort_unstable();
    named.dedup();
    if named.len() == types::all().count() {
        named = vec!["Resource"];
    }
    let name: String = operation.code.split('-').map(capitalised).collect();
    let taken = operation.takes.iter().map(|operand| parameter(operand, "in"));
    let given = operation.gives.iter().map(|operand| parameter(operand, "out"));
    let mut definition = json!({
        "resourceType": "OperationDefinition",
        "id": operation.code,
        "url": catalogue::canonical(operation),
        "name": name,
        "status": "active",
        "kind": "operation",
        "description": operation.about,
        "affectsState": operation.affects_state,
        "code": operation.code,
        "system": has(Level::System),
        "type": has(Level::Type),
        "instance": has(Level::Instance),
        "parameter": taken.chain(given).collect::<Vec<_>>(),
    });
    if let Some(members) = definition.as_object_mut() {
        members.extend(operation.base.map(|base| ("base".to_owned(), json!(base))));
        members.extend((!named.is_empty()).then(|| ("resource".to_owned(), json!(named))));
    }
    definition
}

fn parameter(operand: &Operand, role: &str) -> Value {
    let most = if operand.most == MANY { "*".to_owned() } else { operand.most.to_string() };
    let mut parameter = json!({
        "name": operand.name, "use": role, "min": operand.least, "max": most, "documentation": operand.about,
    });
    if let Some(members) = parameter.as_object_mut() {
        let parts: Vec<Value> = operand.parts.iter().map(|part| self::parameter(part, role)).collect();
        members.extend(operand.kind.map(|kind| ("type".to_owned(), json!(kind))));
        members.extend((!parts.is_empty()).then(|| ("part".to_owned(), parts.into())));
    }
    parameter
}

fn capitalised(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().map(|first| first.to_uppercase().chain(letters).collect()).unwrap_or_default()
}
