//! `Patient/{id}/$everything`: the Patient, all that is in the patient's compartment, and what that refers to, within the caller's
//! reach; page by page, and each resource once.

use crate::app::App;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::media;
use crate::fhir::operations::catalogue::EVERYTHING;
use crate::fhir::operations::invocation::{Argument, Invocation};
use crate::fhir::read::answer;
use crate::fhir::read::options::ReadOptions;
use crate::fhir::read::request::ReadRequest;
use crate::fhir::search::page_token;
use crate::fhir::search::searchset::{self, Searchset};
use crate::http::call::Call;
use crate::interactions;
use crate::interactions::everything::EverythingRequest;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::types::{self, ResourceType};
use fhir::values::span::Span;
use rules::answers::Refusal;
use rules::limits::{MOST_PAGE_ENTRIES, PAGE_ENTRIES};
use rules::moment::Moment;
use rules::params::shown;
use store::search::compartment::CompartmentPart;

const TYPE: ResourceType = ResourceType::Patient;
const PAGE: &str = "_page";

/// `Patient/{id}/$everything`.
pub async fn of_instance(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let id = answer::id(TYPE, &call)?.into_owned();
    give(&caller, call, &id, &format!("Patient/{id}/$everything")).await
}

/// `Patient/$everything`: of the patient that the session is about.
pub async fn of_own(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let own = caller.patient().map(str::to_owned).ok_or_else(|| {
        Refusal::Invalid("this session is about no patient: name one, as in Patient/{id}/$everything".into())
    })?;
    give(&caller, call, &own, "Patient/$everything").await
}

async fn give(caller: &Caller, call: Call, id: &str, path: &str) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&EVERYTHING, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_sent((&app, caller), &head.headers, body).await?.checked()?;
    tell(&app, caller, &asked, (id, path)).await
}

/// The same for an entry of a Bundle.
pub(crate) async fn of_entry(
    app: &App,
    caller: &Caller,
    request: &ReadRequest<'_>,
    id: &str,
) -> Result<Response, ApiStop> {
    let asked = Invocation::of_query(&EVERYTHING, request.query)?;
    request.must_take_json(asked.format())?;
    tell(app, caller, &asked.checked()?, (id, &format!("Patient/{id}/$everything"))).await
}

async fn tell(app: &App, caller: &Caller, asked: &Invocation, (id, path): (&str, &str)) -> Result<Response, ApiStop> {
    let subject = interactions::everything::subject(app, caller, id).await?;
    let request = request(asked, begins(app, id, asked.text(PAGE)?)?)?;
    let page = interactions::everything::page(app, caller, &subject, &request).await?;
    let next = page.next.and_then(|(part, row)| page_token::seal(&app.keys, &place(id, part), row));
    let fhir = base(&app.settings.base_url);
    let set = Searchset {
        url: format!("{fhir}/{path}"),
        base: fhir,
        matches: page.record,
        included: page.referred,
        total: None,
        own: asked.link(PAGE, asked.text(PAGE)?),
        next: next.map(|next| asked.link(PAGE, Some(&next))),
        remarks: Vec::new(),
        options: ReadOptions::default(),
    };
    searchset::respond(app, caller, set).await
}

/// What is asked for, from where on.
fn request(asked: &Invocation, begins: Option<(CompartmentPart, i64)>) -> Result<EverythingRequest, Refusal> {
    let since = asked.text("_since")?.map(|text| span("_since", text)).transpose()?;
    let start = asked.text("start")?.map(|text| span("start", text)).transpose()?;
    let end = asked.text("end")?.map(|text| span("end", text)).transpose()?;
    Ok(EverythingRequest {
        types: types(asked)?,
        // Ours are whole milliseconds.
        since: Moment(since.map_or(i64::MIN, |since| since.low.div_euclid(1000))),
        care: (start.map_or(i64::MIN, |start| start.low), end.map_or(i64::MAX, |end| end.high)),
        count: count(asked)?,
        begins,
    })
}

fn types(asked: &Invocation) -> Result<Vec<ResourceType>, Refusal> {
    let words = asked.all("_type").filter_map(|argument| match argument {
        Argument::Text(text) => Some(text.split(',')),
        _ => None,
    });
    let named = |name: &str| {
        types::named(name).ok_or_else(|| Refusal::Invalid(format!("_type: {} is no resource type", shown(name))))
    };
    words.flatten().filter(|name| !name.is_empty()).map(named).collect()
}

fn count(asked: &Invocation) -> Result<i64, Refusal> {
    let Some(count) = asked.text("_count")? else { return Ok(PAGE_ENTRIES) };
    let count = count.parse::<u32>().ok().filter(|count| *count > 0);
    count
        .map(|count| i64::from(count).min(MOST_PAGE_ENTRIES))
        .ok_or_else(|| Refusal::Invalid(format!("_count must be a number from 1 to {MOST_PAGE_ENTRIES}")))
}

fn span(name: &str, text: &str) -> Result<Span, Refusal> {
    Span::read(text).ok_or_else(|| Refusal::Invalid(format!("{name} must be a date or a moment, as in 2026-11-16")))
}

/// What a `_page` is sealed for.
fn place(id: &str, part: CompartmentPart) -> String {
    match part {
        CompartmentPart::Members => format!("Patient/{id}/$everything/members/"),
        CompartmentPart::Referred => format!("Patient/{id}/$everything/referred/"),
    }
}

fn begins(app: &App, id: &str, page: Option<&str>) -> Result<Option<(CompartmentPart, i64)>, Refusal> {
    let Some(page) = page else { return Ok(None) };
    let open = |part| page_token::open(&app.keys, &place(id, part), Some(page)).map(|row| Some((part, row)));
    open(CompartmentPart::Members).or_else(|_| open(CompartmentPart::Referred))
}
