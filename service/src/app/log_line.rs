//! One line of the log: what happened, and behind it the request and the trace that it happened to.

use super::request_context;
use std::fmt::Result;
use tracing::{Event, Subscriber};
use tracing_subscriber::fmt::FmtContext;
use tracing_subscriber::fmt::format::{FormatEvent, FormatFields, Writer};
use tracing_subscriber::registry::LookupSpan;

/// How a line is written. What stands behind it is of plain letters, so that nothing needs to be quoted.
#[derive(Debug)]
pub enum LogLine<F> {
    Text(F),
    Json(F),
}

impl<S, N, F> FormatEvent<S, N> for LogLine<F>
where
    S: Subscriber + for<'a> LookupSpan<'a>,
    N: for<'a> FormatFields<'a> + 'static,
    F: FormatEvent<S, N>,
{
    fn format_event(&self, context: &FmtContext<'_, S, N>, mut writer: Writer<'_>, event: &Event<'_>) -> Result {
        let (Self::Text(format) | Self::Json(format)) = self;
        let Some(request) = request_context::id() else { return format.format_event(context, writer, event) };
        let trace = request_context::parent().map(|parent| parent.trace);
        let mut line = String::new();
        format.format_event(context, Writer::new(&mut line), event)?;
        let line = line.trim_end();
        match self {
            Self::Text(_) => {
                write!(writer, "{line} request={}", request.as_str())?;
                trace.map_or(Ok(()), |trace| write!(writer, " trace={trace}"))?;
                writeln!(writer)
            }
            Self::Json(_) => {
                write!(writer, "{},\"request\":\"{}\"", line.strip_suffix('}').unwrap_or(line), request.as_str())?;
                trace.map_or(Ok(()), |trace| write!(writer, ",\"trace\":\"{trace}\""))?;
                writeln!(writer, "}}")
            }
        }
    }
}
