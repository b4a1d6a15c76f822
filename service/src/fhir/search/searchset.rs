//! The Bundle of a search: stored resources spliced into it, matches first, then what comes with them, then remarks.

use crate::fhir::history::bundle::{link, quote};
use crate::interactions::noted::Noted;
use fhir::subset::Subset;
use serde_json::json;

/// One page of a search.
#[derive(Debug)]
pub(crate) struct Searchset<'a> {
    /// Our FHIR base URL, and where it was asked.
    pub base: &'a str,
    pub url: &'a str,
    pub matches: &'a [Noted],
    pub included: &'a [Noted],
    pub total: Option<i64>,
    /// The query of this page and of the next one.
    pub own: String,
    pub next: Option<String>,
    /// What the caller has to know of the answer.
    pub remarks: &'a [String],
    pub subset: Subset<'a>,
}

pub(crate) fn text(set: &Searchset<'_>) -> String {
    let all = || set.matches.iter().chain(set.included);
    let mut text = String::with_capacity(all().map(|found| found.body.len() + 200).sum::<usize>() + 1000);
    text.push_str(r#"{"resourceType":"Bundle","type":"searchset""#);
    if let Some(total) = set.total {
        text.push_str(&format!(r#","total":{total}"#));
    }
    text.push_str(r#","link":["#);
    link(&mut text, set.url, "self", &set.own);
    if let Some(next) = &set.next {
        text.push(',');
        link(&mut text, set.url, "next", next);
    }
    text.push(']');
    // What a base URL is quoted to, without its end: neither types nor ids have anything that has to be quoted.
    let base = quote(set.base);
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
        text.push_str(&set.subset.cut(found.resource_type, &found.body));
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
