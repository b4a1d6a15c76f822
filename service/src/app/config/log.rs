//! How much is logged, and in which form.

/// The form of log lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogFormat {
    Text,
    Json,
}

/// How much is logged of our own doings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LogLevel {
    Error,
    Warn,
    Info,
    Debug,
    Trace,
}

impl LogLevel {
    pub(super) const ALL: [Self; 5] = [Self::Error, Self::Warn, Self::Info, Self::Debug, Self::Trace];

    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Self::Error => "error",
            Self::Warn => "warn",
            Self::Info => "info",
            Self::Debug => "debug",
            Self::Trace => "trace",
        }
    }
}

/// Which requests are logged.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequestLog {
    Off,
    /// Those that were refused or met trouble, bounded in number.
    Failures,
    All,
}

impl RequestLog {
    pub(super) fn named(word: &str) -> Option<Self> {
        match word {
            "off" => Some(Self::Off),
            "failures" => Some(Self::Failures),
            "all" => Some(Self::All),
            _ => None,
        }
    }
}
