//! Telemetry: spans of answered requests, exported to a collector (OpenTelemetry, OTLP over HTTP). Off unless an endpoint is set.

pub mod endpoint;
pub mod exporter;
mod otlp;
pub mod server_span;
mod span_queue;

pub use endpoint::{Endpoint, TelemetrySettings};
pub use server_span::ServerSpan;
pub use span_queue::SpanQueue;
