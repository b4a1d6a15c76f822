//! `/account/record.ndjson`: a patient's own record as a file, one resource a line, read page by page within their reach and noted.

use crate::app::Shared;
use crate::callers::people::RecordSignIn;
use crate::callers::requirement::Requirement;
use crate::http::call::Call;
use crate::interactions::everything::{self, EverythingRequest, RecordSubject};
use crate::voices::page::{self, PageStop};
use crate::voices::problem::Problem;
use axum::body::Body;
use axum::http::request::Parts;
use axum::response::Response;
use futures_util::stream;
use rules::limits::PAGE_ENTRIES;
use rules::moment::Moment;
use std::io;
use store::search::compartment::CompartmentPart;

/// A file on its way.
struct RecordDownload {
    app: Shared,
    head: Box<Parts>,
    account: RecordSignIn,
    subject: RecordSubject,
    at: RecordStep,
}

enum RecordStep {
    Beginning,
    Further((CompartmentPart, i64)),
    Over,
}

pub async fn read(account: RecordSignIn, call: Call) -> Result<Response, PageStop> {
    let Call { app, head, .. } = call;
    let patient = account.caller.patient().unwrap_or_default().to_owned();
    let subject = match everything::subject(&app, &account.caller, &patient).await {
        Ok(subject) => subject,
        Err(_) => return account.person.keep(&app, Err(nothing().into())),
    };
    let mut download = RecordDownload { app: app.clone(), head, account, subject, at: RecordStep::Beginning };
    // The first page is read before anything is answered: what is wrong then can still be said.
    let first = match download.step().await {
        Ok(first) => first,
        Err(stop) => return download.account.person.keep(&app, Err(stop)),
    };
    let begun = stream::once(std::future::ready(Ok(first)));
    let further = stream::try_unfold(download, async |mut download| {
        if matches!(download.at, RecordStep::Over) {
            return Ok(None);
        }
        match download.go_on().await {
            Ok(lines) => Ok(Some((lines, download))),
            Err(stop) => {
                tracing::error!(?stop, "a record could not be sent to its end");
                Err(io::Error::other("the record could not be sent to its end"))
            }
        }
    });
    let body = Body::from_stream(stream::StreamExt::chain(begun, further));
    Ok(page::file("application/fhir+ndjson", "record.ndjson", body))
}

impl RecordDownload {
    /// The next lines, if whoever asked is still signed in and may see the record.
    async fn go_on(&mut self) -> Result<String, PageStop> {
        self.account = RecordSignIn::of(&self.app, &self.head).await?;
        self.step().await
    }

    async fn step(&mut self) -> Result<String, PageStop> {
        let begins = match self.at {
            RecordStep::Further(place) => Some(place),
            RecordStep::Beginning | RecordStep::Over => None,
        };
        let request = EverythingRequest {
            types: Vec::new(),
            since: Moment(i64::MIN),
            care: (i64::MIN, i64::MAX),
            count: PAGE_ENTRIES,
            begins,
        };
        let page = everything::page(&self.app, &self.account.caller, &self.subject, &request).await?;
        self.at = page.next.map_or(RecordStep::Over, RecordStep::Further);
        let mut lines = String::new();
        for shown in page.record.iter().chain(&page.referred) {
            // Between its members JSON may have line breaks, inside of its texts it has none.
            lines.extend(shown.body.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
            lines.push('\n');
        }
        Ok(lines)
    }
}

fn nothing() -> Problem {
    let wrong = "There is nothing in this record yet.";
    Problem::new(404, "No record yet", wrong, "It begins when a care team writes into it.")
}
