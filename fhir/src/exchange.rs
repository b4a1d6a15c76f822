//! A Bundle whose entries are requests: a batch or a transaction. Its frame is validated as a whole, its resources by whoever
//! does what the entries ask for.

use crate::issue::Issue;
use crate::json::{Node, print, read as tree};
use crate::types::ResourceType;
use crate::validation::{Expectation, validate_compact};
use std::borrow::Cow;
use std::sync::Arc;

/// Whether the entries are on their own, or all or nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ExchangeKind {
    Batch,
    Transaction,
}

/// Requests that came together.
#[derive(Clone, Debug)]
pub struct Exchange {
    pub kind: ExchangeKind,
    pub entries: Vec<RequestEntry>,
}

/// One request, as its entry has it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RequestEntry {
    pub full_url: Option<String>,
    /// The resource as text, shared with whoever does what the entry asks for.
    pub resource: Option<Arc<str>>,
    pub method: String,
    pub url: String,
    pub if_match: Option<String>,
    pub if_none_match: Option<String>,
    /// In the form of an instant.
    pub if_modified_since: Option<String>,
    pub if_none_exist: Option<String>,
}

impl RequestEntry {
    /// The address of the server under which the entry's own full URL is, if it is one of a server: what its references are
    /// relative to.
    #[must_use]
    pub fn base(&self) -> Option<&str> {
        let url = self.full_url.as_deref().filter(|url| url.starts_with("http://") || url.starts_with("https://"))?;
        let (rest, _id) = url.rsplit_once('/')?;
        rest.rsplit_once('/').map(|(base, _type)| base)
    }
}

/// Reads a Bundle, as compact JSON, or says all that is wrong with its frame; `most_entries` and `expectation` bound it.
pub fn read(compact: &str, most_entries: usize, expectation: &Expectation<'_>) -> Result<Exchange, Vec<Issue>> {
    let Some(mut bundle) = tree(compact) else {
        return Err(vec![Issue::not_fhir("", "the JSON cannot be read")]);
    };
    let count = bundle.get("entry").map_or(0, |entries| entries.items().len());
    if count > most_entries {
        let text = format!("a Bundle may have at most {most_entries} entries, and this has {count}");
        return Err(vec![Issue::not_fhir("Bundle.entry", text)]);
    }
    let mut resources: Vec<Option<Arc<str>>> = Vec::new();
    if let Some(Node::Array(entries)) = bundle.get_mut("entry") {
        resources =
            entries.iter_mut().map(|entry| entry.remove("resource").map(|resource| print(&resource).into())).collect();
    }
    let frame = Expectation { resource_type: Some(ResourceType::Bundle), ..*expectation };
    let issues = validate_compact(&print(&bundle), &frame);
    if !issues.is_empty() {
        return Err(issues);
    }
    let kind = match bundle.get("type").and_then(Node::text) {
        Some("batch") => ExchangeKind::Batch,
        Some("transaction") => ExchangeKind::Transaction,
        _ => return Err(vec![Issue::not_fhir("Bundle.type", "must be batch or transaction")]),
    };
    let entries = bundle.get("entry").map(Node::items).unwrap_or_default();
    let entries = entries.iter().zip(resources).map(|(entry, resource)| request(entry, resource)).collect();
    Ok(Exchange { kind, entries })
}

fn request(entry: &Node<'_>, resource: Option<Arc<str>>) -> RequestEntry {
    let said = |name: &str| entry.get("request").and_then(|request| request.get(name)).and_then(Node::text);
    let owned = |name: &str| said(name).map(String::from);
    RequestEntry {
        full_url: entry.get("fullUrl").and_then(Node::text).map(String::from),
        resource,
        method: owned("method").unwrap_or_default(),
        url: owned("url").unwrap_or_default(),
        if_match: owned("ifMatch"),
        if_none_match: owned("ifNoneMatch"),
        if_modified_since: owned("ifModifiedSince"),
        if_none_exist: owned("ifNoneExist"),
    }
}

/// What a patch in an entry is: its media type and its bytes. FHIRPath Patch is a Parameters resource, the others are inside a
/// Binary, because a Bundle holds nothing but resources.
#[must_use]
pub fn patch(resource: &str) -> Option<(String, Vec<u8>)> {
    let node = tree(resource)?;
    match node.get("resourceType").and_then(Node::text)? {
        "Parameters" => Some(("application/fhir+json".into(), resource.as_bytes().to_vec())),
        "Binary" => {
            let media_type = node.get("contentType").and_then(Node::text)?;
            let data = node.get("data").and_then(Node::text).map(Cow::Borrowed)?;
            Some((media_type.to_owned(), crate::base64_binary::decode(&data)?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::limits::Shape;

    const EXPECTATION: Expectation<'static> =
        Expectation { resource_type: None, id: None, shape: Shape { depth: 64, values: 200_000 }, issues: 100 };

    fn said(json: &str) -> String {
        let issues = read(json, 2, &EXPECTATION).expect_err("refused");
        issues.iter().map(|issue| format!("{}: {}", issue.expression, issue.text)).collect::<Vec<_>>().join("; ")
    }

    #[test]
    fn an_entry_says_what_is_asked_and_keeps_its_resource_as_it_was_written() {
        let json = concat!(
            r#"{"resourceType":"Bundle","type":"transaction","entry":[{"fullUrl":"urn:uuid:a","#,
            r#""resource":{"resourceType":"Observation","valueDecimal":1.50},"#,
            r#""request":{"method":"POST","url":"Observation","ifNoneExist":"code=1"}},"#,
            r#"{"fullUrl":"http://other.example/r4/Patient/1","request":{"method":"DELETE","url":"Patient/1","ifMatch":"W/\"2\""}}]}"#,
        );
        let exchange = read(json, 2, &EXPECTATION).unwrap();
        assert_eq!((exchange.kind, exchange.entries.len()), (ExchangeKind::Transaction, 2));
        let (first, second) = (&exchange.entries[0], &exchange.entries[1]);
        assert_eq!(first.resource.as_deref(), Some(r#"{"resourceType":"Observation","valueDecimal":1.50}"#));
        assert_eq!((first.if_none_exist.as_deref(), first.base()), (Some("code=1"), None));
        assert_eq!((second.if_match.as_deref(), second.base()), (Some("W/\"2\""), Some("http://other.example/r4")));
    }

    #[test]
    fn what_is_wrong_with_the_frame_is_told_with_its_place() {
        assert!(said(r#"{"resourceType":"Patient"}"#).contains("resourceType must be Bundle"));
        assert!(
            said(r#"{"resourceType":"Bundle","type":"collection"}"#)
                .contains("Bundle.type: must be batch or transaction")
        );
        assert!(said(r#"{"resourceType":"Bundle","type":"batch","entry":[{},{},{}]}"#).contains("at most 2 entries"));
        let without = r#"{"resourceType":"Bundle","type":"batch","entry":[{"request":{"url":"Patient"}}]}"#;
        assert!(said(without).contains("Bundle.entry[0].request.method"), "{}", said(without));
        let method =
            r#"{"resourceType":"Bundle","type":"batch","entry":[{"request":{"url":"Patient","method":"STEAL"}}]}"#;
        assert!(said(method).contains("Bundle.entry[0].request.method"), "{}", said(method));
        let twice = concat!(
            r#"{"resourceType":"Bundle","type":"transaction","entry":[{"fullUrl":"urn:uuid:a","request":{"method":"POST","url":"Basic"}},"#,
            r#"{"fullUrl":"urn:uuid:a","request":{"method":"POST","url":"Basic"}}]}"#
        );
        assert!(said(twice).contains("bdl-7"), "{}", said(twice));
    }

    #[test]
    fn a_patch_is_a_parameters_resource_or_inside_a_binary() {
        let binary = r#"{"resourceType":"Binary","contentType":"application/json-patch+json","data":"W10="}"#;
        assert_eq!(patch(binary), Some(("application/json-patch+json".into(), b"[]".to_vec())));
        assert!(patch(r#"{"resourceType":"Parameters"}"#).is_some());
        assert!(patch(r#"{"resourceType":"Patient"}"#).is_none());
    }
}
