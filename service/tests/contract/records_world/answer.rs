//! What came back, and how to hold it to a sentence.

use axum::response::Response;
use serde_json::Value;

/// An answer, whole.
#[derive(Debug)]
pub struct Answer {
    pub status: u16,
    headers: axum::http::HeaderMap,
    pub bytes: Vec<u8>,
}

impl Answer {
    pub async fn of(response: Response) -> Self {
        let (parts, body) = response.into_parts();
        let bytes = axum::body::to_bytes(body, usize::MAX).await.unwrap().to_vec();
        Self { status: parts.status.as_u16(), headers: parts.headers, bytes }
    }

    /// The one header of that name; the empty text if there is none.
    pub fn header(&self, name: &str) -> &str {
        let mut all = self.headers.get_all(name).iter();
        let first = all.next().map_or("", |value| value.to_str().unwrap());
        assert!(all.next().is_none(), "the header {name} is there twice");
        first
    }

    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.bytes).unwrap_or_else(|why| panic!("{why}: {self:?}"))
    }

    /// The body of a success.
    pub fn ok(&self) -> Value {
        assert_eq!(self.status, 200, "{:?}", String::from_utf8_lossy(&self.bytes));
        self.json()
    }

    /// Asserts a refusal in FHIR's voice and gives its words.
    pub fn refused(&self, status: u16, code: &str) -> String {
        assert_eq!(self.status, status, "{:?}", String::from_utf8_lossy(&self.bytes));
        assert_eq!(self.header("content-type"), "application/fhir+json");
        let outcome = self.json();
        assert_eq!(outcome["resourceType"], "OperationOutcome");
        assert_eq!(outcome["issue"][0]["details"]["coding"][0]["code"], code);
        outcome["issue"][0]["diagnostics"].as_str().unwrap().to_owned()
    }

    /// The ids in a searchset, in order.
    pub fn found(&self) -> Vec<String> {
        let bundle = self.ok();
        assert_eq!(bundle["type"], "searchset");
        let entries = bundle["entry"].as_array().cloned().unwrap_or_default();
        entries.iter().map(|entry| entry["resource"]["id"].as_str().unwrap().to_owned()).collect()
    }
}
