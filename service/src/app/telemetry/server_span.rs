//! The span of one answered request. It says what a line of the log says, and no more.

use crate::formats::trace_parent::{SpanId, TraceId};
use std::time::Duration;

#[derive(Clone, Debug)]
pub struct ServerSpan {
    pub trace: TraceId,
    pub span: SpanId,
    /// The caller's, if it has said one.
    pub parent: Option<SpanId>,
    /// Since 1970, by the machine's clock: a sandbox's may be moved, and collectors compare machines.
    pub ended: Duration,
    pub taken: Duration,
    pub method: &'static str,
    pub route: &'static str,
    pub status: u16,
    pub request: String,
    /// The Client ID, where it is known.
    pub client: Option<String>,
}
