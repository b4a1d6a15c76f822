//! The token index: the identifiers by which a resource is found, and the Binaries that a document carries.

use crate::fhir::resource::{Fault, Parsed};
use crate::reference;
use rules::limits::{RESOURCE_TOKENS, TOKEN_BYTES};
use serde_json::Value;
use store::writing::Token;

/// The search parameter of identifiers.
pub(super) const IDENTIFIER: &str = "identifier";
/// Under which the store looks for the documents that carry a Binary.
const CONTENT: &str = "content";

/// The rows of the token index for a resource.
pub(super) fn of(resource: &Parsed<'_>) -> Result<Vec<Token>, Fault> {
    let mut tokens = Vec::new();
    for member in ["identifier", "masterIdentifier"] {
        match resource.member(member) {
            Some(Value::Array(items)) => tokens.extend(items.iter().filter_map(identifier)),
            Some(one) => tokens.extend(identifier(&one)),
            None => {}
        }
    }
    if resource.type_name == "DocumentReference" {
        tokens.extend(binaries(resource).into_iter().map(|id| Token { parameter: CONTENT, system: None, value: id }));
    }
    let too_long = |token: &Token| token.value.len().max(token.system.as_ref().map_or(0, String::len)) > TOKEN_BYTES;
    if tokens.len() > RESOURCE_TOKENS || tokens.iter().any(too_long) {
        return Err(Fault::BreaksRule(format!(
            "{} may have at most {RESOURCE_TOKENS} identifiers, each with a system and a value of at most {TOKEN_BYTES} bytes",
            resource.type_name
        )));
    }
    Ok(tokens)
}

/// The ids of the Binaries in which a DocumentReference has its content.
pub(super) fn binaries(document: &Parsed<'_>) -> Vec<String> {
    let content = document.member("content").unwrap_or_default();
    let urls = content.as_array().into_iter().flatten().filter_map(|item| item.get("attachment")?.get("url")?.as_str());
    urls.filter_map(|url| reference::id_in(url, "Binary")).map(String::from).collect()
}

fn identifier(value: &Value) -> Option<Token> {
    let text = |member| value.get(member).and_then(Value::as_str).filter(|text| !text.is_empty());
    Some(Token { parameter: IDENTIFIER, system: text("system").map(String::from), value: text("value")?.into() })
}
