//! `/officer/patients/{id}/looks`: who of the organisation looked at a patient's record, to be read and as a table.

use super::officer::{PATH, as_officer, of_patient};
use super::officer_patient::person;
use super::{look_words, patient_log, team_words};
use crate::app::Shared;
use crate::callers::officer::OfficerSignIn;
use crate::formats::{csv, when};
use crate::http::call::Call;
use crate::http::forms;
use crate::interactions::oversight::{self, Officer, OverseenLook, OverseenTopic};
use crate::views::oversight::OfficerLooksPage;
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::body::Body;
use axum::http::StatusCode;
use axum::response::Response;
use futures_util::stream;
use rules::limits::LIST_LINES;
use std::io;
use store::ledger::{LedgerPosition, NamedLine};

/// Lines about the patient that are looked at for one page of the file.
const LINES: usize = 500;
const COLUMNS: [&str; 9] = ["moment", "patient", "person", "username", "team", "organisation", "app", "event", "what"];

/// `GET /officer/patients/{id}/looks`.
pub async fn show(officer: OfficerSignIn, call: Call) -> Result<Response, PageStop> {
    let params =
        forms::params(call.query().unwrap_or_default().as_bytes()).map_err(|_| Problem::unreadable_address())?;
    let before = params.get("before").and_then(patient_log::place).unwrap_or(LedgerPosition::NEWEST);
    let id = call.part("id").unwrap_or_default().into_owned();
    let answer = list(&call.app, &officer, &id, before).await;
    officer.person.keep(&call.app, answer)
}

async fn list(app: &Shared, officer: &OfficerSignIn, id: &str, before: LedgerPosition) -> Result<Response, PageStop> {
    let by = as_officer(officer);
    let found = oversight::patient(app, by, id).await?.ok_or_else(Problem::not_found)?;
    let look = oversight::begin(app, by, &found, OverseenTopic::Looks).await?;
    let lines = oversight::lines(app, by, &look, (before, LIST_LINES)).await?;
    let (path, all): (_, Vec<&NamedLine>) = (of_patient(id), lines.lines.iter().collect());
    let page = OfficerLooksPage {
        frame: officer.person.frame(app, PATH),
        name: team_words::name(&person(&found)),
        organisation: officer.organisation.name.clone(),
        days: look_words::by_day(&all, None, &app.settings.time_zone),
        older: look_words::older(&format!("{path}/looks"), lines.next),
        path,
    };
    Ok(page::html(StatusCode::OK, &page))
}

/// `GET /officer/patients/{id}/looks.csv`: all of it, read and sent page by page.
pub async fn csv(officer: OfficerSignIn, call: Call) -> Result<Response, PageStop> {
    let id = call.part("id").unwrap_or_default().into_owned();
    let app = call.app.clone();
    let sending = async {
        let by = as_officer(&officer);
        let patient = oversight::patient(&app, by, &id).await?.ok_or_else(Problem::not_found)?;
        let look = oversight::begin(&app, by, &patient, OverseenTopic::Looks).await?;
        // The first page is read before anything is answered: what is wrong then can still be said.
        let (first, next) = piece(&app, by, &look, LedgerPosition::NEWEST).await?;
        let head = csv::row(&COLUMNS.map(String::from));
        let begun = stream::once(std::future::ready(Ok(head + &first)));
        let further = stream::try_unfold((app.clone(), by, look, next), async |(app, by, look, next)| {
            let Some(before): Option<LedgerPosition> = next else { return Ok(None) };
            match piece(&app, by, &look, before).await {
                Ok((rows, next)) => Ok(Some((rows, (app, by, look, next)))),
                Err(stop) => {
                    tracing::error!(?stop, "the looks at a record could not be read to their end");
                    Err(io::Error::other("the looks at a record could not be read to their end"))
                }
            }
        });
        let body = Body::from_stream(stream::StreamExt::chain(begun, further));
        Ok(page::file("text/csv; charset=utf-8", "looks.csv", body))
    };
    let answer = sending.await;
    officer.person.keep(&app, answer)
}

async fn piece(
    app: &Shared,
    by: Officer,
    look: &OverseenLook,
    before: LedgerPosition,
) -> Result<(String, Option<LedgerPosition>), PageStop> {
    let found = oversight::lines(app, by, look, (before, LINES)).await?;
    Ok((found.lines.iter().map(|line| csv::row(&cells(line))).collect(), found.next))
}

fn cells(line: &NamedLine) -> [String; 9] {
    let text = |text: &Option<String>| text.clone().unwrap_or_default();
    [
        when::rfc3339(line.at),
        text(&line.patient),
        text(&line.user),
        text(&line.username),
        text(&line.team),
        text(&line.organisation),
        text(&line.product),
        line.event.word().to_owned(),
        look_words::what(line),
    ]
}
