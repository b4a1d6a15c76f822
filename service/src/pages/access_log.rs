//! `/access-log`: the ledger as the patient concerned reads it.

use crate::app::App;
use crate::app::access_writer;
use crate::app::trouble::During;
use crate::callers::people::PatientSignIn;
use crate::callers::sign_in::SignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::views::access_log::{AccessLogPage, LogLine};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::moment::Moment;
use store::ledger::{self, Event, NamedLine, Place};
use store::patients;

/// Lines of one page.
const PAGE: usize = 50;

pub async fn show(PatientSignIn { person, patient }: PatientSignIn, call: Call) -> Result<Response, PageStop> {
    // What was counted in the last seconds belongs on the page too.
    access_writer::flush(&call.app).await;
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let before = params.get("before").and_then(place).unwrap_or(Place::NEWEST);
    let answer = list(&call.app, &person, &patient, before).await;
    person.keep(&call.app, answer)
}

async fn list(app: &App, person: &SignIn, patient: &str, before: Place) -> Result<Response, PageStop> {
    let one_more = i64::try_from(PAGE + 1).unwrap_or(i64::MAX);
    let patient = patients::find(&app.store, patient).await.during("finding the patient")?;
    let lines = match patient {
        Some(patient) => ledger::of_patient(&app.store, patient, person.user.id, before, one_more).await,
        None => Ok(Vec::new()),
    };
    let lines = lines.during("reading the ledger")?;
    let last = lines.get(PAGE - 1).filter(|_| lines.len() > PAGE);
    let older = last.map(|last| format!("/access-log?before={}.{}", last.at.0, last.id));
    let page = AccessLogPage {
        frame: person.frame(app),
        lines: lines.iter().take(PAGE).map(|line| log_line(line, &person.user.name)).collect(),
        older,
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// A place in the list, as the address of its next page says it.
fn place(text: &str) -> Option<Place> {
    let (at, id) = text.split_once('.')?;
    Some(Place { at: Moment(at.parse().ok()?), id: id.parse().ok()? })
}

/// A line of the ledger in plain words.
fn log_line(line: &NamedLine, own_name: &str) -> LogLine {
    let app = line.product.as_ref().map(|product| match &line.owner {
        Some(owner) => format!("{product} by {owner}"),
        None => product.clone(),
    });
    let behind = line.organisation.as_ref().or(line.team.as_ref()).or(line.user.as_ref());
    let behind = behind.map(|name| if name == own_name { "you".to_owned() } else { name.clone() });
    let who = match (app, behind) {
        (Some(app), Some(behind)) => format!("{app}, for {behind}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "You".into(),
    };
    LogLine { at: line.at.into(), who, what: what(line) }
}

fn what(line: &NamedLine) -> String {
    let times = if line.times > 1 { format!(", {} times", line.times) } else { String::new() };
    match line.event {
        Event::Granted => "You gave this app access".into(),
        Event::CodeRedeemed => "The app was connected".into(),
        Event::Refreshed => "The app renewed its access".into(),
        Event::Revoked if line.detail.as_deref() == Some("by-patient") => "You took the access back".into(),
        Event::Revoked => "The access was ended".into(),
        Event::OrganisationGranted | Event::OrganisationWithdrawn => "An organisation changed an app’s access".into(),
        Event::DocumentRead => "A letter was opened for the first time".into(),
        Event::GivenUp | Event::Undone => "A change was taken back".into(),
        Event::Accessed => format!("Opened {}{times}", part(line.detail.as_deref().unwrap_or_default())),
    }
}

/// The part of the record, as people call it.
fn part(resource_type: &str) -> &str {
    match resource_type {
        "Patient" => "your personal details",
        "DocumentReference" => "the details of a letter",
        "Binary" => "a letter",
        _ => "a part of your record",
    }
}
