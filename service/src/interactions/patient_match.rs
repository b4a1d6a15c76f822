//! Who of those whom the caller may see a Patient could be.

use super::inquiries;
use super::noted::Noted;
use super::search::query::{Sent, read_with};
use crate::app::App;
use crate::app::trouble::During;
use crate::callers::caller::Caller;
use crate::voices::api::ApiStop;
use fhir::likeness::{Grade, Likeness, identifiers, likeness};
use fhir::types::ResourceType;
use rules::limits::{MATCH_CANDIDATES, SEARCH_ALTERNATIVES};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::search::compile::Search;
use store::search::post_filter;
use store::stored::resource::Resource;

const TYPE: ResourceType = ResourceType::Patient;

/// The most alike first. Where only the certain are wanted, two of them are none: nobody could say which it is.
pub(crate) async fn find(
    app: &App,
    caller: &Caller,
    sent: &Value,
    only_certain: bool,
    count: usize,
) -> Result<Vec<(Likeness, Noted)>, ApiStop> {
    let mut found: Vec<(Likeness, Arc<Resource>)> = candidates(app, caller, sent)
        .await?
        .into_values()
        .map(|one| {
            let body: Value = serde_json::from_str(&one.body).unwrap_or_default();
            (likeness(sent, &body), one)
        })
        .collect();
    found.retain(|(likeness, _)| likeness.grade > Grade::CertainlyNot);
    found.sort_by_key(|(likeness, one)| (std::cmp::Reverse(*likeness), std::cmp::Reverse(one.row)));
    if only_certain {
        found.retain(|(likeness, _)| likeness.grade == Grade::Certain);
        if found.len() > 1 {
            found.clear();
        }
    }
    found.truncate(count);
    let shown = found.iter().flat_map(|(_, one)| one.patients()).collect();
    inquiries::identified((app, caller), identifiers(sent).into_iter().take(SEARCH_ALTERNATIVES), shown);
    Ok(found.into_iter().map(|(likeness, one)| (likeness, Noted::one(app, caller, one))).collect())
}

/// Who has something in common that few have: an identifier, a way to be reached, or two of name and birthday.
async fn candidates(app: &App, caller: &Caller, sent: &Value) -> Result<BTreeMap<i64, Arc<Resource>>, ApiStop> {
    let first = |path: &str| sent.pointer(path).and_then(Value::as_str).map(escaped);
    let identifiers: Vec<String> = identifiers(sent)
        .iter()
        .take(SEARCH_ALTERNATIVES)
        .map(|(system, value)| format!("{}|{}", escaped(system), escaped(value)))
        .collect();
    let (family, given) = (first("/name/0/family"), first("/name/0/given/0"));
    let (birth, telecom) = (first("/birthDate"), first("/telecom/0/value"));
    let identifier = (!identifiers.is_empty()).then(|| identifiers.join(","));
    let ways: [&[(&str, &Option<String>)]; 5] = [
        &[("identifier", &identifier)],
        &[("telecom", &telecom)],
        &[("family", &family), ("birthdate", &birth)],
        &[("given", &given), ("birthdate", &birth)],
        &[("family", &family), ("given", &given)],
    ];
    let mut found = BTreeMap::new();
    for way in ways {
        let pairs: Option<Vec<Sent>> =
            way.iter().map(|(name, value)| Some(((*name).to_owned(), (*value).clone()?))).collect();
        let Some(pairs) = pairs else { continue };
        let (query, _) = read_with(app, TYPE, &pairs, caller, &[])?;
        let search = Search { query: &query, sort: &[], after: None, floor: None, limit: MATCH_CANDIDATES };
        let page =
            post_filter::page(&app.store, caller.reach(), &search, caller.now()).await.during("looking for a match")?;
        found.extend(page.entries.into_iter().map(|one| (one.resource.row.0, one.resource)));
    }
    Ok(found)
}

/// A text that a search takes as it is.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ',' | '$' | '|' | '\\') {
            escaped.push('\\');
        }
        escaped.push(c);
    }
    escaped
}
