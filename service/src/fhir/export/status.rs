//! The status of an export: how far it has been counted, then the manifest of its files; and its cancellation.
//!
//! Whoever asks has it counted on for a moment. So nothing goes on in the background, any node can go on where another stopped or
//! was killed, and an export that nobody asks for costs nothing.

use crate::app::App;
use crate::app::trouble::{During, Trouble};
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::fhir::export::{claim, kick_off};
use crate::fhir::media;
use crate::fhir::read::answer;
use crate::fhir::search::query_string;
use crate::formats::when;
use crate::http::call::Call;
use crate::voices::api::{ApiStop, JSON, NO_STORE};
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, StatusCode, header};
use axum::response::Response;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use rules::ids::RowId;
use rules::limits::{
    EXPORT_COUNT_SECONDS, EXPORT_DAMAGED, EXPORT_OVERLAP_SECONDS, EXPORT_READ_ROWS, EXPORT_TURN_SECONDS,
};
use serde_json::{Value, json};
use std::iter;
use std::time::{Duration, Instant};
use store::export::jobs::{self, Export, ExportFile};
use store::export::snapshot::{self, DamagedRow, Run};

const PROGRESS: HeaderName = HeaderName::from_static("x-progress");
/// Seconds after which to ask again.
const RETRY_AFTER: HeaderValue = HeaderValue::from_static("1");

pub async fn poll(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let app = &call.app;
    let id = claim::named(&call)?;
    let export = claim::find(app, &caller, id).await?;
    let format = query_string::only_format(call.query())?;
    media::must_take_json(&call.head.headers, format.as_deref())?;
    let export = if export.is_counted() { export } else { count_on(app, &caller, export).await? };
    if export.is_counted() { complete(app, &export) } else { Ok(under_way(&export)) }
}

pub async fn cancel(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let id = claim::named(&call)?;
    let export = claim::find(&call.app, &caller, id).await?;
    if !jobs::cancel(&call.app.store, export.id).await.during("cancelling an export")? {
        return Err(claim::not_there().into());
    }
    Ok(kick_off::accepted("the export is cancelled", iter::empty()))
}

/// Counts on for a moment, if nobody else does.
async fn count_on(app: &App, caller: &Caller, export: Export) -> Result<Export, ApiStop> {
    let (id, turn) = (export.id, caller.now().plus_seconds(EXPORT_TURN_SECONDS));
    if !jobs::take_turn(&app.store, id, turn, caller.now()).await.during("taking a turn at an export")? {
        return Ok(export);
    }
    // Somebody may have counted since it was looked up.
    let mut export = claim::find(app, caller, id).await?;
    let counted = count(app, caller, &mut export).await;
    let is_kept = jobs::go_on(&app.store, id, turn, &export.progress).await.during("going on with an export")?;
    counted?;
    if is_kept { Ok(export) } else { claim::find(app, caller, id).await }
}

async fn count(app: &App, caller: &Caller, export: &mut Export) -> Result<(), ApiStop> {
    let began = Instant::now();
    while let Some(of) = export.types.get(export.progress.types_done).copied() {
        let run = Run { of, after: export.progress.row_done, until: RowId(i64::MAX) };
        let (store, reach, wanted) = (&app.store, caller.reach(), &export.snapshot);
        let rows = snapshot::rows(store, reach, wanted, &run, EXPORT_READ_ROWS).await.during("walking an export")?;
        match rows.last() {
            None => export.progress.next_type(),
            Some(last) => {
                let seen = snapshot::count(store, reach, wanted, &rows, caller.now()).await;
                let seen = seen.during("counting an export")?;
                export.progress.add(Run { until: *last, ..run }, seen.whole);
                leave_out(export, of, &seen.damaged)?;
            }
        }
        if began.elapsed() >= Duration::from_secs(EXPORT_COUNT_SECONDS) {
            break;
        }
    }
    Ok(())
}

/// Leaves out what cannot be given to anybody, and says so once: to the operator here, to the caller in the manifest.
fn leave_out(export: &mut Export, of: ResourceType, damaged: &[DamagedRow]) -> Result<(), Trouble> {
    for one in damaged {
        tracing::error!(resource = one.name, "a damaged resource is left out of an export");
    }
    export.progress.damaged.extend(damaged.iter().map(|one| (of, one.row)));
    match export.progress.damaged.len() {
        count if count > EXPORT_DAMAGED => {
            Err(store::Error::Damaged("more than an export leaves out".into())).during("counting an export")
        }
        _ => Ok(()),
    }
}

fn under_way(export: &Export) -> Response {
    let mut response = Response::new(Body::empty());
    *response.status_mut() = StatusCode::ACCEPTED;
    let (done, all) = (export.progress.types_done, export.types.len());
    let found: i64 = export.progress.files.iter().map(|file| file.count).sum();
    response.headers_mut().extend([(header::RETRY_AFTER, RETRY_AFTER), NO_STORE]);
    answer::put(response.headers_mut(), PROGRESS, format!("counted {done} of {all} types, {found} resources"));
    response
}

fn complete(app: &App, export: &Export) -> Result<Response, ApiStop> {
    let mut response = Response::new(Body::from(manifest(app, export)?.to_string()));
    response.headers_mut().extend([(header::CONTENT_TYPE, JSON), NO_STORE]);
    answer::put(response.headers_mut(), header::EXPIRES, when::http_date(export.expires_at).to_string());
    Ok(response)
}

fn manifest(app: &App, export: &Export) -> Result<Value, Refusal> {
    let url = claim::url(app, export.id)?;
    let damaged = export.progress.damaged.len();
    let error = json!({ "type": "OperationOutcome", "url": format!("{url}/{ERRORS}"), "count": damaged });
    let output = |(at, file): (usize, &ExportFile)| json!({ "type": file.of.name(), "url": format!("{url}/{}", name(at, file)), "count": file.count });
    Ok(json!({
        "transactionTime": when::rfc3339(export.snapshot.at.plus_seconds(-EXPORT_OVERLAP_SECONDS)),
        "request": export.request,
        "requiresAccessToken": true,
        "output": export.progress.files.iter().enumerate().map(output).collect::<Vec<_>>(),
        "error": if damaged > 0 { vec![error] } else { Vec::new() },
    }))
}

/// What the file about damaged resources is called in its URL.
pub(crate) const ERRORS: &str = "errors.OperationOutcome.ndjson";

/// What a file is called in its URL.
pub(crate) fn name(at: usize, file: &ExportFile) -> String {
    format!("{}.{}.ndjson", at + 1, file.of.name())
}
