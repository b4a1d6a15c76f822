//! The Bundle of a history: stored versions spliced into it as they are; and the links of every Bundle.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::fhir::read::answer;
use crate::fhir::read::options::{self, ReadOptions};
use crate::formats::when;
use crate::interactions::noted::Noted;
use crate::voices::api::ApiStop;
use axum::response::Response;
use store::stored::resource::Resource;

/// One page of a history.
#[derive(Debug)]
pub(crate) struct Page {
    /// Our FHIR base URL, and where it was asked: `{base}/{type}/{id}/_history`.
    pub base: String,
    pub url: String,
    pub matches: Vec<Noted>,
    /// The query of this page and of the next one.
    pub own: String,
    pub next: Option<String>,
    pub options: ReadOptions,
}

/// The answer with a page of a history, written away from other requests where that takes long.
pub(crate) async fn respond(app: &App, caller: &Caller, page: Page) -> Result<Response, ApiStop> {
    let work = page.options.work(bytes(&page));
    let write = move || options::layout(history(&page).into(), page.options.is_pretty);
    Ok(answer::json(app.workers.run(caller.taker(), work, write).await?))
}

/// About as many as it will have.
fn bytes(page: &Page) -> usize {
    page.matches.iter().map(|found| found.body.len() + 200).sum::<usize>() + 1000
}

/// Versions, newest first.
fn history(page: &Page) -> String {
    let subset = page.options.subset();
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
            text.push_str(&subset.cut(found.resource_type, &found.body));
        }
        text.push_str(&format!(
            r#","request":{{"method":"{method}","url":"{at}"}},"response":{{"status":"{status}","etag":"W/\"{}\"","lastModified":"{}"}}}}"#,
            found.version,
            when::rfc3339(found.updated_at)
        ));
    })
}

fn bundle(kind: &str, page: &Page, entry: impl Fn(&mut String, &Resource)) -> String {
    let mut text = String::with_capacity(bytes(page));
    text.push_str(&format!(r#"{{"resourceType":"Bundle","type":"{kind}","link":["#));
    link(&mut text, &page.url, "self", &page.own);
    if let Some(next) = &page.next {
        text.push(',');
        link(&mut text, &page.url, "next", next);
    }
    text.push(']');
    // FHIR has no empty arrays: a search that finds nothing has no `entry`.
    let mut before = r#","entry":["#;
    for found in &page.matches {
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
