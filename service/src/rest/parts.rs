//! Bodies of several parts: one that is JSON and up to ten files, taken piece by piece and within bounds.

use crate::app::App;
use crate::documents::sent_file::{self, SentFile};
use crate::http::receipt;
use crate::voices::api::{ApiStop, refusal_of_fault};
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{HeaderMap, header};
use futures_util::stream;
use multer::{Constraints, Field, Multipart, SizeLimit};
use rules::answers::Refusal;
use rules::limits::MOST_FILES;
use rules::rest_errors::RestError;
use rules::rest_faults::{ShapeFault, ValueFault};
use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll, ready};

const MEDIA_TYPE: &str = "multipart/form-data";
const DOCUMENT: &str = "document";
const FILE: &str = "file";
/// What the JSON may have: texts of members, no content.
const DOCUMENT_BYTES: u64 = 256 * 1024;

/// A head of a part is looked for in all that has come of it whenever a piece comes: pieces are not shorter than this, but for the
/// last.
const LEAST_PIECE_BYTES: usize = 64 * 1024;

/// The parts of a body.
#[derive(Debug)]
pub(crate) struct SentParts {
    pub document: String,
    pub files: Vec<SentFile>,
}

/// What stands between the parts of a body; none where it is no body of parts.
pub(crate) fn boundary(headers: &HeaderMap) -> Result<Option<String>, Refusal> {
    let sent = headers.get(header::CONTENT_TYPE).and_then(|value| value.to_str().ok()).unwrap_or_default();
    if !sent.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case(MEDIA_TYPE) {
        return Ok(None);
    }
    let refused =
        |_| Refusal::Invalid("Content-Type: multipart/form-data must name the boundary between the parts".into());
    multer::parse_boundary(sent).map(Some).map_err(refused)
}

/// Reads the parts of a body.
pub(crate) async fn read(app: &App, boundary: String, body: Body) -> Result<SentParts, ApiStop> {
    let most_bytes = app.settings.api_body_bytes;
    let body = Arc::new(Mutex::new(body));
    let (taken, mut gathered) = (body.clone(), Vec::new());
    let pieces = stream::poll_fn(move |context| {
        piece(&mut taken.lock().unwrap_or_else(PoisonError::into_inner), &mut gathered, context)
    });
    let size = SizeLimit::new()
        .whole_stream(u64::try_from(most_bytes).unwrap_or(u64::MAX))
        .for_field(DOCUMENT, DOCUMENT_BYTES);
    let mut parts = Multipart::with_constraints(pieces, boundary, Constraints::new().size_limit(size));
    let read = all(&mut parts, most_bytes).await;
    drop(parts);
    if read.is_err() {
        // Whoever is still sending hears why not.
        let rest = std::mem::take(&mut *body.lock().unwrap_or_else(PoisonError::into_inner));
        receipt::read_on(rest).await;
    }
    read
}

/// The next piece of a body, together with what came before it and was too short.
fn piece(
    body: &mut Body,
    gathered: &mut Vec<u8>,
    context: &mut Context<'_>,
) -> Poll<Option<Result<Bytes, axum::Error>>> {
    loop {
        match ready!(Pin::new(&mut *body).poll_frame(context)) {
            Some(Ok(frame)) => gathered.extend_from_slice(&frame.into_data().unwrap_or_default()),
            Some(Err(error)) => return Poll::Ready(Some(Err(error))),
            None if gathered.is_empty() => return Poll::Ready(None),
            None => return Poll::Ready(Some(Ok(std::mem::take(gathered).into()))),
        }
        if gathered.len() >= LEAST_PIECE_BYTES {
            return Poll::Ready(Some(Ok(std::mem::take(gathered).into())));
        }
    }
}

async fn all(parts: &mut Multipart<'_>, most_bytes: usize) -> Result<SentParts, ApiStop> {
    let (mut document, mut files, mut faults) = (None, Vec::new(), Vec::new());
    while let Some(part) = parts.next_field().await.map_err(|error| refusal(&error, most_bytes))? {
        match part.name() {
            Some(DOCUMENT) if document.is_some() => return Err(wrong("there are two parts document")),
            Some(DOCUMENT) => {
                let text = String::from_utf8(bytes(part, most_bytes).await?);
                document = Some(text.map_err(|_| wrong("the part document must be JSON in UTF-8"))?);
            }
            Some(FILE) if files.len() >= MOST_FILES => {
                return Err(wrong(&format!("there are more than {MOST_FILES} parts file")));
            }
            Some(FILE) => {
                let at = files.len();
                let said = part.headers().get(header::CONTENT_TYPE).map(|value| value.to_str().unwrap_or_default());
                let media_type = sent_file::media_type(said);
                let name = sent_file::name(part.file_name().unwrap_or_default());
                if let Err(fault) = &name {
                    faults.push(format!("file[{at}].name: {}", fault.words()));
                }
                if media_type.is_none() {
                    faults.push(format!("file[{at}].contentType: {}", ValueFault::NoMediaType.words()));
                }
                let bytes = bytes(part, most_bytes).await?;
                let (name, media_type) = (name.unwrap_or_default(), media_type.unwrap_or_default());
                files.push(SentFile { name, media_type, bytes });
            }
            _ => return Err(wrong("they are named document or file, no other")),
        }
    }
    let Some(document) = document else { return Err(wrong("one must be named document")) };
    if files.is_empty() {
        return Err(wrong(&format!("1 to {MOST_FILES} must be named file")));
    }
    match faults.is_empty() {
        true => Ok(SentParts { document, files }),
        false => Err(RestError::Unprocessable(faults.join("; ")).into()),
    }
}

async fn bytes(mut part: Field<'_>, most_bytes: usize) -> Result<Vec<u8>, ApiStop> {
    let mut bytes = Vec::new();
    while let Some(piece) = part.chunk().await.map_err(|error| refusal(&error, most_bytes))? {
        let piece: Bytes = piece;
        bytes.extend_from_slice(&piece);
    }
    Ok(bytes)
}

fn wrong(why: &str) -> ApiStop {
    RestError::BadRequest(ShapeFault::Parts(why).words()).into()
}

/// What is said of parts that cannot be read.
fn refusal(error: &multer::Error, most_bytes: usize) -> ApiStop {
    let most_of_document = usize::try_from(DOCUMENT_BYTES).unwrap_or(usize::MAX);
    match error {
        multer::Error::StreamReadFailed(why) => refusal_of_fault(receipt::fault(why.as_ref()), most_bytes).into(),
        multer::Error::StreamSizeExceeded { .. } => Refusal::TooLarge { most_bytes }.into(),
        multer::Error::FieldSizeExceeded { .. } => Refusal::TooLarge { most_bytes: most_of_document }.into(),
        multer::Error::IncompleteFieldData { .. }
        | multer::Error::IncompleteHeaders
        | multer::Error::IncompleteStream => wrong("they end before the last boundary"),
        _ => wrong("a header of one cannot be read"),
    }
}
