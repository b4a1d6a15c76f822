//! Trouble on our side, on its way to where it is answered. There, and nowhere before, it is logged.

use super::log_limit::LogLimit;
use super::request_context;
use super::request_id::RequestId;
use crate::secrets::dice::NoRandomness;
use axum::http::Method;
use std::error::Error;
use std::time::Instant;

/// While a database is away, every request meets the same trouble.
static PASSING: LogLimit = LogLimit::of(20);

/// What went wrong, and what was being done.
#[derive(Debug)]
pub struct Trouble {
    operation: &'static str,
    /// The store's statement that failed, where one did.
    statement: Option<&'static str>,
    error: Box<dyn Error + Send + Sync>,
    nature: Nature,
    /// Whether its cause was logged when it began: then a line for each request would only bury it.
    is_known: bool,
}

/// What may come of trying again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Nature {
    /// In a moment it may be over.
    Passing,
    /// The caller has too much under way itself.
    CallerBusy,
    /// The same request takes too long every time.
    TooCostly,
    Lasting,
}

impl Trouble {
    pub fn new(operation: &'static str, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { operation, statement: None, error: error.into(), nature: Nature::Lasting, is_known: false }
    }

    /// Trouble that may be over in a moment.
    pub fn passing(operation: &'static str, error: impl Into<Box<dyn Error + Send + Sync>>) -> Self {
        Self { nature: Nature::Passing, ..Self::new(operation, error) }
    }

    /// Logs the trouble of a request, under the id that its caller hears too.
    #[must_use]
    pub fn report(self, method: &Method, path: &str) -> Report {
        let Self { operation, statement, error, nature, is_known } = self;
        match nature {
            Nature::TooCostly => {
                tracing::warn!(%method, path, operation, statement, %error, "a request was too costly");
            }
            Nature::CallerBusy => {
                tracing::debug!(%method, path, operation, %error, "a caller has too many reads waiting");
            }
            Nature::Passing if is_known => {
                tracing::debug!(%method, path, operation, %error, "a request was refused for a known cause");
            }
            Nature::Passing => {
                if let Some(unlogged) = PASSING.admits(Instant::now()) {
                    tracing::error!(%method, path, operation, statement, %error, unlogged, "a request met trouble");
                }
            }
            Nature::Lasting => {
                tracing::error!(%method, path, operation, statement, %error, "a request met trouble");
            }
        }
        Report { request: request_context::id(), nature }
    }

    /// Logs the trouble of work that nobody asked for.
    pub fn report_work(self, work: &'static str) {
        let Self { operation, statement, error, .. } = self;
        tracing::error!(work, operation, statement, %error, "work in the background met trouble");
    }
}

/// What the caller hears of trouble: the id of the request, and whether it is likely to pass.
#[derive(Debug)]
pub struct Report {
    request: Option<RequestId>,
    pub nature: Nature,
}

impl Report {
    /// A sentence of the answer, with the id behind it.
    #[must_use]
    pub fn sentence(&self, words: &str) -> String {
        match &self.request {
            Some(id) => format!("{words} (request {})", id.as_str()),
            None => words.to_owned(),
        }
    }
}

impl From<store::Error> for Trouble {
    fn from(error: store::Error) -> Self {
        let nature = match error.kind() {
            store::Error::CallerBusy => Nature::CallerBusy,
            store::Error::TooCostly => Nature::TooCostly,
            kind if kind.is_passing() => Nature::Passing,
            _ => Nature::Lasting,
        };
        let statement = error.statement();
        let is_known = matches!(error.kind(), store::Error::NotReady(_));
        Self { nature, statement, is_known, ..Self::new("using the store", error) }
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
