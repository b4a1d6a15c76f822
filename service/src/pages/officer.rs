//! `/officer`: a privacy officer sees the emergency looks of the organisation's teams, each with its reason and what was seen, and
//! finds a patient of the organisation by an exact number.

use super::look_words;
use crate::app::{App, Shared};
use crate::callers::officer::OfficerSignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::identities;
use crate::interactions::oversight::{self, Officer};
use crate::views::TimeText;
use crate::views::oversight::{GlassText, OfficerGlassPage, OfficerPage};
use crate::views::password::FieldProblem;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use fhir::reference;
use rules::limits::LIST_LINES;
use std::collections::BTreeMap;
use store::ledger::{Event, NamedLine};
use store::sharing::glass::GlassUseTold;

pub(super) const PATH: &str = "/officer";
const FIND: &str = "find-patient";
/// Lines of one emergency look that are shown.
const SEEN: usize = 500;

/// What was typed, and what was wrong with it.
#[derive(Default)]
struct NumberTry {
    number: String,
    problem: Option<FieldProblem>,
}

/// `GET /officer`.
pub async fn show(officer: OfficerSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let before = match params.get("before") {
        Some(text) => text.parse().map_err(|_| Problem::unreadable_address())?,
        None => i64::MAX,
    };
    let answer = list(&call.app, &officer, before, NumberTry::default()).await;
    officer.person.keep(&call.app, answer)
}

async fn list(app: &App, officer: &OfficerSignIn, before: i64, tried: NumberTry) -> Result<Response, PageStop> {
    let mut glasses = oversight::glasses(app, as_officer(officer), before, LIST_LINES + 1).await?;
    let is_more = glasses.len() > LIST_LINES;
    glasses.truncate(LIST_LINES);
    let page = OfficerPage {
        frame: officer.person.frame(app, PATH),
        organisation: officer.organisation.name.clone(),
        number: tried.number,
        problem: tried.problem,
        form: officer.person.form(app, FIND),
        older: glasses.last().filter(|_| is_more).map(|last| format!("{PATH}?before={}", last.id)),
        glasses: glasses.iter().map(|told| glass_text(app, told)).collect(),
    };
    let status = if page.problem.is_some() { StatusCode::UNPROCESSABLE_ENTITY } else { StatusCode::OK };
    Ok(page::html(status, &page))
}

/// `POST /officer/find`. The number is in no address.
pub async fn find(officer: OfficerSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, body, .. } = call;
    let finding = async {
        let params = officer.person.own_form(&app, &head.headers, body, FIND).await?;
        let number: String = params.get("number").unwrap_or_default().trim().chars().take(64).collect();
        let by = as_officer(&officer);
        let named = identities::of_number(&app, by.organisation, &number, by.now).await?;
        let named = named.or_else(|| reference::is_id(&number).then(|| number.clone()));
        let found = match named {
            Some(id) => oversight::patient(&app, by, &id).await?,
            None => None,
        };
        if let Some(found) = found {
            return Ok(page::see_other(&of_patient(&found.id)));
        }
        let text = format!("{} has nothing to do with anybody of this number.", officer.organisation.name);
        let problem = Some(FieldProblem { text, field: "number" });
        list(&app, &officer, i64::MAX, NumberTry { number, problem }).await
    };
    let answer = finding.await;
    officer.person.keep(&app, answer)
}

/// `GET /officer/emergencies/{id}`.
pub async fn show_glass(officer: OfficerSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").and_then(|id| id.parse().ok());
    let answer = told(&call.app, &officer, id).await;
    officer.person.keep(&call.app, answer)
}

async fn told(app: &Shared, officer: &OfficerSignIn, id: Option<i64>) -> Result<Response, PageStop> {
    let id = id.ok_or_else(Problem::not_found)?;
    let (told, lines) = oversight::glass(app, as_officer(officer), (id, SEEN)).await?.ok_or_else(Problem::not_found)?;
    let all: Vec<&NamedLine> = lines.iter().collect();
    let page = OfficerGlassPage {
        frame: officer.person.frame(app, PATH),
        glass: glass_text(app, &told),
        seen: seen(&lines),
        days: look_words::by_day(&all, None, &app.settings.time_zone),
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// The parts of the record that were opened, each with how often.
fn seen(lines: &[NamedLine]) -> Vec<String> {
    let mut parts: BTreeMap<&str, i64> = BTreeMap::new();
    for line in lines.iter().filter(|line| line.event == Event::Accessed) {
        *parts.entry(look_words::part(line.detail.as_deref().unwrap_or_default())).or_default() += line.times;
    }
    let told = |(part, times)| match times {
        1 => format!("{part}: once"),
        _ => format!("{part}: {times} times"),
    };
    parts.into_iter().map(told).collect()
}

fn glass_text(app: &App, told: &GlassUseTold) -> GlassText {
    let shown = |moment| TimeText::new(moment, &app.settings.time_zone);
    GlassText {
        at: shown(told.glass.broken_at),
        until: shown(told.glass.ends_at()),
        user: told.user.clone().unwrap_or_else(|| "Somebody whose account is gone".into()),
        team: told.team.clone(),
        patient: told.patient.clone(),
        reason: told.reason.clone(),
        href: format!("{PATH}/emergencies/{}", told.id),
    }
}

pub(super) fn as_officer(officer: &OfficerSignIn) -> Officer {
    let OfficerSignIn { person, organisation } = officer;
    Officer { user: person.user.id, organisation: organisation.id, now: person.now }
}

pub(super) fn of_patient(id: &str) -> String {
    format!("{PATH}/patients/{id}")
}
