//! `Patient/{id}/$everything`: the Patient, all that is in the patient's compartment, and what that refers to, within the caller's
//! reach; page by page, and each resource once.

use crate::app::App;
use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::invocation::{Argument, Invocation};
use crate::fhir::operations::EVERYTHING;
use crate::fhir::searchset::{self, Searchset};
use crate::fhir::{answer, media, page, versions};
use crate::http::call::Call;
use crate::preparation::base;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::subset::Subset;
use fhir::types::{self, ResourceType};
use fhir::values::span::Span;
use rules::answers::Refusal;
use rules::limits::{MOST_PAGE_ENTRIES, PAGE_ENTRIES};
use rules::moment::Moment;
use rules::params::shown;
use std::sync::Arc;
use store::compartment::{self, Part, Portion};
use store::read as records;
use store::resource::Resource;

const TYPE: ResourceType = ResourceType::Patient;
const PAGE: &str = "_page";

/// What is on a page, and where the next one begins.
#[derive(Default)]
struct Finding {
    record: Vec<Arc<Resource>>,
    referred: Vec<Arc<Resource>>,
    next: Option<(Part, i64)>,
}

/// `Patient/{id}/$everything`.
pub async fn of_instance(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let id = answer::id(TYPE, &call)?.into_owned();
    give(&caller, call, &id, &format!("Patient/{id}/$everything")).await
}

/// `Patient/$everything`: of the patient that the session is about.
pub async fn of_own(FhirReader(caller): FhirReader, call: Call) -> Result<Response, ApiStop> {
    let own = caller.patient.clone().ok_or_else(|| {
        Refusal::Invalid("this session is about no patient: name one, as in Patient/{id}/$everything".into())
    })?;
    give(&caller, call, &own, "Patient/$everything").await
}

async fn give(caller: &Caller, call: Call, id: &str, path: &str) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let asked = Invocation::of_query(&EVERYTHING, head.uri.query())?;
    media::must_take_json(&head.headers, asked.format())?;
    let asked = asked.and_sent((&app, caller), &head.headers, body).await?.checked()?;
    let found = records::find(&app.store, &caller.reach, TYPE, id, caller.now).await.during("reading a Patient")?;
    let patient = answer::present(TYPE, found)?;
    versions::must_be_there(&patient)?;
    let portion = portion(&asked, &patient)?;
    let begins = begins(&app, id, asked.text(PAGE)?)?;
    let finding = find(&app, caller, &patient, portion, begins).await?;
    for found in finding.record.iter().chain(&finding.referred) {
        app.accesses.note(&caller.viewer(), found);
    }
    let next = finding.next.and_then(|(part, row)| page::seal(&app.keys, &place(id, part), row));
    let fhir = base(&app.settings.base_url);
    let set = Searchset {
        base: &fhir,
        url: &format!("{fhir}/{path}"),
        matches: &finding.record,
        included: &finding.referred,
        total: None,
        own: asked.link(PAGE, asked.text(PAGE)?),
        next: next.map(|next| asked.link(PAGE, Some(&next))),
        remarks: &[],
        subset: Subset::Whole,
    };
    Ok(answer::json(searchset::text(&set)))
}

/// The page that begins there: the Patient on the first, then the compartment to its end, then what that refers to.
async fn find(
    app: &App,
    caller: &Caller,
    patient: &Arc<Resource>,
    portion: Portion,
    begins: Option<(Part, i64)>,
) -> Result<Finding, ApiStop> {
    let mut finding = Finding::default();
    let is_wanted = portion.types.is_empty() || portion.types.contains(&TYPE);
    if begins.is_none() && is_wanted && patient.updated_at >= portion.since {
        finding.record.push(patient.clone());
    }
    let (first, row) = begins.unwrap_or((Part::Members, i64::MAX));
    let parts = match first {
        Part::Members => [Some((Part::Members, row)), Some((Part::Referred, i64::MAX))],
        Part::Referred => [Some((Part::Referred, row)), None],
    };
    for (part, before) in parts.into_iter().flatten() {
        let room = portion.limit - i64::try_from(finding.record.len()).unwrap_or(i64::MAX);
        if room <= 0 {
            finding.next = Some((part, before));
            break;
        }
        // One more than there is room for tells whether there is a next page.
        let portion = Portion { before, limit: room + 1, ..portion.clone() };
        let read = compartment::read(&app.store, &caller.reach, part, &portion, caller.now).await;
        let read = read.during("reading a compartment")?;
        let (mut entries, room) = (read.entries, usize::try_from(room).unwrap_or_default());
        let more = read.is_full || entries.len() > room;
        entries.truncate(room);
        finding.next = entries.last().filter(|_| more).map(|last| (part, last.row.0));
        match part {
            Part::Members => finding.record.extend(entries),
            Part::Referred => finding.referred.extend(entries),
        }
        if more {
            break;
        }
    }
    Ok(finding)
}

/// What is asked for, as the store takes it.
fn portion(asked: &Invocation, patient: &Resource) -> Result<Portion, ApiStop> {
    let number = patient.patient.ok_or_else(|| answer::not_there(TYPE))?;
    let since = asked.text("_since")?.map(|text| span("_since", text)).transpose()?;
    let start = asked.text("start")?.map(|text| span("start", text)).transpose()?;
    let end = asked.text("end")?.map(|text| span("end", text)).transpose()?;
    Ok(Portion {
        patient: number,
        types: types(asked)?,
        // Ours are whole milliseconds.
        since: Moment(since.map_or(i64::MIN, |since| since.low.div_euclid(1000))),
        care: (start.map_or(i64::MIN, |start| start.low), end.map_or(i64::MAX, |end| end.high)),
        before: i64::MAX,
        limit: count(asked)?,
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
fn place(id: &str, part: Part) -> String {
    match part {
        Part::Members => format!("Patient/{id}/$everything/members/"),
        Part::Referred => format!("Patient/{id}/$everything/referred/"),
    }
}

fn begins(app: &App, id: &str, page: Option<&str>) -> Result<Option<(Part, i64)>, Refusal> {
    let Some(page) = page else { return Ok(None) };
    let open = |part| page::open(&app.keys, &place(id, part), Some(page)).map(|row| Some((part, row)));
    open(Part::Members).or_else(|_| open(Part::Referred))
}
