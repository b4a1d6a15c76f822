//! The content of a document, as bytes: where it is, and the answer that hands it out.

use super::byte_range::{self, Selection};
use super::passage::{Holding, Passage};
use crate::app::Shared;
use crate::app::response_budget::Taker;
use crate::app::trouble::During;
use crate::documents::file_name;
use crate::voices::api::{ApiStop, FHIR_JSON, NO_STORE};
use axum::body::Bytes;
use axum::http::request::Parts;
use axum::http::{HeaderName, HeaderValue, Method, StatusCode, header};
use axum::response::Response;
use fhir::base64_binary::decode;
use fhir::reference;
use fhir::types::ResourceType;
use rules::answers::Refusal;
use serde_json::Value;
use std::ops::Range;
use store::documents::contents;
use store::stored::resource::Resource;

const OCTETS: HeaderValue = HeaderValue::from_static("application/octet-stream");
/// Content comes from anywhere. A browser must not run it with our origin's rights.
const INERT: (HeaderName, HeaderValue) =
    (header::CONTENT_SECURITY_POLICY, HeaderValue::from_static("default-src 'none'; sandbox"));
const IN_BYTES: (HeaderName, HeaderValue) = (header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));

/// Bytes to hand out, and what their sender said they are.
#[derive(Debug)]
pub struct Content {
    media_type: Option<String>,
    title: Option<String>,
    holding: Holding,
}

/// Where a DocumentReference has its content.
#[derive(Debug)]
pub enum ContentPlace {
    Inside(Content),
    InBinary { id: String, title: Option<String> },
}

/// Who takes a content.
#[derive(Clone, Copy, Debug)]
pub struct ContentRecipient<'a> {
    pub app: &'a Shared,
    pub taker: Taker,
    pub head: &'a Parts,
}

impl ContentRecipient<'_> {
    /// Whether the content itself is sent, and not only what is said of it.
    #[must_use]
    pub fn opens(&self) -> bool {
        self.head.method != Method::HEAD
    }
}

/// A content on its way: its beginning has been read and is whole, and nothing has been answered yet.
#[derive(Debug)]
pub struct Delivery {
    passage: Passage,
    media_type: Option<String>,
    title: Option<String>,
    /// The part that was asked for.
    part: Option<Range<u64>>,
    length: u64,
}

impl Content {
    /// The content of a Binary; one without any is empty.
    pub async fn of_binary(to: ContentRecipient<'_>, binary: &Resource) -> Result<Self, ApiStop> {
        let stored = contents::find(&to.app.store, binary).await.during("looking a content up")?;
        let holding = stored.map_or(Holding::Inside(Bytes::new()), Holding::Stored);
        let said: Value = serde_json::from_str(&binary.body).unwrap_or_default();
        Ok(Self { media_type: text(&said, "contentType"), title: None, holding })
    }

    /// The same under this title.
    #[must_use]
    pub fn titled(self, title: Option<String>) -> Self {
        Self { title, ..self }
    }

    /// Begins to send it, or the part of it that is asked for. `version` is that of the Binary.
    pub async fn begin(self, to: ContentRecipient<'_>, version: Option<i64>) -> Result<Delivery, ApiStop> {
        let length = self.holding.length();
        let part = match byte_range::selection(to.head, length, version) {
            Selection::Whole => None,
            Selection::Part(part) => Some(part),
            Selection::Beyond => return Err(Refusal::RangeNotSatisfiable { length }.into()),
        };
        let range = part.clone().unwrap_or(0..length);
        let passage = Passage::begin(to.app, to.taker, self.holding, range, to.opens()).await?;
        Ok(Delivery { passage, media_type: self.media_type, title: self.title, part, length })
    }

    /// Begins to send it inside its Binary.
    pub async fn begin_inside(self, to: ContentRecipient<'_>) -> Result<Delivery, ApiStop> {
        let length = self.holding.length();
        let passage = Passage::begin(to.app, to.taker, self.holding, 0..length, to.opens()).await?;
        Ok(Delivery { passage, media_type: None, title: None, part: None, length })
    }
}

impl Delivery {
    /// The answer that hands the bytes out, as a file to keep.
    #[must_use]
    pub fn answer(self) -> Response {
        let media_type = self.media_type.as_deref().filter(|media_type| media_type.contains('/'));
        let content_type = media_type.and_then(|media_type| HeaderValue::from_str(media_type).ok()).unwrap_or(OCTETS);
        let file = file_name::disposition(self.title.as_deref(), media_type);
        let mut response = Response::new(self.passage.body());
        let sent = self.part.as_ref().map_or(self.length, |part| part.end - part.start);
        if let Some(part) = self.part {
            *response.status_mut() = StatusCode::PARTIAL_CONTENT;
            let range = format!("bytes {}-{}/{}", part.start, part.end - 1, self.length);
            response
                .headers_mut()
                .extend(HeaderValue::try_from(range).ok().map(|range| (header::CONTENT_RANGE, range)));
        }
        let headers = response.headers_mut();
        headers.extend([(header::CONTENT_TYPE, content_type), (header::CONTENT_LENGTH, HeaderValue::from(sent))]);
        headers.extend([(header::CONTENT_DISPOSITION, file), IN_BYTES, NO_STORE, INERT]);
        response
    }

    /// The answer that has the bytes in their Binary, whose body has none of them.
    #[must_use]
    pub fn answer_inside(self, body: &str) -> Response {
        let (body, length) = match self.length {
            0 => (body.to_owned().into(), body.len() as u64),
            _ => self.passage.inside(body),
        };
        let mut response = Response::new(body);
        let length = (header::CONTENT_LENGTH, HeaderValue::from(length));
        response.headers_mut().extend([(header::CONTENT_TYPE, FHIR_JSON), length]);
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
            let (media_type, holding) = (text(attachment, "contentType"), Holding::Inside(bytes.into()));
            return Some(ContentPlace::Inside(Content { media_type, title, holding }));
        }
        let id = reference::id_in(attachment.get("url")?.as_str()?, ResourceType::Binary, base)?;
        Some(ContentPlace::InBinary { id: id.into(), title })
    })
}

/// What a stored DocumentReference calls the Binary of this id.
#[must_use]
pub fn title(body: &str, binary: &str, base: &str) -> Option<String> {
    let document: Value = serde_json::from_str(body).ok()?;
    let mut attachments = document.get("content")?.as_array()?.iter().filter_map(|item| item.get("attachment"));
    let is_it = |attachment: &&Value| {
        let url = attachment.get("url").and_then(Value::as_str);
        url.and_then(|url| reference::id_in(url, ResourceType::Binary, base)) == Some(binary)
    };
    text(attachments.find(is_it)?, "title")
}

/// Whether a stored DocumentReference has content in itself, as older releases stored it. A glance tells of most.
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
