//! `POST /fhir`: a Bundle of requests. Those of a batch are on their own; those of a transaction are done together or not at all.

use crate::app::App;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::bundle::entry::{self, EntryRequest};
use crate::fhir::bundle::entry_read::Desk;
use crate::fhir::bundle::responses::Responses;
use crate::fhir::bundle::transaction;
use crate::fhir::search::query_string;
use crate::fhir::write::acknowledgement::{self, Preference};
use crate::fhir::write::if_match;
use crate::fhir::{body, media};
use crate::http::call::Call;
use crate::interactions::write::execution;
use crate::voices::api::ApiStop;
use axum::response::Response;
use fhir::exchange::{Exchange, ExchangeKind, RequestEntry, read};
use fhir::limits::Shape;
use fhir::strict;
use fhir::validation::Expectation;
use rules::answers::Refusal;
use rules::limits::{BUNDLE_ENTRIES, BUNDLE_VALUES, ISSUES, RESOURCE_DEPTH};

/// Levels of nesting that a Bundle has around a resource.
const AROUND: usize = 3;

pub async fn exchange(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let Call { app, head, body, .. } = call;
    let format = query_string::only_format(head.uri.query())?;
    media::must_take_json(&head.headers, format.as_deref())?;
    if_match::refuse(&head.headers, &["if-none-exist", "if-match", "if-none-match"])?;
    let text = body::text(&app, &head.headers, body).await?;
    let Exchange { kind, entries } = exchange_of(&app, &caller, text).await?;
    let desk = Desk { app: &app, caller: &caller, preference: Preference::of(&head.headers) };
    match kind {
        ExchangeKind::Batch => batch(&desk, &entries).await,
        ExchangeKind::Transaction => transaction::answer(&desk, &entries).await,
    }
}

/// The requests of a Bundle, read away from others where that takes long.
async fn exchange_of(app: &App, caller: &Caller, text: String) -> Result<Exchange, ApiStop> {
    let length = text.len();
    let work = move || -> Result<Exchange, ApiStop> {
        let shape = Shape { depth: RESOURCE_DEPTH + AROUND, values: BUNDLE_VALUES };
        let compact = strict::compact(&text, shape)?;
        let expectation = Expectation { resource_type: None, id: None, shape, issues: ISSUES };
        read(&compact, BUNDLE_ENTRIES, &expectation).map_err(ApiStop::Issues)
    };
    app.workers.run(caller.taker(), length, work).await?
}

/// Each entry on its own, in their order; one that is refused says so in its place.
async fn batch(desk: &Desk<'_>, entries: &[RequestEntry]) -> Result<Response, ApiStop> {
    let mut responses = Responses::of(ExchangeKind::Batch);
    for entry in entries {
        let answered = match responses.is_full() {
            true => Err(Refusal::TooCostly.into()),
            false => one(desk, entry).await,
        };
        responses.add(desk, entry, answered).await?;
        // A batch must not keep everybody else's requests waiting.
        tokio::task::yield_now().await;
    }
    Ok(responses.bundle())
}

async fn one(desk: &Desk<'_>, entry: &RequestEntry) -> Result<Response, ApiStop> {
    match entry::entry_request(desk.app, desk.caller, entry).await? {
        EntryRequest::Read(reading) => desk.read(&reading).await,
        EntryRequest::Write(of, request) => {
            let done = execution::one(desk.app, desk.caller, of, &request).await?;
            Ok(acknowledgement::of(desk.app, of, done, desk.preference))
        }
    }
}
