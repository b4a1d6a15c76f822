//! `/looks`: what a clinician looked at, asked and wrote themselves, as the ledger has it.

use super::{look_words, patient_log};
use crate::app::Shared;
use crate::callers::sign_in::SignIn;
use crate::callers::staff::ClinicianSignIn;
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::access_log;
use crate::views::looks::LooksPage;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::http::StatusCode;
use axum::response::Response;
use rules::limits::LIST_LINES;
use store::ledger::{LedgerPosition, NamedLine, Topic};

const PATH: &str = "/looks";

pub async fn show(ClinicianSignIn { person, .. }: ClinicianSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let before = params.get("before").and_then(patient_log::place).unwrap_or(LedgerPosition::NEWEST);
    let answer = list(&call.app, &person, before).await;
    person.keep(&call.app, answer)
}

async fn list(app: &Shared, person: &SignIn, before: LedgerPosition) -> Result<Response, PageStop> {
    let found = access_log::of_user(app, person.user.id, before, LIST_LINES).await?;
    let is_look = |line: &&NamedLine| line.event.topic() == Topic::Record;
    let looks: Vec<&NamedLine> = found.lines.iter().filter(is_look).collect();
    let page = LooksPage {
        frame: person.frame(app, PATH),
        days: look_words::by_day(&looks, Some(&person.user.username), &app.settings.time_zone),
        older: look_words::older(PATH, found.next),
    };
    Ok(page::html(StatusCode::OK, &page))
}
