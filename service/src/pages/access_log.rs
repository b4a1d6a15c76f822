//! `/access-log`: the ledger as the patient concerned reads it.

use crate::app::App;
use crate::app::access_writer;
use crate::app::trouble::During;
use crate::callers::people::PatientSignIn;
use crate::callers::sign_in::SignIn;
use crate::formats::zone::Zone;
use crate::http::call::Call;
use crate::http::forms;
use crate::views::TimeText;
use crate::views::access_log::{AccessLogPage, LogLine};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use store::ledger::{self, Event, Line};

/// Lines of one page.
const PAGE: usize = 50;

pub async fn show(PatientSignIn { person, patient }: PatientSignIn, call: Call) -> Result<Response, PageStop> {
    // What was counted in the last seconds belongs on the page too.
    access_writer::flush(&call.app).await;
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let before = params.get("before").and_then(|id| id.parse().ok()).unwrap_or(i64::MAX);
    let answer = list(&call.app, &person, &patient, before).await;
    person.keep(&call.app, answer)
}

async fn list(app: &App, person: &SignIn, patient: &str, before: i64) -> Result<Response, PageStop> {
    let one_more = i64::try_from(PAGE + 1).unwrap_or(i64::MAX);
    let lines =
        ledger::of_patient(&app.store, patient, person.user.id, before, one_more).await.during("reading the ledger")?;
    let older =
        lines.get(PAGE - 1).filter(|_| lines.len() > PAGE).map(|last| format!("/access-log?before={}", last.id));
    let page = AccessLogPage {
        frame: person.frame(app),
        lines: lines.iter().take(PAGE).map(|line| log_line(line, &person.user.name, &app.settings.time_zone)).collect(),
        older,
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// A line of the ledger in plain words.
fn log_line(line: &Line, own_name: &str, zone: &Zone) -> LogLine {
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
    LogLine { at: TimeText::new(line.at, zone), who, what: what(line) }
}

fn what(line: &Line) -> String {
    let times = if line.times > 1 { format!(", {} times", line.times) } else { String::new() };
    match line.event {
        Event::Granted => "You gave this app access".into(),
        Event::CodeRedeemed => "The app was connected".into(),
        Event::Refreshed => "The app renewed its access".into(),
        Event::Revoked if line.detail.as_deref() == Some("by-patient") => "You took the access back".into(),
        Event::Revoked => "The access was ended".into(),
        Event::OrganisationGranted | Event::OrganisationWithdrawn => "An organisation changed an app’s access".into(),
        Event::DocumentRead => "A letter was opened for the first time".into(),
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
