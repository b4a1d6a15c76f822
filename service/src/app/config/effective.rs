//! The effective configuration, read from all its layers.

use super::layers::{Layers, Origin, SettingLine, Sources};
use super::log::{LogFormat, LogLevel, RequestLog};
use super::second_factor::{self, FactorSettings};
use super::tls::{self, TlsFiles};
use super::{connections, mail, postgres, retention, telemetry, throttle};
use crate::app::bounds::ConnectionBounds;
use crate::app::mail::settings::MailSettings;
use crate::app::telemetry::TelemetrySettings;
use crate::formats::zone::Zone;
use crate::secrets::throttle::Allowance;
use rules::limits::NOTICE_DAYS;
use std::path::PathBuf;
use store::Place;
use store::ledger::Retention;

const HTTPS: &str = "https://";
const HTTP: &str = "http://";

/// The effective configuration.
#[derive(Clone, Debug)]
pub struct Config {
    pub database: Place,
    pub database_from: Origin,
    /// The key ring's file.
    pub keys: PathBuf,
    /// Whether somebody said where that is.
    pub keys_named: bool,
    /// Where lines of the ledger are on their way.
    pub spool: PathBuf,
    pub ledger: LedgerTime,
    /// How long lines of the ledger are kept; none: for ever.
    pub retention: Option<Retention>,
    /// For how many days notices are kept.
    pub notice_days: i64,
    /// Whether a glass is broken with a reason only.
    pub glass_needs_reason: bool,
    pub second_factor: FactorSettings,
    /// Whether keys of clients are fetched from private addresses too.
    pub jwks_allow_private: bool,
    pub dpop_nonce: bool,
    /// Whether clients register themselves, with a token that an operator made.
    pub client_registration: bool,
    /// `HOST:PORT`.
    pub listen: String,
    /// Without a slash at the end.
    pub base_url: String,
    /// `None`: TLS is a proxy's, or nobody's.
    pub tls: Option<TlsFiles>,
    /// Where `/metrics` is served, if anywhere.
    pub metrics: Option<String>,
    pub api_body_bytes: usize,
    pub trust_forwarded_for: bool,
    /// What one search, history or list may take of the database's time.
    pub search_seconds: u64,
    /// The space that is to stay free on the disk of an embedded store.
    pub least_free_bytes: u64,
    /// How long requests under way may take to finish after a SIGTERM.
    pub shutdown_seconds: u64,
    /// In which pages tell the time.
    pub time_zone: Zone,
    pub connections: ConnectionBounds,
    pub attempts: u32,
    /// `None`: nobody is written to.
    pub mail: Option<MailSettings>,
    pub throttle: Allowance,
    pub log_level: LogLevel,
    pub log_requests: RequestLog,
    /// `None`: text on a terminal, JSON otherwise.
    pub log_format: Option<LogFormat>,
    /// `None`: spans are not exported.
    pub telemetry: Option<TelemetrySettings>,
    /// Every setting as it came out, and where its value is from.
    pub lines: Vec<SettingLine>,
}

/// When it is written down who looked at a record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LedgerTime {
    /// Within a moment, which only a crash can cut short.
    AfterAnswer,
    /// On disk before the answer leaves.
    BeforeAnswer,
}

impl LedgerTime {
    #[must_use]
    pub const fn is_before_answer(self) -> bool {
        matches!(self, Self::BeforeAnswer)
    }
}

/// Whether the text is an address to listen on.
fn is_address(text: &str) -> bool {
    text.rsplit_once(':').is_some_and(|(host, port)| !host.is_empty() && port.parse::<u16>().is_ok())
}

/// `https://host[:port][/path]`, without the slashes at its end.
fn base_url(text: &str) -> Option<String> {
    let rest = text.strip_prefix(HTTPS).or_else(|| text.strip_prefix(HTTP))?;
    let host = rest.split('/').next().unwrap_or_default();
    let plain = text.bytes().all(|byte| byte.is_ascii_graphic()) && !text.contains(['?', '#', '@', '"', '<', '>']);
    (plain && !host.is_empty()).then(|| text.trim_end_matches('/').to_owned())
}

/// Where the key ring is when nobody says otherwise, and how that came about. Never in the database.
#[must_use]
pub fn default_keys(database: &Place) -> (PathBuf, &'static str) {
    match database.directory() {
        Some(directory) => (directory.join("keys"), "in the data directory"),
        None => (PathBuf::from("recordgate-keys"), "in the working directory"),
    }
}

/// Where lines of the ledger wait when nobody says otherwise, and how that came about.
fn default_spool(database: &Place) -> (PathBuf, &'static str) {
    match database.directory() {
        Some(directory) => (directory.join("spool"), "in the data directory"),
        None => (PathBuf::from("recordgate-spool"), "in the working directory"),
    }
}

impl Config {
    /// Reads all sources. Everything that is wrong with any of them is told at once.
    pub fn read(sources: &Sources<'_>) -> Result<Self, Vec<String>> {
        let mut layers = Layers::read(sources);
        let mut database = layers.database(Place::parse);
        let listen = layers
            .value("listen", "HOST:PORT, for example 127.0.0.1:8080", |text| is_address(text).then(|| text.to_owned()));
        let metrics = layers.value("metrics", "HOST:PORT, for example 127.0.0.1:9090", |text| {
            is_address(text).then(|| text.to_owned())
        });
        let url = layers.value("base_url", "a URL such as https://records.example.org, without query", base_url);
        let tls = tls::files(&mut layers);
        if tls.is_some() && url.as_ref().is_some_and(|url| !url.starts_with(HTTPS)) {
            layers.complain("base_url", "an https:// URL, because tls_cert is set");
        }
        let (scheme, why) =
            if tls.is_some() { (HTTPS, "https:// and listen, with tls_cert") } else { (HTTP, "http:// and listen") };
        let keys = layers.value("keys", "the path of a file", |text| (!text.is_empty()).then(|| PathBuf::from(text)));
        let spool =
            layers.value("spool", "the path of a directory", |text| (!text.is_empty()).then(|| PathBuf::from(text)));
        let ledger = layers.value("ledger", "after-answer or before-answer", |text| match text {
            "after-answer" => Some(LedgerTime::AfterAnswer),
            "before-answer" => Some(LedgerTime::BeforeAnswer),
            _ => None,
        });
        let retention = retention::retention(&mut layers);
        let (fewest, most) = (NOTICE_DAYS.start(), NOTICE_DAYS.end());
        let notice_days = layers.value("notice_days", &format!("a number of days from {fewest} to {most}"), |text| {
            text.parse().ok().filter(|days| NOTICE_DAYS.contains(days))
        });
        let glass_needs_reason = layers.value("glass.reason", "optional or required", |text| match text {
            "optional" => Some(false),
            "required" => Some(true),
            _ => None,
        });
        let second_factor = second_factor::settings(&mut layers);
        let dpop_nonce = layers.value("dpop.nonce", "true or false", |text| text.parse().ok());
        let jwks_allow_private = layers.value("jwks.allow_private", "true or false", |text| text.parse().ok());
        let client_registration = layers.value("client_registration", "true or false", |text| text.parse().ok());
        let mib = layers.value("api_body_mib", "a number of MiB from 1 to 1024", |text| {
            text.parse().ok().filter(|mib| (1..=1024_usize).contains(mib))
        });
        let trust_forwarded_for = layers.value("trust_forwarded_for", "true or false", |text| text.parse().ok());
        let search_seconds = layers.value("search_seconds", "a number of seconds from 1 to 60", |text| {
            text.parse().ok().filter(|seconds| (1..=60).contains(seconds))
        });
        let least_free_mib = layers.value("least_free_mib", "a number of MiB from 0 to 1048576", |text| {
            text.parse().ok().filter(|mib| (0..=1024 * 1024_u64).contains(mib))
        });
        let shutdown_seconds = layers.value("shutdown_seconds", "a number of seconds from 0 to 3600", |text| {
            text.parse().ok().filter(|seconds| *seconds <= 3600_u64)
        });
        let zone = "a time zone of the IANA database, for example Europe/London or UTC";
        let time_zone = layers.value("time_zone", zone, Zone::named);
        let connections = connections::bounds(&mut layers);
        let most = rules::limits::MOST_ATTEMPTS;
        let attempts = layers.value("authorize.attempts", &format!("a number from 1 to {most}"), |text| {
            text.parse().ok().filter(|attempts| (1..=most).contains(attempts))
        });
        let mail = mail::settings(&mut layers);
        let throttle = throttle::allowance(&mut layers);
        let log_level = layers.value("log.level", "error, warn, info, debug or trace", |text| {
            LogLevel::ALL.into_iter().find(|level| level.word() == text)
        });
        let log_requests = layers.value("log.requests", "off, failures or all", RequestLog::named);
        let log_format = layers.value("log.format", "text or json", |text| match text {
            "text" => Some(LogFormat::Text),
            "json" => Some(LogFormat::Json),
            _ => None,
        });
        let telemetry = telemetry::settings(&mut layers);
        let options = postgres::options(&mut layers);
        if let (Some(Place::Postgres(place)), Some(options)) = (&mut database, options) {
            place.set_options(options);
        }
        if let (Some(database), Some(listen)) = (&database, &listen) {
            layers.derived("base_url", format!("{scheme}{listen}"), why);
            let (file, how) = default_keys(database);
            layers.derived("keys", file.display().to_string(), how);
            let (directory, how) = default_spool(database);
            layers.derived("spool", directory.display().to_string(), how);
            layers.replace_text("database", database.to_string());
        }
        let database_from = layers.origin("database");
        let (lines, problems) = layers.into_parts();
        let complete = || {
            let (database, listen) = (database?, listen?);
            Some(Self {
                keys_named: keys.is_some(),
                keys: keys.unwrap_or_else(|| default_keys(&database).0),
                spool: spool.unwrap_or_else(|| default_spool(&database).0),
                ledger: ledger?,
                retention: retention?,
                notice_days: notice_days?,
                glass_needs_reason: glass_needs_reason?,
                second_factor: second_factor?,
                jwks_allow_private: jwks_allow_private?,
                dpop_nonce: dpop_nonce?,
                client_registration: client_registration?,
                base_url: url.unwrap_or_else(|| format!("{scheme}{listen}")),
                tls,
                connections: connections::beside(connections?, &database),
                database,
                database_from,
                listen,
                metrics,
                api_body_bytes: mib? * 1024 * 1024,
                trust_forwarded_for: trust_forwarded_for?,
                search_seconds: search_seconds?,
                least_free_bytes: least_free_mib? << 20,
                shutdown_seconds: shutdown_seconds?,
                time_zone: time_zone?,
                attempts: attempts?,
                mail,
                throttle: throttle?,
                log_level: log_level?,
                log_requests: log_requests?,
                log_format,
                telemetry,
                lines,
            })
        };
        if problems.is_empty() {
            complete().ok_or_else(|| vec!["the embedded defaults are not complete".into()])
        } else {
            Err(problems)
        }
    }
}

#[cfg(test)]
#[path = "effective_tests.rs"]
mod tests;
