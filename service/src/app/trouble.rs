//! Trouble on our side, on its way to where it is answered. There, and nowhere before, it is logged.

use crate::secrets::dice::{self, NoRandomness};
use axum::http::{HeaderName, HeaderValue, Method};
use axum::response::Response;
use std::error::Error;

/// By this a caller names the log line of their trouble.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// What went wrong, and what was being done.
#[derive(Debug)]
pub struct Trouble {
    operation: &'static str,
    /// The store's statement that failed, where one did.
    statement: Option<&'static str>,
    error: Box<dyn Error + Send + Sync>,
    nature: Nature,
}

/// What may come of trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// In a moment it may be over.
    Passing,
    /// The same request takes too long every time.
    TooCostly,
    Lasting,
}

impl Trouble {
    pub fn new(operation: &'static str, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { operation, statement: None, error: error.into(), nature: Nature::Lasting }
    }

    /// Trouble that may be over in a moment.
    pub fn passing(operation: &'static str, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { nature: Nature::Passing, ..Self::new(operation, error) }
    }

    /// Logs the trouble of a request, under an id that its caller hears too.
    #[must_use]
    pub fn report(self, method: &Method, path: &str) -> Report {
        let Self { operation, statement, error, nature } = self;
        let id =
            dice::bytes::<8>().map_or_else(|_| "unknown".into(), |bytes| format!("{:016x}", u64::from_be_bytes(bytes)));
        match nature {
            Nature::TooCostly => {
                tracing::warn!(request = id, %method, path, operation, statement, %error, "a request was too costly");
            }
            Nature::Passing | Nature::Lasting => {
                tracing::error!(request = id, %method, path, operation, statement, %error, "a request met trouble");
            }
        }
        Report { id, nature }
    }

    /// Logs the trouble of work that nobody asked for.
    pub fn report_work(self, work: &'static str) {
        let Self { operation, statement, error, .. } = self;
        tracing::error!(work, operation, statement, %error, "work in the background met trouble");
    }
}

/// What the caller hears of trouble: its id, and whether it is likely to pass.
#[derive(Debug)]
pub struct Report {
    pub id: String,
    pub nature: Nature,
}

impl Report {
    /// A sentence of the answer, with the id behind it.
    #[must_use]
    pub fn sentence(&self, words: &str) -> String {
        format!("{words} (request {})", self.id)
    }

    /// Puts the id into the headers of the answer.
    pub fn mark(&self, response: &mut Response) {
        if let Ok(id) = HeaderValue::from_str(&self.id) {
            response.headers_mut().insert(REQUEST_ID, id);
        }
    }
}

impl From<store::Error> for Trouble {
    fn from(error: store::Error) -> Self {
        let nature = match error.kind() {
            store::Error::TooCostly => Nature::TooCostly,
            kind if kind.is_passing() => Nature::Passing,
            _ => Nature::Lasting,
        };
        let statement = error.statement();
        Self { nature, statement, ..Self::new("using the store", error) }
    }
}

impl From<NoRandomness> for Trouble {
    fn from(error: NoRandomness) -> Self {
        Self::new("drawing random numbers", error)
    }
}

/// Says what was being done when trouble came.
pub trait During<T> {
    fn during(self, operation: &'static str) -> Result<T, Trouble>;
}

impl<T, E: Into<Trouble>> During<T> for Result<T, E> {
    fn during(self, operation: &'static str) -> Result<T, Trouble> {
        self.map_err(|error| Trouble { operation, ..error.into() })
    }
}
