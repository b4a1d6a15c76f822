//! Logs: what the service did, to stderr, as text on a terminal and as JSON for machines. Never a token or a secret.

use super::config::{LogFormat, LogLevel};
use super::log_line::LogLine;
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;
use tracing_subscriber::fmt::format::{Format, Full, Json, JsonFields};

/// The target of the lines about requests. They have a setting of their own, so the level of the others is not asked.
pub const REQUESTS: &str = "requests";

/// Starts logging. The level is for our own crates; of the libraries below us only warnings are heard, because at
/// finer levels they would print what passes through them.
pub fn begin(level: LogLevel, format: Option<LogFormat>) {
    let format =
        format.unwrap_or_else(|| if std::io::stderr().is_terminal() { LogFormat::Text } else { LogFormat::Json });
    let level = level.word();
    let filter = EnvFilter::new(format!("warn,recordgate={level},service={level},store={level},{REQUESTS}=info"));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second start in one process keeps the first: tests run many services side by side.
    let _already_logging = match format {
        LogFormat::Text => logs.event_format(text(std::io::stderr().is_terminal())).try_init(),
        LogFormat::Json => logs.fmt_fields(JsonFields::new()).event_format(json()).try_init(),
    };
}

fn text(colours: bool) -> LogLine<Format<Full>> {
    LogLine::Text(Format::default().with_target(false).with_ansi(colours))
}

/// Lines for machines.
#[must_use]
pub fn json() -> LogLine<Format<Json>> {
    LogLine::Json(Format::default().json().flatten_event(true).with_current_span(false).with_span_list(false))
}
