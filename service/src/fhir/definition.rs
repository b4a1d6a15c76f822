//! `GET /fhir/OperationDefinition/{code}` of each operation that is served: open to everyone, as `/metadata` is.

use crate::callers::requirement::Anyone;
use crate::fhir::operations::{self, MANY, Operand, Operation};
use crate::fhir::{answer, media, query};
use crate::http::call::Call;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::{self, ResourceType};
use rules::guidance::promises::{Level, Served};
use serde_json::{Value, json};

/// The path of each definition, for the list of routes.
pub fn paths() -> impl Iterator<Item = &'static str> {
    operations::all().map(|operation| operation.definition)
}

pub async fn read(_: Anyone, call: Call) -> Result<Response, ApiStop> {
    let format = query::only_format(call.query())?;
    media::must_take_json(&call.head.headers, format.as_deref())?;
    let path = call.head.uri.path();
    let operation = operations::all().find(|operation| operation.definition == path);
    let operation = operation.ok_or_else(|| answer::not_there(ResourceType::OperationDefinition))?;
    Ok(answer::json(definition(operation, call.served).to_string()))
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
        "url": operations::canonical(operation),
        "name": name,
        "status": "active",
        "kind": "operation",
        "description": operation.about,
        "affectsState": false,
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
