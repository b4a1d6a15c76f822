//! The token index: the identifiers by which a resource is found, and the Binaries that a document carries.

use crate::fault::Fault;
use crate::limits::Limits;
use crate::reference;
use crate::resource::Resource;
use crate::types::ResourceType;
use serde_json::Value;

/// The search parameter of identifiers.
pub const IDENTIFIER: &str = "identifier";
/// Under which the store looks for the documents that carry a Binary.
pub const CONTENT: &str = "content";

/// One row of the token index.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    pub parameter: &'static str,
    pub system: Option<String>,
    pub value: String,
}

/// The rows of the token index for a resource.
pub(crate) fn of(resource: &Resource<'_>, base: &str, limits: &Limits) -> Result<Vec<Token>, Fault> {
    let mut tokens = Vec::new();
    for member in ["identifier", "masterIdentifier"] {
        match resource.member(member) {
            Some(Value::Array(items)) => tokens.extend(items.iter().filter_map(identifier)),
            Some(one) => tokens.extend(identifier(&one)),
            None => {}
        }
    }
    if resource.resource_type == ResourceType::DocumentReference {
        let carried = binaries(resource, base).into_iter();
        tokens.extend(carried.map(|id| Token { parameter: CONTENT, system: None, value: id }));
    }
    let length = |token: &Token| token.value.len().max(token.system.as_ref().map_or(0, String::len));
    let too_many = [IDENTIFIER, CONTENT]
        .into_iter()
        .any(|parameter| tokens.iter().filter(|token| token.parameter == parameter).count() > limits.tokens);
    if too_many || tokens.iter().any(|token| length(token) > limits.token_bytes) {
        return Err(Fault::BreaksRule(format!(
            "{} may have at most {} identifiers, each with a system and a value of at most {} bytes, and as many Binaries",
            resource.resource_type.name(),
            limits.tokens,
            limits.token_bytes
        )));
    }
    Ok(tokens)
}

/// The ids of the Binaries in which a DocumentReference has its content.
fn binaries(document: &Resource<'_>, base: &str) -> Vec<String> {
    let content = document.member("content").unwrap_or_default();
    let urls = content.as_array().into_iter().flatten().filter_map(|item| item.get("attachment")?.get("url")?.as_str());
    urls.filter_map(|url| reference::id_in(url, ResourceType::Binary, base)).map(String::from).collect()
}

fn identifier(value: &Value) -> Option<Token> {
    let text = |member| value.get(member).and_then(Value::as_str).filter(|text| !text.is_empty());
    Some(Token { parameter: IDENTIFIER, system: text("system").map(String::from), value: text("value")?.into() })
}
