//! `Observation/$lastn`: of each kind of observation the newest ones, by when they were made.

use crate::app::App;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::read::options::ReadOptions;
use crate::fhir::read::request::ReadRequest;
use crate::fhir::search::endpoint;
use crate::fhir::search::searchset::{self, Searchset};
use crate::http::call::Call;
use crate::interactions::last_of_each;
use crate::interactions::search::query::{self, Sent};
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;

pub async fn find(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    give(&call.app, &caller, &ReadRequest::of(&call)).await
}

pub(crate) async fn give(app: &App, caller: &Caller, request: &ReadRequest<'_>) -> Result<Response, ApiStop> {
    let mut sent = query::pairs(request.query.unwrap_or_default().as_bytes())?;
    let format = sent.iter().find(|(name, _)| name == "_format").map(|(_, value)| value.as_str());
    request.must_take_json(format)?;
    let own = endpoint::link(&sent, None);
    let most = max(&mut sent)?;
    asks_enough(&sent)?;
    let (query, _) = query::read_with(app, ResourceType::Observation, &sent, caller, &[])?;
    if let Some((name, _)) = query.controls.iter().find(|(name, _)| name != "_format") {
        return Err(Refusal::Invalid(format!("$lastn takes no {name}: it has an order and a size of its own")).into());
    }
    let (found, is_cut) = last_of_each::find(app, caller, &query, most).await?;
    let cut = "there is more to look at than one answer may have; name a code or a category";
    let remarks: Vec<String> = is_cut.then(|| cut.to_owned()).into_iter().collect();
    let fhir = base(&app.settings.base_url);
    let set = Searchset {
        url: format!("{fhir}/Observation/$lastn"),
        base: fhir,
        matches: found,
        included: Vec::new(),
        total: None,
        own,
        next: None,
        remarks,
        options: ReadOptions::default(),
    };
    searchset::respond(app, caller, set).await
}

/// Takes out how many of each are wanted: one, unless it is said.
fn max(sent: &mut Vec<Sent>) -> Result<usize, Refusal> {
    let Some(at) = sent.iter().position(|(name, _)| name == "max") else { return Ok(1) };
    let (_, text) = sent.remove(at);
    let max = text.parse::<u32>().ok().filter(|max| *max > 0).and_then(|max| usize::try_from(max).ok());
    max.ok_or_else(|| Refusal::Invalid("max must be a number, 1 or more".into()))
}

/// As HL7 has it: of one subject, and of a category or a code.
fn asks_enough(sent: &[Sent]) -> Result<(), Refusal> {
    let has = |codes: &[&str]| {
        sent.iter().any(|(name, _)| codes.contains(&name.split([':', '.']).next().unwrap_or_default()))
    };
    if has(&["patient", "subject"]) && has(&["category", "code"]) {
        return Ok(());
    }
    Err(Refusal::Invalid("$lastn needs a patient or a subject, and a category or a code".into()))
}
