//! The searchset Bundle: stored resources spliced into it as they are.

use crate::fhir::cut;
use serde_json::Value;
use std::sync::Arc;
use store::records::Resource;

/// One page of a search.
#[derive(Debug)]
pub(super) struct Page<'a> {
    /// `{base_url}/fhir/{type}`.
    pub url: &'a str,
    pub type_name: &'static str,
    pub matches: &'a [Arc<Resource>],
    /// The query of this page and of the next one.
    pub own: String,
    pub next: Option<String>,
}

pub(super) fn searchset(page: &Page<'_>) -> String {
    let stored: usize = page.matches.iter().map(|found| found.body.len() + 200).sum();
    let mut text = String::with_capacity(stored + 1000);
    text.push_str(r#"{"resourceType":"Bundle","type":"searchset","link":["#);
    link(&mut text, page.url, "self", &page.own);
    if let Some(next) = &page.next {
        text.push(',');
        link(&mut text, page.url, "next", next);
    }
    text.push(']');
    // FHIR has no empty arrays: a search that finds nothing has no `entry`.
    let mut before = r#","entry":["#;
    for found in page.matches {
        text.push_str(before);
        before = ",";
        let id = cut::id_of(&found.body, page.type_name).unwrap_or_default();
        text.push_str(r#"{"fullUrl":"#);
        text.push_str(&quote(&format!("{}/{id}", page.url)));
        text.push_str(r#","resource":"#);
        text.push_str(&found.body);
        text.push_str(r#","search":{"mode":"match"}}"#);
    }
    text.push_str(if page.matches.is_empty() { "}" } else { "]}" });
    text
}

fn link(text: &mut String, url: &str, relation: &str, query: &str) {
    let url = if query.is_empty() { url.to_owned() } else { format!("{url}?{query}") };
    text.push_str(&format!(r#"{{"relation":"{relation}","url":{}}}"#, quote(&url)));
}

fn quote(text: &str) -> String {
    Value::from(text).to_string()
}
