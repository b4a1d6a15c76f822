//! The content of a document: base64 inside a resource, bytes outside.

use crate::documents::file_name;
use crate::voices::api::NO_STORE;
use axum::body::Body;
use axum::http::{HeaderName, HeaderValue, header};
use axum::response::Response;
use fhir::base64_binary::decode;
use fhir::reference;
use fhir::types::ResourceType;
use serde_json::Value;

const OCTETS: HeaderValue = HeaderValue::from_static("application/octet-stream");
/// Content comes from anywhere. A browser must not run it with our origin's rights.
const INERT: (HeaderName, HeaderValue) =
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));

/// Bytes to hand out, and what their sender said they are.
#[derive(Debug, PartialEq, Eq)]
pub struct Content {
    pub media_type: Option<String>,
    pub title: Option<String>,
    pub bytes: Vec<u8>,
}

/// Where a DocumentReference has its content.
#[derive(Debug, PartialEq, Eq)]
pub enum ContentPlace {
    Inside(Content),
    InBinary { id: String, title: Option<String> },
}

impl Content {
    /// The content of a stored Binary; one without `data` is empty.
    #[must_use]
    pub fn of_binary(body: &str) -> Self {
        let binary: Value = serde_json::from_str(body).unwrap_or_default();
        let bytes = binary.get("data").and_then(Value::as_str).and_then(decode).unwrap_or_default();
        Self { media_type: text(&binary, "contentType"), title: None, bytes }
    }

    /// The answer that hands the bytes out, as a file to keep.
    #[must_use]
    pub fn answer(self) -> Response {
        let media_type = self.media_type.as_deref().filter(|media_type| media_type.contains('/'));
        let content_type = media_type.and_then(|media_type| HeaderValue::from_str(media_type).ok()).unwrap_or(OCTETS);
        let file = file_name::disposition(self.title.as_deref(), media_type);
        let length = HeaderValue::from(self.bytes.len());
        let mut response = Response::new(Body::from(self.bytes));
        let headers = response.headers_mut();
        headers.extend([(header::CONTENT_TYPE, content_type), (header::CONTENT_LENGTH, length)]);
        headers.extend([(header::CONTENT_DISPOSITION, file), NO_STORE, INERT]);
        response
    }
}

/// The first content of a stored DocumentReference that is held here, on the server whose FHIR base URL is `base`.
#[must_use]
pub fn place(body: &str, base: &str) -> Option<ContentPlace> {
    let document: Value = serde_json::from_str(body).ok()?;
    document.get("content")?.as_array()?.iter().filter_map(|item| item.get("attachment")).find_map(|attachment| {
        let title = text(attachment, "title");
        if let Some(bytes) = attachment.get("data").and_then(Value::as_str).and_then(decode) {
            return Some(ContentPlace::Inside(Content { media_type: text(attachment, "contentType"), title, bytes }));
        }
        let id = reference::id_in(attachment.get("url")?.as_str()?, ResourceType::Binary, base)?;
        Some(ContentPlace::InBinary { id: id.into(), title })
    })
}

/// Whether a stored DocumentReference has content in itself. Most have not, and a glance tells.
#[must_use]
pub fn is_inside(body: &str) -> bool {
    let has_data = |item: &Value| item.get("attachment").is_some_and(|attachment| attachment.get("data").is_some());
    body.contains("\"data\":")
        && serde_json::from_str::<Value>(body).is_ok_and(|document| {
            document.get("content").and_then(Value::as_array).is_some_and(|c| c.iter().any(has_data))
        })
}

fn text(value: &Value, member: &str) -> Option<String> {
    value.get(member).and_then(Value::as_str).map(String::from)
}
