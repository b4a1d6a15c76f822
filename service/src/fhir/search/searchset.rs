//! The Bundle of a search: stored resources spliced into it, matches first, then what comes with them, then remarks.

use crate::app::App;
use crate::callers::caller::Caller;
use crate::fhir::history::bundle::{link, quote};
use crate::fhir::read::answer;
use crate::fhir::read::options::{self, ReadOptions};
use crate::interactions::noted::Noted;
use crate::voices::api::ApiStop;
use axum::response::Response;
use serde_json::json;

/// One page of a search.
#[derive(Debug)]
pub(crate) struct Searchset {
    /// Our FHIR base URL, and where it was asked.
    pub base: String,
    pub url: String,
    pub matches: Vec<Noted>,
    pub included: Vec<Noted>,
    pub total: Option<i64>,
    /// The query of this page and of the next one.
    pub own: String,
    pub next: Option<String>,
    /// What the caller has to know of the answer.
    pub remarks: Vec<String>,
    pub options: ReadOptions,
}

/// The answer with it, written away from other requests where that takes long.
pub(crate) async fn respond(app: &App, caller: &Caller, set: Searchset) -> Result<Response, ApiStop> {
    let work = set.options.work(bytes(&set));
    let write = move || options::layout(text(&set).into(), set.options.is_pretty);
    Ok(answer::json(app.workers.run(caller.taker(), work, write).await?))
}

/// About as many as it will have.
fn bytes(set: &Searchset) -> usize {
    set.matches.iter().chain(&set.included).map(|found| found.body.len() + 200).sum::<usize>() + 1000
}

fn text(set: &Searchset) -> String {
    let subset = set.options.subset();
    let mut text = String::with_capacity(bytes(set));
    text.push_str(r#"{"resourceType":"Bundle","type":"searchset""#);
    if let Some(total) = set.total {
        text.push_str(&format!(r#","total":{total}"#));
    }
    text.push_str(r#","link":["#);
    link(&mut text, &set.url, "self", &set.own);
    if let Some(next) = &set.next {
        text.push(',');
        link(&mut text, &set.url, "next", next);
    }
    text.push(']');
    // What a base URL is quoted to, without its end: neither types nor ids have anything that has to be quoted.
    let base = quote(&set.base);
    let base = base.strip_suffix('"').unwrap_or(&base);
    // FHIR has no empty arrays: a search that finds nothing has no `entry`.
    let mut before = r#","entry":["#;
    let modes = set.matches.iter().map(|found| (found, "match"));
    for (found, mode) in modes.chain(set.included.iter().map(|found| (found, "include"))) {
        text.push_str(before);
        before = ",";
        for part in [r#"{"fullUrl":"#, base, "/", found.resource_type.name(), "/", &found.id, r#"","resource":"#] {
            text.push_str(part);
        }
        text.push_str(&subset.cut(found.resource_type, &found.body));
        for part in [r#","search":{"mode":""#, mode, r#""}}"#] {
            text.push_str(part);
        }
    }
    if !set.remarks.is_empty() {
        text.push_str(before);
        before = ",";
        let issue = |words: &String| json!({ "severity": "warning", "code": "informational", "diagnostics": words });
        let issues: Vec<_> = set.remarks.iter().map(issue).collect();
        let outcome = json!({
            "resource": { "resourceType": "OperationOutcome", "issue": issues },
            "search": { "mode": "outcome" },
        });
        text.push_str(&outcome.to_string());
    }
    text.push_str(if before == "," { "]}" } else { "}" });
    text
}
