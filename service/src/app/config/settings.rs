//! The list of settings: each one's key in the file, its environment variable and its sort of value.

/// What a setting's value is in a TOML file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SettingKind {
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
    pub sort: SettingKind,
}

const fn top(name: &'static str, variable: &'static str, sort: SettingKind) -> Setting {
    Setting { table: None, name, key: name, variable, sort }
}

const fn inner(
    table: &'static str,
    name: &'static str,
    key: &'static str,
    variable: &'static str,
    sort: SettingKind,
) -> Setting {
    Setting { table: Some(table), name, key, variable, sort }
}

/// A number of the table `[postgres]`.
macro_rules! postgres {
    ($name:literal, $variable:literal) => {
        inner(
            "postgres",
            $name,
            concat!("postgres.", $name),
            concat!("RECORDGATE_POSTGRES_", $variable),
            SettingKind::Number,
        )
    };
}

/// A number of the table `[throttle]`.
macro_rules! throttle {
    ($name:literal, $variable:literal) => {
        inner(
            "throttle",
            $name,
            concat!("throttle.", $name),
            concat!("RECORDGATE_THROTTLE_", $variable),
            SettingKind::Number,
        )
    };
}

/// A policy of the table `[second_factor]`, or its number.
macro_rules! second_factor {
    ($name:literal, $variable:literal, $sort:ident) => {
        inner(
            "second_factor",
            $name,
            concat!("second_factor.", $name),
            concat!("RECORDGATE_SECOND_FACTOR_", $variable),
            SettingKind::$sort,
        )
    };
}

/// A number of the table `[connections]`.
macro_rules! connections {
    ($name:literal, $variable:literal) => {
        inner(
            "connections",
            $name,
            concat!("connections.", $name),
            concat!("RECORDGATE_CONNECTIONS_", $variable),
            SettingKind::Number,
        )
    };
}

/// The tables of the file.
pub const TABLES: [&str; 11] = [
    "connections",
    "authorize",
    "mail",
    "jwks",
    "dpop",
    "glass",
    "second_factor",
    "throttle",
    "log",
    "telemetry",
    "postgres",
];

pub const SETTINGS: [Setting; 55] = [
    top("database", "RECORDGATE_DATABASE", SettingKind::Text),
    top("keys", "RECORDGATE_KEYS", SettingKind::Text),
    top("spool", "RECORDGATE_SPOOL", SettingKind::Text),
    top("ledger", "RECORDGATE_LEDGER", SettingKind::Text),
    top("ledger_months", "RECORDGATE_LEDGER_MONTHS", SettingKind::Number),
    top("ledger_archive", "RECORDGATE_LEDGER_ARCHIVE", SettingKind::Text),
    top("notice_days", "RECORDGATE_NOTICE_DAYS", SettingKind::Number),
    top("listen", "RECORDGATE_LISTEN", SettingKind::Text),
    top("base_url", "RECORDGATE_BASE_URL", SettingKind::Text),
    top("tls_cert", "RECORDGATE_TLS_CERT", SettingKind::Text),
    top("tls_key", "RECORDGATE_TLS_KEY", SettingKind::Text),
    top("metrics", "RECORDGATE_METRICS", SettingKind::Text),
    top("client_registration", "RECORDGATE_CLIENT_REGISTRATION", SettingKind::Flag),
    top("api_body_mib", "RECORDGATE_API_BODY_MIB", SettingKind::Number),
    top("trust_forwarded_for", "RECORDGATE_TRUST_FORWARDED_FOR", SettingKind::Flag),
    top("search_seconds", "RECORDGATE_SEARCH_SECONDS", SettingKind::Number),
    top("least_free_mib", "RECORDGATE_LEAST_FREE_MIB", SettingKind::Number),
    top("shutdown_seconds", "RECORDGATE_SHUTDOWN_SECONDS", SettingKind::Number),
    top("time_zone", "RECORDGATE_TIME_ZONE", SettingKind::Text),
    connections!("in_all", "IN_ALL"),
    connections!("per_address", "PER_ADDRESS"),
    connections!("delivery_seconds", "DELIVERY_SECONDS"),
    connections!("unread_mib", "UNREAD_MIB"),
    connections!("unread_per_caller_mib", "UNREAD_PER_CALLER_MIB"),
    inner("authorize", "attempts", "authorize.attempts", "RECORDGATE_AUTHORIZE_ATTEMPTS", SettingKind::Number),
    inner("mail", "host", "mail.host", "RECORDGATE_MAIL_HOST", SettingKind::Text),
    inner("mail", "port", "mail.port", "RECORDGATE_MAIL_PORT", SettingKind::Number),
    inner("mail", "from", "mail.from", "RECORDGATE_MAIL_FROM", SettingKind::Text),
    inner("mail", "security", "mail.security", "RECORDGATE_MAIL_SECURITY", SettingKind::Text),
    inner("mail", "username", "mail.username", "RECORDGATE_MAIL_USERNAME", SettingKind::Text),
    inner("mail", "password_file", "mail.password_file", "RECORDGATE_MAIL_PASSWORD_FILE", SettingKind::Text),
    inner("jwks", "allow_private", "jwks.allow_private", "RECORDGATE_JWKS_ALLOW_PRIVATE", SettingKind::Flag),
    inner("dpop", "nonce", "dpop.nonce", "RECORDGATE_DPOP_NONCE", SettingKind::Flag),
    inner("glass", "reason", "glass.reason", "RECORDGATE_GLASS_REASON", SettingKind::Text),
    second_factor!("patient", "PATIENT", Text),
    second_factor!("clinician", "CLINICIAN", Text),
    second_factor!("teamcoord", "TEAMCOORD", Text),
    second_factor!("admin", "ADMIN", Text),
    second_factor!("privacy_officer", "PRIVACY_OFFICER", Text),
    second_factor!("remember", "REMEMBER", Number),
    throttle!("window_seconds", "WINDOW_SECONDS"),
    throttle!("failures_per_account", "FAILURES_PER_ACCOUNT"),
    throttle!("failures_per_address", "FAILURES_PER_ADDRESS"),
    inner("log", "level", "log.level", "RECORDGATE_LOG_LEVEL", SettingKind::Text),
    inner("log", "requests", "log.requests", "RECORDGATE_LOG_REQUESTS", SettingKind::Text),
    inner("log", "format", "log.format", "RECORDGATE_LOG_FORMAT", SettingKind::Text),
    inner("telemetry", "endpoint", "telemetry.endpoint", "RECORDGATE_TELEMETRY_ENDPOINT", SettingKind::Text),
    inner("telemetry", "one_in", "telemetry.one_in", "RECORDGATE_TELEMETRY_ONE_IN", SettingKind::Number),
    postgres!("read_connections", "READ_CONNECTIONS"),
    postgres!("write_connections", "WRITE_CONNECTIONS"),
    postgres!("queue_limit", "QUEUE_LIMIT"),
    postgres!("connect_timeout_ms", "CONNECT_TIMEOUT_MS"),
    postgres!("wait_timeout_ms", "WAIT_TIMEOUT_MS"),
    postgres!("statement_timeout_ms", "STATEMENT_TIMEOUT_MS"),
    postgres!("answer_within_ms", "ANSWER_WITHIN_MS"),
];
