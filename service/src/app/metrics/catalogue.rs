//! The catalogue of all metrics: the name, the labels and the meaning of each, once. The documentation, the alerts and the board
//! of `deploy/` are held to it.

/// What a metric is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MetricKind {
    Counter,
    Gauge,
    Histogram,
    Info,
}

/// A metric.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Description {
    /// Without the program's name before it and what its sort puts behind it.
    pub name: &'static str,
    pub help: &'static str,
    pub sort: MetricKind,
    pub labels: &'static [&'static str],
}

/// Before every name.
pub(super) const PREFIX: &str = "recordgate";

impl Description {
    /// The name by which it is known outside; a histogram has three, which begin with it.
    #[must_use]
    pub fn exposed(&self) -> String {
        let ending = match self.sort {
            MetricKind::Counter => "_total",
            MetricKind::Info => "_info",
            MetricKind::Gauge | MetricKind::Histogram => "",
        };
        format!("{PREFIX}_{}{ending}", self.name)
    }
}

macro_rules! catalogue {
    ($($metric:ident = $sort:ident $name:literal [$($label:literal),*] $help:literal;)*) => {
        $(pub const $metric: Description =
            Description { name: $name, help: $help, sort: MetricKind::$sort, labels: &[$($label),*] };)*

        /// Every metric there is.
        pub const CATALOGUE: &[Description] = &[$($metric),*];
    };
}

catalogue! {
    REQUESTS = Counter "requests" ["part", "status"] "Answered requests by part of the service and status";
    REQUEST_SECONDS = Histogram "request_seconds" ["method", "route"] "Time until an answer began, by route";
    IN_FLIGHT = Gauge "requests_in_flight" [] "Requests that are being answered";
    TOKEN_REQUESTS = Counter "token_requests" ["grant_type", "outcome"] "Token requests by grant type and outcome";
    REVOCATIONS = Counter "session_revocations" ["why"] "Revoked sessions by reason";
    THROTTLED = Counter "throttled" [] "Attempts answered with 429";
    FAILED = Counter "failed_authentications" ["of", "why"] "Failed sign-ins and client authentications by cause";
    LINES_LEFT_OUT = Counter "log_lines_left_out" ["about"] "Lines that the log has no room for, by what they are about";
    LOST_ACCESSES = Counter "lost_accesses" [] "Looks at records that could not be written down";
    SPANS = Counter "spans" ["outcome"] "Spans for OpenTelemetry, by what became of them";
    WRITES_WAITING = Gauge "writes_waiting" [] "Writes that wait to be begun";
    GROUP_WRITES = Histogram "commit_group_writes" [] "Writes of one commit of the embedded store";
    WRITE_SECONDS = Histogram "write_seconds" [] "Time that one write keeps the writer of the embedded store";
    POOL_WAIT = Histogram "pool_wait_seconds" ["pool"] "Time until a pool had a place";
    CACHE_LOOKS = Counter "cache_looks" ["memory", "outcome"] "Looks into what is remembered, by what came of them";
    STORE_BYTES = Gauge "store_bytes" ["part"] "Bytes of the data on disk";
    FREE_BYTES = Gauge "store_free_bytes" [] "Bytes that are free where the data is";
    LEDGER_LAG = Gauge "ledger_lag_seconds" [] "Age of the oldest access that is not in the ledger yet";
    KEY_RING_AGE = Gauge "key_ring_age_seconds" [] "Time since the key ring's file was changed";
    KEY_RING_KEYS = Gauge "key_ring_keys" [] "Keys of the ring";
    BUILD = Info "build" ["version", "engine"] "The program and the engine of its store";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_name_is_there_twice_and_every_one_is_explained() {
        let mut names: Vec<String> = CATALOGUE.iter().map(Description::exposed).collect();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), CATALOGUE.len());
        assert!(CATALOGUE.iter().all(|metric| !metric.help.is_empty()));
    }
}
