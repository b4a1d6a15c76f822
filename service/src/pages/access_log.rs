//! `/access-log`: the ledger as the patient concerned reads it, by day and by app.

use super::log_words::{self, Letters};
use super::patient_log;
use crate::app::Shared;
use crate::callers::people::PatientSignIn;
use crate::callers::sign_in::SignIn;
use crate::formats::zone::Zone;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::access_log as log;
use crate::views::TimeText;
use crate::views::access_log::{AccessLine, AccessLogPage, LogApp, LogDay};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::limits::LIST_LINES;
use store::ledger::{LedgerPosition, NamedLine};

const PATH: &str = "/access-log";

pub async fn show(PatientSignIn { person, patient }: PatientSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let before = params.get("before").and_then(patient_log::place).unwrap_or(LedgerPosition::NEWEST);
    let answer = list(&call.app, &person, &patient, before).await;
    person.keep(&call.app, answer)
}

async fn list(app: &Shared, person: &SignIn, patient: &str, before: LedgerPosition) -> Result<Response, PageStop> {
    let found = log::page(app, person.user.id, patient, before, LIST_LINES).await?;
    let letters = Letters::of(app, patient, &found.lines, person.now).await?;
    let page = AccessLogPage {
        frame: person.frame(app, PATH),
        days: by_day(&found.lines, &letters, &person.user.name, &app.settings.time_zone),
        older: found.next.map(|next| format!("{PATH}?before={}", patient_log::text(next))),
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// The lines in their order, under the day and the app that they belong to.
fn by_day(lines: &[NamedLine], letters: &Letters, own_name: &str, zone: &Zone) -> Vec<LogDay> {
    let mut days: Vec<LogDay> = Vec::new();
    for line in lines {
        let date = zone.date(line.at);
        if days.last().is_none_or(|day| day.date != date) {
            days.push(LogDay { text: zone.day(line.at), date, apps: Vec::new() });
        }
        let Some(day) = days.last_mut() else { continue };
        let (name, line) = (log_words::app(line), log_line(line, letters, own_name, zone));
        match day.apps.iter_mut().find(|app| app.name == name) {
            Some(app) => app.lines.push(line),
            None => day.apps.push(LogApp { name, lines: vec![line] }),
        }
    }
    days
}

fn log_line(line: &NamedLine, letters: &Letters, own_name: &str, zone: &Zone) -> AccessLine {
    AccessLine {
        at: TimeText::of_day(line.at, zone),
        who: log_words::who(line, own_name),
        what: log_words::what(line, letters),
        why: log_words::why(line),
        explained: log_words::is_others(line, own_name)
            .then(|| format!("{PATH}/why?line={}", patient_log::text(LedgerPosition::of(line)))),
    }
}
