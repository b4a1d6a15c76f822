//! The Bundle of a history: stored versions spliced into it as they are; and the links of every Bundle.

use crate::formats::when;
use crate::interactions::noted::Noted;
use fhir::subset::Subset;
use store::stored::resource::Resource;

/// One page of a history.
#[derive(Debug)]
pub(crate) struct Page<'a> {
    /// Our FHIR base URL, and where it was asked: `{base}/{type}/{id}/_history`.
    pub base: &'a str,
    pub url: &'a str,
    pub matches: &'a [Noted],
    /// The query of this page and of the next one.
    pub own: String,
    pub next: Option<String>,
    pub subset: Subset<'a>,
}

/// Versions, newest first.
pub(crate) fn history(page: &Page<'_>) -> String {
    bundle("history", page, |text, found| {
        let name = found.resource_type.name();
        let (method, at, status) = match found.version {
            _ if found.is_deleted => ("DELETE", format!("{name}/{}", found.id), "204"),
            1 => ("POST", name.to_owned(), "201"),
            _ => ("PUT", format!("{name}/{}", found.id), "200"),
        };
        text.push_str(r#"{"fullUrl":"#);
        text.push_str(&quote(&format!("{}/{name}/{}", page.base, found.id)));
        if !found.is_deleted {
            text.push_str(r#","resource":"#);
            text.push_str(&page.subset.cut(found.resource_type, &found.body));
        }
        text.push_str(&format!(
            r#","request":{{"method":"{method}","url":"{at}"}},"response":{{"status":"{status}","etag":"W/\"{}\"","lastModified":"{}"}}}}"#,
            found.version,
            when::rfc3339(found.updated_at)
        ));
    })
}

fn bundle(kind: &str, page: &Page<'_>, entry: impl Fn(&mut String, &Resource)) -> String {
    let stored: usize = page.matches.iter().map(|found| found.body.len() + 200).sum();
    let mut text = String::with_capacity(stored + 1000);
    text.push_str(&format!(r#"{{"resourceType":"Bundle","type":"{kind}","link":["#));
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
        entry(&mut text, found);
    }
    text.push_str(if page.matches.is_empty() { "}" } else { "]}" });
    text
}

pub(crate) fn link(text: &mut String, url: &str, relation: &str, query: &str) {
    let url = if query.is_empty() { url.to_owned() } else { [url, "?", query].concat() };
    for part in [r#"{"relation":""#, relation, r#"","url":"#, &quote(&url), "}"] {
        text.push_str(part);
    }
}

pub(crate) fn quote(text: &str) -> String {
    // The only thing that could fail is a writer, and this one is memory.
    serde_json::to_string(text).unwrap_or_default()
}
