//! Logs: what the service did, to stderr, as text on a terminal and as JSON for machines. Never a token or a secret.

use super::config::{LogFormat, LogLevel};
use std::io::IsTerminal;
use tracing_subscriber::EnvFilter;

/// Starts logging. The level is for our own crates; of the libraries below us only warnings are heard, because at
/// finer levels they would print what passes through them.
pub fn begin(level: LogLevel, format: Option<LogFormat>) {
    let format =
        format.unwrap_or_else(|| if std::io::stderr().is_terminal() { LogFormat::Text } else { LogFormat::Json });
    let level = level.word();
    let filter = EnvFilter::new(format!("warn,recordgate={level},service={level},store={level}"));
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    // A second start in one process keeps the first: tests run many services side by side.
    let _already_logging = match format {
        LogFormat::Text => logs.with_target(false).with_ansi(std::io::stderr().is_terminal()).try_init(),
        LogFormat::Json => logs.json().flatten_event(true).with_current_span(false).with_span_list(false).try_init(),
    };
}
