//! `POST /fhir/Patient/$match`: who of those whom the caller may see the Patient could be that was sent.

use crate::callers::api::FhirReader;
use crate::fhir::history::bundle::{link, quote};
use crate::fhir::operations::catalogue::MATCH;
use crate::fhir::operations::invocation::Invocation;
use crate::fhir::read::answer;
use crate::fhir::{body, media};
use crate::http::call::Call;
use crate::interactions::noted::Noted;
use crate::interactions::patient_match;
use crate::preparation::{SHAPE, base};
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::likeness::Likeness;
use fhir::types::ResourceType;
use fhir::validation::{Expectation, validate};
use rules::answers::Refusal;
use rules::limits::{ISSUES, MATCH_ENTRIES};
use serde_json::Value;

const TYPE: ResourceType = ResourceType::Patient;
const GRADE: &str = "http://hl7.org/fhir/StructureDefinition/match-grade";

type Match = (Likeness, Noted);

pub async fn find(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
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
    let found = patient_match::find(&app, &caller, &sent, only_certain, count(&asked)?).await?;
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
