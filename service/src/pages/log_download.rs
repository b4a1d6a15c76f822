//! `/access-log.csv` and `/access-log.json`: the whole access log as a file, read and sent page by page.

use super::log_words::{self, Letters};
use crate::app::Shared;
use crate::callers::people::PatientSignIn;
use crate::formats::{csv, when};
use crate::http::call::Call;
use crate::interactions::access_log as log;
use crate::voices::page::{self, PageStop};
use axum::body::Body;
use axum::response::Response;
use futures_util::stream;
use rules::ids::UserId;
use rules::moment::Moment;
use serde_json::json;
use std::io;
use store::ledger::{LedgerPosition, NamedLine};

/// Lines that are read at once.
const LINES: usize = 500;

const COLUMNS: [&str; 10] =
    ["moment", "app", "person", "team", "organisation", "event", "what", "times", "right", "why"];

#[derive(Clone, Copy)]
enum FileFormat {
    Csv,
    Json,
}

/// Where a download is.
struct Download {
    app: Shared,
    user: UserId,
    patient: String,
    format: FileFormat,
    now: Moment,
    at: DownloadStep,
}

enum DownloadStep {
    Beginning,
    Before(LedgerPosition),
    Over,
}

pub async fn csv(patient: PatientSignIn, call: Call) -> Result<Response, PageStop> {
    download(patient, call, FileFormat::Csv).await
}

pub async fn json(patient: PatientSignIn, call: Call) -> Result<Response, PageStop> {
    download(patient, call, FileFormat::Json).await
}

async fn download(
    PatientSignIn { person, patient }: PatientSignIn,
    call: Call,
    format: FileFormat,
) -> Result<Response, PageStop> {
    let (app, user, now) = (call.app.clone(), person.user.id, person.now);
    let mut download = Download { app, user, patient, format, now, at: DownloadStep::Beginning };
    // The first page is read before anything is answered: what is wrong then can still be said.
    let answer = match download.next().await {
        Err(stop) => Err(stop),
        Ok(first) => {
            let begun = stream::once(std::future::ready(Ok(first)));
            let further = stream::try_unfold(download, async |mut download| {
                if matches!(download.at, DownloadStep::Over) {
                    return Ok(None);
                }
                match download.next().await {
                    Ok(piece) => Ok(Some((piece, download))),
                    Err(stop) => {
                        tracing::error!(?stop, "an access log could not be read to its end");
                        Err(io::Error::other("the access log could not be read to its end"))
                    }
                }
            });
            let body = Body::from_stream(stream::StreamExt::chain(begun, further));
            let (media_type, name) = match format {
                FileFormat::Csv => ("text/csv; charset=utf-8", "access-log.csv"),
                FileFormat::Json => ("application/json", "access-log.json"),
            };
            Ok(page::file(media_type, name, body))
        }
    };
    person.keep(&call.app, answer)
}

impl Download {
    /// The next piece of the file.
    async fn next(&mut self) -> Result<String, PageStop> {
        let before = match self.at {
            DownloadStep::Before(place) => place,
            DownloadStep::Beginning | DownloadStep::Over => LedgerPosition::NEWEST,
        };
        let found = log::page(&self.app, self.user, &self.patient, before, LINES).await?;
        let letters = Letters::of(&self.app, &self.patient, &found.lines, self.now).await?;
        let is_first = matches!(self.at, DownloadStep::Beginning);
        self.at = found.next.map_or(DownloadStep::Over, DownloadStep::Before);
        let is_last = matches!(self.at, DownloadStep::Over);
        Ok(match self.format {
            FileFormat::Csv => {
                let head = is_first.then(|| csv::row(&COLUMNS.map(String::from)));
                let rows = found.lines.iter().map(|line| csv::row(&cells(line, &letters)));
                head.into_iter().chain(rows).collect()
            }
            FileFormat::Json => {
                let members = found.lines.iter().map(|line| object(line, &letters)).collect::<Vec<_>>().join(",\n");
                let between = if !is_first && !members.is_empty() { ",\n" } else { "" };
                let (open, close) = (if is_first { "[\n" } else { "" }, if is_last { "\n]\n" } else { "" });
                format!("{open}{between}{members}{close}")
            }
        })
    }
}

fn cells(line: &NamedLine, letters: &Letters) -> [String; 10] {
    [
        when::rfc3339(line.at),
        log_words::app(line),
        line.user.clone().unwrap_or_default(),
        line.team.clone().unwrap_or_default(),
        line.organisation.clone().unwrap_or_default(),
        line.event.word().to_owned(),
        log_words::what(line, letters),
        line.times.to_string(),
        line.right.map(|right| right.word().to_owned()).unwrap_or_default(),
        log_words::why(line).unwrap_or_default(),
    ]
}

/// The same for programs: what is not known is null.
fn object(line: &NamedLine, letters: &Letters) -> String {
    let told = json!({
        "moment": when::rfc3339(line.at),
        "app": line.product,
        "owner": line.owner,
        "person": line.user,
        "team": line.team,
        "organisation": line.organisation,
        "event": line.event.word(),
        "detail": line.detail,
        "what": log_words::what(line, letters),
        "times": line.times,
        "right": line.right.map(rules::reach::Right::word),
        "why": log_words::why(line),
    });
    told.to_string()
}
