//! `POST /fhir/Patient/$match`: who of those whom the caller may see the Patient could be that was sent.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::bundle::{link, quote};
use crate::fhir::invocation::Invocation;
use crate::fhir::operations::MATCH;
use crate::fhir::{answer, body, media, search};
use crate::http::call::Call;
use crate::preparation::{SHAPE, base};
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::likeness::{Grade, Likeness, identifiers, likeness};
use fhir::types::ResourceType;
use fhir::validation::{Expectation, validate};
use rules::answers::Refusal;
use rules::limits::{ISSUES, MATCH_CANDIDATES, MATCH_ENTRIES, SEARCH_ALTERNATIVES};
use serde_json::Value;
use std::collections::BTreeMap;
use std::sync::Arc;
use store::finding::Search;
use store::resource::Resource;
use store::sifting;

const TYPE: ResourceType = ResourceType::Patient;
const GRADE: &str = "http://hl7.org/fhir/StructureDefinition/match-grade";

type Match = (Likeness, Arc<Resource>);

pub async fn find(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&MATCH, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let json = body::text(&app, &head.headers, body).await?;
    let (asked, sent) = app.workers.run(caller.taker(), json.len(), move || question(asked, &json)).await??;
    let only_certain = match asked.text("onlyCertainMatches")? {
        None | Some("false") => false,
        Some("true") => true,
        Some(_) => return Err(Refusal::Invalid("onlyCertainMatches must be true or false".into()).into()),
    };
    let found = matches(&app, &caller, &sent, only_certain, count(&asked)?).await?;
    for (_, found) in &found {
        app.accesses.note(&caller.viewer(), found);
    }
    Ok(answer::json(text(&base(&app.settings.base_url), &found)))
}

/// The call with what its body says, and the Patient in it, which must be valid.
fn question(asked: Invocation, text: &str) -> Result<(Invocation, Value), ApiStop> {
    let asked = asked.and_body(text)?.checked()?;
    let sent = asked.resource("resource")?.unwrap_or_default();
    let expected = Expectation { resource_type: Some(TYPE), id: None, shape: SHAPE, issues: ISSUES };
    let issues = validate(sent, &expected);
    if !issues.is_empty() {
        return Err(ApiStop::Issues(issues));
    }
    let sent = serde_json::from_str(sent).unwrap_or_default();
    Ok((asked, sent))
}

/// The most alike first. Where only the certain are wanted, two of them are none: nobody could say which it is.
async fn matches(
    app: &App,
    caller: &Caller,
    sent: &Value,
    only_certain: bool,
    count: usize,
) -> Result<Vec<Match>, ApiStop> {
    let mut found: Vec<Match> = candidates(app, caller, sent)
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
    Ok(found)
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
        let pairs: Option<Vec<search::Sent>> =
            way.iter().map(|(name, value)| Some(((*name).to_owned(), (*value).clone()?))).collect();
        let Some(pairs) = pairs else { continue };
        let (query, _) = search::read_with(app, TYPE, &pairs, caller, &[])?;
        let search = Search { query: &query, sort: &[], after: None, floor: None, limit: MATCH_CANDIDATES };
        let page = sifting::page(&app.store, &caller.reach, &search, caller.now).await.during("looking for a match")?;
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

fn count(asked: &Invocation) -> Result<usize, Refusal> {
    let Some(count) = asked.text("count")? else { return Ok(MATCH_ENTRIES) };
    let count = count.parse::<u32>().ok().filter(|count| *count > 0).and_then(|count| usize::try_from(count).ok());
    count
        .map(|count| count.min(MATCH_ENTRIES))
        .ok_or_else(|| Refusal::Invalid("count must be a number, 1 or more".into()))
}

/// The Bundle, each entry with how alike it is.
fn text(base: &str, found: &[Match]) -> String {
    let mut text = format!(r#"{{"resourceType":"Bundle","type":"searchset","total":{},"link":["#, found.len());
    link(&mut text, &format!("{base}/Patient/$match"), "self", "");
    text.push(']');
    let mut before = r#","entry":["#;
    for (likeness, one) in found {
        text.push_str(before);
        before = ",";
        let url = quote(&format!("{base}/Patient/{}", one.id));
        let (grade, score) = (likeness.grade.code(), f64::from(likeness.thousandths) / 1000.0);
        text.push_str(&format!(
            r#"{{"fullUrl":{url},"resource":{},"search":{{"extension":[{{"url":"{GRADE}","valueCode":"{grade}"}}],"mode":"match","score":{score}}}}}"#,
            one.body
        ));
    }
    text.push_str(if found.is_empty() { "}" } else { "]}" });
    text
}
