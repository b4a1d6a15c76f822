//! `$export`: the kick-off of an export, of all that the caller may see, of patients' records, or of the members of a Group. It only
//! writes down what is wanted, as of when; counting begins when its status is asked for, and reading when its files are fetched.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::export::claim;
use crate::fhir::media;
use crate::fhir::operations::catalogue::EXPORT;
use crate::fhir::operations::invocation::{Argument, Invocation};
use crate::fhir::read::answer;
use crate::http::call::Call;
use crate::interactions::noted::Noted;
use crate::interactions::read;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::http::request::Parts;
use axum::http::{StatusCode, header};
use axum::response::Response;
use fhir::parameters::membership;
use fhir::reference;
use fhir::types::{self, ResourceType};
use fhir::values::span::Span;
use rules::answers::Refusal;
use rules::consent::glass::GlassDeed;
use rules::limits::EXPORT_MEMBERS;
use rules::params::shown;
use rules::smart::permissions::Permissions;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use store::export::jobs::{self, ExportOrder, ExportStart, ExportSubject};
use store::history::window::HistoryWindow;
use store::patients;

pub async fn of_all(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    begin(&caller, call, ExportSubject::Everything).await
}

pub async fn of_patients(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    begin(&caller, call, ExportSubject::Patients).await
}

pub async fn of_group(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let (app, of) = (&call.app, ResourceType::Group);
    let id = answer::id(of, &call)?;
    must_be_async(&call.head)?;
    let group = read::resource(app, &caller, of, &id).await?;
    let members = members(app, &group).await?;
    begin(&caller, call, ExportSubject::Members(members)).await
}

/// Refuses a call whose caller does not say that it can wait.
fn must_be_async(head: &Parts) -> Result<(), Refusal> {
    let words = "an export takes its time: send the header Prefer: respond-async";
    media::prefers_async(&head.headers).then_some(()).ok_or_else(|| Refusal::Invalid(words.into()))
}

/// The patients who are members of a Group now.
async fn members(app: &App, group: &Noted) -> Result<Vec<rules::ids::PatientId>, ApiStop> {
    let (body, base): (Value, String) =
        (serde_json::from_str(&group.body).unwrap_or_default(), base(&app.settings.base_url));
    let all = body.get("member").and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    let is_present = |member: &&Value| member.get("inactive") != Some(&Value::Bool(true));
    let named = all.iter().filter(is_present).filter_map(|member| {
        reference::id_in(member.pointer("/entity/reference")?.as_str()?, ResourceType::Patient, &base)
    });
    let named: BTreeSet<&str> = named.collect();
    if named.len() > EXPORT_MEMBERS {
        let words = format!("an export is of a Group of at most {EXPORT_MEMBERS} patients");
        return Err(Refusal::Unprocessable(words).into());
    }
    let named: Vec<&str> = named.into_iter().collect();
    Ok(patients::find_some(&app.store, &named).await.during("looking patients up")?)
}

async fn begin(caller: &Caller, call: Call, whose: ExportSubject) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    must_be_async(&head)?;
    caller.must_not_by_glass(GlassDeed::Export)?;
    let is_lenient = media::prefers_lenient(&head.headers);
    let asked = match is_lenient {
        true => Invocation::of_query_leniently(&EXPORT, head.uri.query())?,
        false => Invocation::of_query(&EXPORT, head.uri.query())?,
    };
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_sent((&app, caller), &head.headers, body).await?.checked()?;
    if let Some(format) = asked.text("_outputFormat")?.filter(|format| !media::is_lines(format)) {
        let words = format!("_outputFormat: {} is not given; application/fhir+ndjson is", shown(format));
        return Err(Refusal::Invalid(words).into());
    }
    let path = head.uri.path_and_query().map_or_else(|| head.uri.path(), |path| path.as_str());
    let (types, unknown) = types(&asked, &whose, is_lenient)?;
    if asked.all("_type").next().is_some() {
        types.iter().try_for_each(|of| caller.must_be_granted(of.name(), Permissions::READ))?;
    }
    let order = ExportOrder {
        holder: claim::holder(caller),
        request: format!("{}{path}", app.settings.base_url),
        types,
        since: since(&asked)?,
        whose,
    };
    let begun = jobs::begin(&app.store, order, caller.now()).await.during("beginning an export")?;
    let id = match begun {
        ExportStart::Begun(id) => id,
        ExportStart::Full(until) => {
            // Whole seconds, and none too few.
            let wait = caller.now().seconds_until(until) + 1;
            return Err(Refusal::TooManyExports { wait }.into());
        }
    };
    let ignored = asked.ignored().iter().map(|name| format!("the parameter {name} is not known and was ignored"));
    let ignored =
        ignored.chain(unknown.iter().map(|name| format!("_type: {name} is no resource type; it was ignored")));
    let mut response = accepted("the export has begun; ask where Content-Location says", ignored);
    answer::put(response.headers_mut(), header::CONTENT_LOCATION, claim::url(&app, id)?);
    Ok(response)
}

/// The types that are exported, and what is named as one and is none.
fn types(
    asked: &Invocation,
    whose: &ExportSubject,
    is_lenient: bool,
) -> Result<(Vec<ResourceType>, Vec<String>), Refusal> {
    let words = asked.all("_type").filter_map(|argument| match argument {
        Argument::Text(text) => Some(text.split(',')),
        _ => None,
    });
    let (mut named, mut unknown) = (BTreeSet::new(), Vec::new());
    let mut is_narrow = false;
    for name in words.flatten().map(str::trim).filter(|name| !name.is_empty()) {
        is_narrow = true;
        match types::named(name) {
            Some(of) => {
                named.insert(of);
            }
            None if is_lenient => unknown.push(shown(name).to_string()),
            None => return Err(Refusal::Invalid(format!("_type: {} is no resource type", shown(name)))),
        }
    }
    let can_be = |of: &ResourceType| match whose {
        ExportSubject::Everything => true,
        ExportSubject::Patients | ExportSubject::Members(_) => {
            *of == ResourceType::Patient || membership::members(ResourceType::Patient).any(|member| member == *of)
        }
    };
    let all: Vec<ResourceType> = match is_narrow {
        true => named.into_iter().filter(can_be).collect(),
        false => types::all().filter(can_be).collect(),
    };
    Ok((all, unknown))
}

/// Since when, in milliseconds.
fn since(asked: &Invocation) -> Result<i64, Refusal> {
    let Some(text) = asked.text("_since")? else { return Ok(i64::MIN) };
    let words = "_since must be a moment, as in 2026-11-16T08:00:00Z";
    let since = Span::read(text).ok_or_else(|| Refusal::Invalid(words.into()))?;
    Ok(HistoryWindow::of(Some(since), None).since)
}

/// That something has begun or ended, and what of the request was passed over.
pub(crate) fn accepted(words: &str, ignored: impl Iterator<Item = String>) -> Response {
    let issue =
        |severity: &str, words: &str| json!({ "severity": severity, "code": "informational", "diagnostics": words });
    let mut issues = vec![issue("information", words)];
    issues.extend(ignored.map(|words| issue("warning", &words)));
    let mut response = answer::json(json!({ "resourceType": "OperationOutcome", "issue": issues }).to_string());
    *response.status_mut() = StatusCode::ACCEPTED;
    response
}
