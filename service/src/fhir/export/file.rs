//! A file of an export: a resource to a line, read from the records while it is sent, step by step, and no step before the one
//! before is on its way. Every step asks again who calls, and whether the export is still there: a right that ends breaks the file off,
//! so that nobody takes it for whole.

use crate::app::Shared;
use crate::app::request_context;
use crate::app::request_id::RequestId;
use crate::app::response_budget::Room;
use crate::app::trouble::During;
use crate::callers::api::FhirReader;
use crate::callers::caller::Caller;
use crate::callers::requirement::Requirement;
use crate::fhir::export::{claim, status};
use crate::fhir::media;
use crate::fhir::read::answer;
use crate::fhir::search::query_string;
use crate::formats::trace_parent::TraceParent;
use crate::formats::when;
use crate::http::call::Call;
use crate::interactions::snapshot;
use crate::voices::api::{ApiStop, NO_STORE};
use axum::body::{Body, Bytes};
use axum::http::request::Parts;
use axum::http::{HeaderValue, Method, header};
use axum::response::Response;
use futures_util::stream;
use rules::answers::Refusal;
use rules::ids::{ExportId, RowId};
use rules::lifecycle::Lapse;
use rules::limits::EXPORT_STEP_BYTES;
use rules::moment::Moment;
use serde_json::json;
use std::collections::{BTreeSet, VecDeque};
use std::io;
use std::sync::Arc;
use store::export::jobs::Export;
use store::export::snapshot::{self as stored, Run, Snapshot};

const LINES: HeaderValue = HeaderValue::from_static("application/fhir+ndjson");

/// A file on its way.
struct FileProgress {
    app: Shared,
    head: Box<Parts>,
    caller: FhirReader,
    export: ExportId,
    snapshot: Snapshot,
    /// The rows that are still to come.
    left: VecDeque<Run>,
    /// Rows that are told of in a file of their own.
    damaged: BTreeSet<RowId>,
    room: Option<Arc<Room>>,
    request: Option<(RequestId, Option<TraceParent>)>,
}

/// Lines that keep the room that they take up until they have left the process.
struct Load {
    lines: String,
    _room: Option<Arc<Room>>,
}

impl AsRef<[u8]> for Load {
    fn as_ref(&self) -> &[u8] {
        self.lines.as_bytes()
    }
}

pub async fn read(caller: FhirReader, call: Call) -> Result<Response, ApiStop> {
    let id = claim::named(&call)?;
    let export = claim::find(&call.app, &caller, id).await?;
    let named = call.part("name");
    if named.as_deref() == Some(status::ERRORS) && export.is_counted() && !export.progress.damaged.is_empty() {
        return errors(caller, call, &export).await;
    }
    let mut files = export.progress.files.iter().enumerate();
    let file = files.find(|(at, file)| named.as_deref() == Some(&status::name(*at, file)));
    let (_, file) = file.filter(|_| export.is_counted()).ok_or_else(claim::not_there)?;
    query_string::only_format(call.query())?;
    media::must_take_lines(&call.head.headers)?;
    let Call { app, head, .. } = call;
    let mut progress = FileProgress {
        room: app.response_budget.room(Caller::taker(&caller), 2 * EXPORT_STEP_BYTES)?.map(Arc::new),
        export: export.id,
        snapshot: export.snapshot,
        left: file.runs.iter().copied().collect(),
        damaged: export.progress.damaged.iter().map(|(_, row)| *row).collect(),
        request: request_context::id().map(|id| (id, request_context::parent())),
        app,
        head,
        caller,
    };
    let body = match progress.head.method {
        // Without a length, which nobody knows.
        Method::HEAD => Body::from_stream(stream::empty::<io::Result<Bytes>>()),
        // The first step is made before anything is answered, so that trouble can still be said.
        _ => match progress.step().await? {
            Some(first) => progress.body(first),
            None => Body::empty(),
        },
    };
    Ok(lines(body, export.expires_at))
}

fn lines(body: Body, expires_at: Moment) -> Response {
    let mut response = Response::new(body);
    response.headers_mut().extend([(header::CONTENT_TYPE, LINES), NO_STORE]);
    answer::put(response.headers_mut(), header::EXPIRES, when::http_date(expires_at).to_string());
    response
}

/// What is left out because it is damaged, each as an OperationOutcome; of what the caller may still see.
async fn errors(caller: FhirReader, call: Call, export: &Export) -> Result<Response, ApiStop> {
    query_string::only_format(call.query())?;
    media::must_take_lines(&call.head.headers)?;
    let rows: Vec<RowId> = export.progress.damaged.iter().map(|(_, row)| *row).collect();
    let seen = stored::count(&call.app.store, caller.reach(), &export.snapshot, &rows, caller.now()).await;
    let mut text = String::new();
    for one in seen.during("telling what an export left out")?.damaged {
        let words = format!("{} is damaged in the store and left out; its operator can restore it", one.name);
        let issue = json!({ "severity": "error", "code": "exception", "diagnostics": words });
        text.push_str(&json!({ "resourceType": "OperationOutcome", "issue": [issue] }).to_string());
        text.push('\n');
    }
    Ok(lines(Body::from(text), export.expires_at))
}

impl FileProgress {
    fn body(self, first: Bytes) -> Body {
        Body::from_stream(stream::try_unfold((Some(first), self), async |(first, mut progress)| {
            if let Some(first) = first {
                return Ok(Some((first, (None, progress))));
            }
            match progress.go_on().await {
                Ok(lines) => Ok(lines.map(|lines| (lines, (None, progress)))),
                Err(stop) => Err(progress.broke_off(stop).await),
            }
        }))
    }

    /// The next lines, if the caller may still have them.
    async fn go_on(&mut self) -> Result<Option<Bytes>, ApiStop> {
        if self.left.is_empty() {
            return Ok(None);
        }
        match FhirReader::of(&self.app, &self.head).await {
            Ok(caller) => self.caller = caller,
            // The token was good when the file was asked for, and nobody has taken anything back.
            Err(ApiStop::Refusal(Refusal::Lapsed(_, Lapse::TokenExpired))) => {}
            Err(stop) => return Err(stop),
        }
        claim::find(&self.app, &self.caller, self.export).await?;
        self.step().await
    }

    /// The lines of the next rows of which there are any; `None` at the end.
    async fn step(&mut self) -> Result<Option<Bytes>, ApiStop> {
        while let Some(run) = self.left.front_mut() {
            let Some(found) = snapshot::step(&self.app, &self.caller, &self.snapshot, run, &self.damaged).await? else {
                self.left.pop_front();
                continue;
            };
            if run.after >= run.until {
                self.left.pop_front();
            }
            if found.is_empty() {
                continue;
            }
            let mut lines = String::with_capacity(found.iter().map(|found| found.body.len() + 1).sum());
            for found in &found {
                // Between its members JSON may have line breaks, inside of its texts it has none.
                lines.extend(found.body.chars().map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
                lines.push('\n');
            }
            return Ok(Some(Bytes::from_owner(Load { lines, _room: self.room.clone() })));
        }
        Ok(None)
    }

    /// Notes in the log, as the work of the request that it was, that a file broke off.
    async fn broke_off(&self, stop: ApiStop) -> io::Error {
        let told = std::pin::pin!(async {
            match stop {
                ApiStop::Trouble(trouble) => {
                    let _told = trouble.report(&self.head.method, "/fhir/$export/{id}/{name}");
                }
                _ => tracing::info!("a file of an export was broken off: its caller may no longer have it"),
            }
        });
        match self.request.clone() {
            Some((id, parent)) => request_context::within(id, parent, told).await,
            None => told.await,
        }
        io::Error::other("a file of an export could not be sent to its end")
    }
}
