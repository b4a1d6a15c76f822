//! The counters of one running service, and the text of `/metrics`.

use super::catalogue::{self, Description, PREFIX};
use super::labels::{AnswerLabels, FailureCause, FailureLabels, LineLabels, Reason, TokenRequestLabels};
use super::reading::{Reading, Readings};
use super::route_meter::RouteMeter;
use prometheus_client::encoding::text;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::{Metric, Registry};
use rules::clients::GrantType;
use rules::revocation::Revoked;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// What came of a token request that went well.
pub const ISSUED: &str = "issued";
/// What came of a token request whose client did not prove itself.
const INVALID_CLIENT: &str = "invalid_client";
/// What came of another request of a client about its tokens that went well.
pub const DONE: &str = "done";

/// The counters of one running service.
pub struct Metrics {
    registry: Registry,
    requests: Family<AnswerLabels, Counter>,
    meters: Mutex<Vec<Arc<RouteMeter>>>,
    in_flight: AtomicI64,
    tokens: Family<TokenRequestLabels, Counter>,
    /// The counters of grant types that were issued tokens, looked up when first needed.
    issued: [(&'static str, OnceLock<Counter>); 3],
    pub revocations: Family<Reason, Counter>,
    pub throttled: Counter,
    pub lost_accesses: Counter,
    pub failed: Family<FailureLabels, Counter>,
    lines_left_out: Family<LineLabels, Counter>,
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Metrics")
    }
}

/// A request that is being answered, until this is dropped: its caller may go away at any moment.
#[derive(Debug)]
pub struct InFlight<'m>(&'m AtomicI64);

impl Drop for InFlight<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix(PREFIX);
        let counters = Self {
            requests: registered(&mut registry, catalogue::REQUESTS),
            meters: Mutex::default(),
            in_flight: AtomicI64::new(0),
            tokens: registered(&mut registry, catalogue::TOKEN_REQUESTS),
            issued: GrantType::ALL.map(|grant_type| (grant_type.word(), OnceLock::new())),
            revocations: registered(&mut registry, catalogue::REVOCATIONS),
            throttled: registered(&mut registry, catalogue::THROTTLED),
            lost_accesses: registered(&mut registry, catalogue::LOST_ACCESSES),
            failed: registered(&mut registry, catalogue::FAILED),
            lines_left_out: registered(&mut registry, catalogue::LINES_LEFT_OUT),
            registry,
        };
        counters.begin_at_zero();
        counters
    }
}

fn registered<M: Metric + Clone + Default>(registry: &mut Registry, metric: Description) -> M {
    let counted = M::default();
    registry.register(metric.name, metric.help, counted.clone());
    counted
}

impl Metrics {
    /// The figures of one route; the same ones for whoever asks for it again.
    pub fn meter(&self, part: &'static str, method: &'static str, route: &'static str) -> Arc<RouteMeter> {
        let mut meters = self.meters.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = meters.iter().find(|meter| (meter.method, meter.route) == (method, route)) {
            return known.clone();
        }
        for status in [500, 503] {
            drop(self.requests.get_or_create(&AnswerLabels { part, status }));
        }
        let meter = Arc::new(RouteMeter::new(part, method, route, self.requests.clone()));
        meters.push(meter.clone());
        meter
    }

    /// Makes the counters that alerts look at: of one that begins with its first event nobody sees that it has risen.
    fn begin_at_zero(&self) {
        for why in Revoked::ALL.map(Revoked::word) {
            drop(self.revocations.get_or_create(&Reason { why }));
        }
        for grant_type in GrantType::ALL.map(GrantType::word) {
            for outcome in [ISSUED, INVALID_CLIENT] {
                drop(self.tokens.get_or_create(&TokenRequestLabels { grant_type, outcome }));
            }
        }
        for of in [FailureLabels::SIGN_IN, FailureLabels::CLIENT, FailureLabels::INVITATION] {
            for why in FailureCause::ALL.map(FailureCause::word) {
                drop(self.failed.get_or_create(&FailureLabels { of, why }));
            }
        }
        for about in [LineLabels::REQUESTS, LineLabels::AUTHENTICATIONS] {
            drop(self.lines_left_out.get_or_create(&about));
        }
    }

    /// Counts a request as being answered.
    pub fn begin(&self) -> InFlight<'_> {
        self.in_flight.fetch_add(1, Ordering::Relaxed);
        InFlight(&self.in_flight)
    }

    /// Counts what came of a token request.
    pub fn token_request(&self, grant_type: &'static str, outcome: &'static str) {
        let labels = TokenRequestLabels { grant_type, outcome };
        match self.issued.iter().find(|(issued, _)| outcome == ISSUED && *issued == grant_type) {
            Some((_, counter)) => counter.get_or_init(|| self.tokens.get_or_create_owned(&labels)).inc(),
            None => self.tokens.get_or_create(&labels).inc(),
        };
    }

    /// Counts a line that the log had no room for.
    pub fn leave_line_out(&self, about: &LineLabels) {
        self.lines_left_out.get_or_create(about).inc();
    }

    /// What is counted without a family of counters.
    fn own_readings(&self) -> Vec<Reading> {
        let in_flight = self.in_flight.load(Ordering::Relaxed) as f64;
        let meters = self.meters.lock().unwrap_or_else(PoisonError::into_inner);
        let mut readings: Vec<Reading> = meters.iter().filter_map(|meter| meter.reading()).collect();
        readings.push(Reading::level(catalogue::IN_FLIGHT, in_flight));
        readings
    }

    /// The text of `/metrics`, with what others have read.
    #[must_use]
    pub fn text(&self, further: Vec<Reading>) -> String {
        let mut readings = self.own_readings();
        readings.extend(further);
        let mut read = Registry::with_prefix(PREFIX);
        read.register_collector(Box::new(Readings(readings)));
        let mut text = String::new();
        let written = text::encode_registry(&mut text, &self.registry)
            .and_then(|()| text::encode_registry(&mut text, &read))
            .and_then(|()| text::encode_eof(&mut text));
        match written {
            Ok(()) => text,
            Err(_) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    #[test]
    fn token_requests_are_counted_by_grant_type_and_outcome_from_the_first_on() {
        let metrics = Metrics::default();
        for outcome in [ISSUED, ISSUED, "invalid_grant"] {
            metrics.token_request(GrantType::RefreshToken.word(), outcome);
        }
        let text = metrics.text(Vec::new());
        let counted =
            |outcome| format!("recordgate_token_requests_total{{grant_type=\"refresh_token\",outcome=\"{outcome}\"}}");
        assert!(text.contains(&format!("{} 2\n", counted(ISSUED))), "{text}");
        assert!(text.contains(&format!("{} 1\n", counted("invalid_grant"))), "{text}");
    }

    #[test]
    fn what_alerts_look_at_is_there_before_the_first_event() {
        let metrics = Metrics::default();
        let _meter = metrics.meter("fhir", "GET", "/fhir/Patient/{id}");
        let text = metrics.text(Vec::new());
        for series in [
            "requests_total{part=\"fhir\",status=\"500\"}",
            "requests_total{part=\"fhir\",status=\"503\"}",
            "session_revocations_total{why=\"token-from-the-future\"}",
            "session_revocations_total{why=\"refresh-token-replayed\"}",
            "token_requests_total{grant_type=\"client_credentials\",outcome=\"invalid_client\"}",
            "log_lines_left_out_total{about=\"authentications\"}",
            "failed_authentications_total{of=\"client\",why=\"wrong-proof\"}",
            "throttled_total",
            "lost_accesses_total",
        ] {
            assert!(text.contains(&format!("recordgate_{series} 0\n")), "{series} is not in {text}");
        }
    }

    #[test]
    fn a_route_is_counted_by_status_and_time_and_requests_only_while_they_last() {
        let metrics = Metrics::default();
        let meter = metrics.meter("fhir", "GET", "/fhir/Patient/{id}");
        let again = metrics.meter("fhir", "GET", "/fhir/Patient/{id}");
        assert!(!metrics.text(Vec::new()).contains("request_seconds"), "nobody has asked yet");
        let under_way = [metrics.begin(), metrics.begin()];
        assert!(metrics.text(Vec::new()).contains("recordgate_requests_in_flight 2.0\n"));
        drop(under_way);
        meter.count(200, Duration::from_micros(200));
        again.count(404, Duration::from_secs(60));
        let text = metrics.text(Vec::new());
        let route = "method=\"GET\",route=\"/fhir/Patient/{id}\"";
        for line in [
            "recordgate_requests_total{part=\"fhir\",status=\"200\"} 1".into(),
            "recordgate_requests_total{part=\"fhir\",status=\"404\"} 1".into(),
            "recordgate_requests_in_flight 0.0".into(),
            format!("recordgate_request_seconds_bucket{{le=\"0.0001\",{route}}} 0"),
            format!("recordgate_request_seconds_bucket{{le=\"0.00025\",{route}}} 1"),
            format!("recordgate_request_seconds_bucket{{le=\"10.0\",{route}}} 1"),
            format!("recordgate_request_seconds_bucket{{le=\"+Inf\",{route}}} 2"),
            format!("recordgate_request_seconds_count{{{route}}} 2"),
        ] {
            assert!(text.lines().any(|known| known == line), "{line} is not in {text}");
        }
        assert!(text.ends_with("# EOF\n"));
    }
}
