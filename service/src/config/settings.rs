//! The list of settings: each one's key in the file, its environment variable and its sort of value.

/// The embedded defaults file, also an example to start from.
pub const DEFAULTS: &str = include_str!("defaults.toml");

/// What a setting's value is in a TOML file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    Text,
    Number,
    Flag,
}

#[derive(Clone, Copy, Debug)]
pub struct Setting {
    /// The table it is in, if any.
    pub table: Option<&'static str>,
    /// Its key in that table.
    pub name: &'static str,
    /// Table and name, as messages and `recordgate config` call it.
    pub key: &'static str,
    pub variable: &'static str,
    pub sort: Sort,
}

const fn top(name: &'static str, variable: &'static str, sort: Sort) -> Setting {
    Setting { table: None, name, key: name, variable, sort }
}

/// The tables of the file.
pub const TABLES: [&str; 2] = ["authorize", "log"];

pub const SETTINGS: [Setting; 11] = [
    top("database", "RECORDGATE_DATABASE", Sort::Text),
    top("keys", "RECORDGATE_KEYS", Sort::Text),
    top("listen", "RECORDGATE_LISTEN", Sort::Text),
    top("base_url", "RECORDGATE_BASE_URL", Sort::Text),
    top("metrics", "RECORDGATE_METRICS", Sort::Text),
    top("api_body_mib", "RECORDGATE_API_BODY_MIB", Sort::Number),
    top("trust_forwarded_for", "RECORDGATE_TRUST_FORWARDED_FOR", Sort::Flag),
    top("shutdown_seconds", "RECORDGATE_SHUTDOWN_SECONDS", Sort::Number),
    Setting {
        table: Some("authorize"),
        name: "attempts",
        key: "authorize.attempts",
        variable: "RECORDGATE_AUTHORIZE_ATTEMPTS",
        sort: Sort::Number,
    },
    Setting { table: Some("log"), name: "level", key: "log.level", variable: "RECORDGATE_LOG_LEVEL", sort: Sort::Text },
    Setting {
        table: Some("log"),
        name: "format",
        key: "log.format",
        variable: "RECORDGATE_LOG_FORMAT",
        sort: Sort::Text,
    },
];
