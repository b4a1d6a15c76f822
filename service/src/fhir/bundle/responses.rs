//! The Bundle that answers a Bundle of requests: what each of them would have been answered, in their order.

use crate::fhir::bundle::entry_read::Desk;
use crate::fhir::history::bundle::quote;
use crate::fhir::read::answer;
use crate::fhir::write::acknowledgement::{Preference, WrittenAt};
use crate::formats::when;
use crate::voices::api::ApiStop;
use crate::voices::stop::{Situation, Stop, Voice};
use axum::http::{HeaderName, Method, header};
use axum::response::Response;
use fhir::exchange::{ExchangeKind, RequestEntry};
use rules::answers::Refusal;
use rules::limits::BUNDLE_BYTES;
use serde::Deserialize;

/// The answers so far.
#[derive(Debug)]
pub(crate) struct Responses {
    text: String,
    is_empty: bool,
}

impl Responses {
    pub(crate) fn of(kind: ExchangeKind) -> Self {
        let name = match kind {
            ExchangeKind::Batch => "batch-response",
            ExchangeKind::Transaction => "transaction-response",
        };
        Self { text: format!(r#"{{"resourceType":"Bundle","type":"{name}""#), is_empty: true }
    }

    /// Whether it is as large as such a Bundle may become by reading.
    pub(crate) const fn is_full(&self) -> bool {
        self.text.len() > BUNDLE_BYTES
    }

    /// Adds the answer to an entry.
    pub(crate) async fn add(
        &mut self,
        desk: &Desk<'_>,
        entry: &RequestEntry,
        answered: Result<Response, ApiStop>,
    ) -> Result<(), ApiStop> {
        let response = answered.unwrap_or_else(|stop| said(desk, stop));
        let (parts, body) = response.into_parts();
        let body = axum::body::to_bytes(body, usize::MAX).await;
        let body = body.ok().and_then(|body| String::from_utf8(body.into()).ok()).ok_or(Refusal::Trouble)?;
        self.text.push_str(if self.is_empty { r#","entry":[{"# } else { ",{" });
        self.is_empty = false;
        let is_read = matches!(entry.method.as_str(), "GET" | "HEAD");
        let is_outcome = parts.status.as_u16() >= 400 || (!is_read && desk.preference == Preference::OperationOutcome);
        if !body.is_empty() && !is_outcome {
            self.text.push_str(&format!(r#""resource":{body},"#));
        }
        self.text.push_str(&format!(r#""response":{{"status":"{}""#, parts.status));
        let said = |name: HeaderName| parts.headers.get(name).and_then(|value| value.to_str().ok());
        for (member, value) in [("location", said(header::LOCATION)), ("etag", said(header::ETAG))] {
            if let Some(value) = value {
                self.text.push_str(&format!(r#","{member}":{}"#, quote(value)));
            }
        }
        let written = parts.extensions.get().map(|WrittenAt(moment)| when::rfc3339(*moment));
        let is_resource = is_read && !is_outcome && parts.headers.contains_key(header::ETAG);
        if let Some(moment) = written.or_else(|| is_resource.then(|| last_updated(&body)).flatten()) {
            self.text.push_str(&format!(r#","lastModified":{}"#, quote(&moment)));
        }
        if !body.is_empty() && is_outcome {
            self.text.push_str(&format!(r#","outcome":{body}"#));
        }
        self.text.push_str("}}");
        Ok(())
    }

    /// The whole.
    pub(crate) fn bundle(mut self) -> Response {
        self.text.push_str(if self.is_empty { "}" } else { "]}" });
        answer::json(self.text)
    }
}

/// Since when a resource is as it was read.
fn last_updated(body: &str) -> Option<String> {
    #[derive(Deserialize)]
    struct Dated {
        meta: Meta,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Meta {
        last_updated: String,
    }
    serde_json::from_str(body).ok().map(|Dated { meta }| meta.last_updated)
}

/// A refusal or trouble as a request of its own would be answered.
fn said(desk: &Desk<'_>, stop: ApiStop) -> Response {
    let at = Situation { app: desk.app, voice: Voice::Fhir, method: &Method::POST, path: "/fhir" };
    Box::new(stop).say(&at)
}
