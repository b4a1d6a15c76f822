//! Where a PostgreSQL database is, and how patient this process is with it.

use super::tls::Encryption;
use crate::error::{Error, Result};
use std::time::Duration;
use tokio_postgres::Config;
use tokio_postgres::config::{Host, SslMode, TargetSessionAttrs};

/// `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE`. Never shows the password.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostgresPlace {
    config: Config,
    pub(super) encryption: Encryption,
    pub options: PostgresOptions,
}

/// How many connections a process holds, and how long anyone waits. With these defaults every call is answered within
/// `answer_within`, whatever the database or the network does; a read that can be long has its own budget on top.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PostgresOptions {
    /// Connections that reads are pipelined over.
    pub read_connections: usize,
    /// Connections for write transactions, one each.
    pub write_connections: usize,
    /// Writes that may wait for a connection, and reads that may be under way on one; whoever comes on top of that is
    /// turned away at once.
    pub queue_limit: usize,
    /// For one host to accept a connection and let us in.
    pub connect_timeout: Duration,
    /// For a free connection, made anew if need be.
    pub wait_timeout: Duration,
    /// For one statement, waiting for locks included; the server keeps it.
    pub statement_timeout: Duration,
    /// For the whole of a call, finding out about a commit included. A transaction of very many statements may take
    /// longer while each of them is answered in time.
    pub answer_within: Duration,
}

impl Default for PostgresOptions {
    fn default() -> Self {
        Self {
            read_connections: 3,
            write_connections: 16,
            queue_limit: 1024,
            connect_timeout: Duration::from_secs(1),
            wait_timeout: Duration::from_millis(1500),
            statement_timeout: Duration::from_secs(2),
            answer_within: Duration::from_secs(5),
        }
    }
}

impl PostgresOptions {
    /// How long a statement's answer may take to reach us before the connection counts as dead. Longer than the
    /// server's own limit: a server that can still speak says so itself.
    pub(super) fn silence(&self) -> Duration {
        self.statement_timeout + Duration::from_millis(500)
    }
}

impl PostgresPlace {
    pub(crate) fn parse(url: &str) -> Result<Self> {
        let (url, encryption) = Encryption::take(url)?;
        // The parser's own words name the parameter that is wrong, never its value.
        let config: Config = url.parse().map_err(|error: tokio_postgres::Error| {
            let why = std::error::Error::source(&error).map(ToString::to_string).unwrap_or_default();
            Error::Setup(format!("the PostgreSQL URL cannot be read: {error} {why}; write {EXAMPLE}"))
        })?;
        if config.get_hosts().is_empty() && config.get_hostaddrs().is_empty() {
            return Err(Error::Setup(format!("the PostgreSQL URL names no host; write {EXAMPLE}")));
        }
        let mut place = Self { config, encryption, options: PostgresOptions::default() };
        place.set_options(PostgresOptions::default());
        Ok(place)
    }

    /// Sets how patient this process is. What the URL says itself goes before.
    pub fn set_options(&mut self, options: PostgresOptions) {
        self.options = options;
        if let Some(connect_timeout) = self.config.get_connect_timeout() {
            self.options.connect_timeout = *connect_timeout;
        }
    }

    /// A configuration for each host, so that a host that accepts and then says nothing does not use up the time of
    /// the others.
    pub(super) fn hosts(&self) -> Vec<Config> {
        let count = self.config.get_hosts().len().max(self.config.get_hostaddrs().len());
        (0..count).map(|at| self.host(at)).collect()
    }

    fn host(&self, at: usize) -> Config {
        let all = &self.config;
        let mut one = Config::new();
        match all.get_hosts().get(at) {
            Some(Host::Tcp(name)) => drop(one.host(name)),
            Some(Host::Unix(path)) => drop(one.host_path(path)),
            None => {}
        }
        if let Some(address) = all.get_hostaddrs().get(at) {
            one.hostaddr(*address);
        }
        if let Some(port) = all.get_ports().get(at).or_else(|| all.get_ports().first()) {
            one.port(*port);
        }
        if let Some(user) = all.get_user() {
            one.user(user);
        }
        if let Some(password) = all.get_password() {
            one.password(password);
        }
        if let Some(dbname) = all.get_dbname() {
            one.dbname(dbname);
        }
        one.application_name(all.get_application_name().unwrap_or("recordgate"))
            .ssl_mode(if self.encryption == Encryption::Plain { SslMode::Disable } else { SslMode::Require })
            .channel_binding(all.get_channel_binding())
            .connect_timeout(self.options.connect_timeout)
            // A peer that vanished without a word is noticed by the kernel too, not only by our own clock.
            .keepalives_idle(Duration::from_secs(5))
            .keepalives_interval(Duration::from_secs(1))
            .keepalives_retries(3)
            .tcp_user_timeout(self.options.silence())
            // A standby is never the right server: it cannot write, and what it shows may be from before a revocation.
            .target_session_attrs(TargetSessionAttrs::ReadWrite)
            .options(self.session_settings());
        one
    }

    /// What every connection asks of the server. The URL's own `options` come last and so have the last word.
    fn session_settings(&self) -> String {
        // To the server, a limit of 0 is none.
        let milliseconds = self.options.statement_timeout.as_millis().max(1);
        let own = self.config.get_options().unwrap_or_default();
        // An acknowledged revocation is on disk. A transaction that fell silent gives up its locks by itself. Our statements take
        // milliseconds; the server would spend seconds on compiling a long one, whenever it guesses that it is a costly one.
        format!(
            "-c synchronous_commit=on -c jit=off -c statement_timeout={milliseconds} \
             -c idle_in_transaction_session_timeout={milliseconds} {own}"
        )
    }
}

const EXAMPLE: &str = "postgres://USER:PASSWORD@HOST:5432/DATABASE";

impl std::fmt::Display for PostgresPlace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("postgres://")?;
        if let Some(user) = self.config.get_user() {
            write!(f, "{user}@")?;
        }
        let names = self.config.get_hosts().iter().map(|host| match host {
            Host::Tcp(name) => name.clone(),
            Host::Unix(path) => path.display().to_string(),
        });
        let names: Vec<String> = names.collect();
        let names = if names.is_empty() {
            self.config.get_hostaddrs().iter().map(ToString::to_string).collect()
        } else {
            names
        };
        let ports = self.config.get_ports();
        for (at, name) in names.iter().enumerate() {
            let port = ports.get(at).or_else(|| ports.first()).map_or(5432, |port| *port);
            write!(f, "{}{name}:{port}", if at == 0 { "" } else { "," })?;
        }
        write!(f, "/{}", self.config.get_dbname().or_else(|| self.config.get_user()).unwrap_or_default())
    }
}
