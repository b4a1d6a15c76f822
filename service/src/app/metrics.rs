//! Metrics: what an operator watches, in Prometheus' text form.

use prometheus_client::encoding::{EncodeLabelSet, text};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;
use rules::clients::GrantType;
use std::sync::OnceLock;

/// The parts of the service, as requests are counted by.
const PARTS: [&str; 7] = ["token", "authorize", "health", "fhir", "rest", "pages", "discovery"];

/// What came of a token request that went well.
pub const ISSUED: &str = "issued";
/// What came of another request of a client about its tokens that went well.
pub const DONE: &str = "done";

/// The counters of one running service.
pub struct Metrics {
    registry: Registry,
    requests: Family<AnswerLabels, Counter>,
    /// The counters of what is answered most, looked up once.
    well: Vec<(&'static str, Counter)>,
    tokens: Family<TokenRequestLabels, Counter>,
    /// The counters of grant types that were issued tokens, looked up when first needed.
    issued: [(&'static str, OnceLock<Counter>); 3],
    pub revocations: Family<Reason, Counter>,
    pub throttled: Counter,
}

/// An answered request: which part of the service, and its status.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct AnswerLabels {
    pub part: &'static str,
    pub status: u16,
}

/// A token request: its grant type and what came of it (`issued` or the error code).
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct TokenRequestLabels {
    pub grant_type: &'static str,
    pub outcome: &'static str,
}

/// Why sessions were revoked.
#[derive(Clone, Debug, Hash, PartialEq, Eq, EncodeLabelSet)]
pub struct Reason {
    pub why: &'static str,
}

impl std::fmt::Debug for Metrics {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Metrics")
    }
}

impl Default for Metrics {
    fn default() -> Self {
        let mut registry = Registry::with_prefix("recordgate");
        let (requests, tokens) = (Family::default(), Family::default());
        let (revocations, throttled) = (Family::default(), Counter::default());
        registry.register("requests", "Answered requests by part of the service and status", requests.clone());
        registry.register("token_requests", "Token requests by grant type and outcome", tokens.clone());
        registry.register("session_revocations", "Revoked sessions by reason", revocations.clone());
        registry.register("throttled", "Attempts answered with 429", throttled.clone());
        let well = PARTS
            .iter()
            .map(|part| (*part, requests.get_or_create_owned(&AnswerLabels { part, status: 200 })))
            .collect();
        let issued = GrantType::ALL.map(|grant_type| (grant_type.word(), OnceLock::new()));
        Self { registry, requests, well, tokens, issued, revocations, throttled }
    }
}

impl Metrics {
    /// Counts an answer.
    pub fn count_answer(&self, part: &'static str, status: u16) {
        match self.well.iter().find(|(well, _)| status == 200 && *well == part) {
            Some((_, counter)) => counter.inc(),
            None => self.requests.get_or_create(&AnswerLabels { part, status }).inc(),
        };
    }

    /// Counts what came of a token request.
    pub fn token_request(&self, grant_type: &'static str, outcome: &'static str) {
        let labels = TokenRequestLabels { grant_type, outcome };
        match self.issued.iter().find(|(issued, _)| outcome == ISSUED && *issued == grant_type) {
            Some((_, counter)) => counter.get_or_init(|| self.tokens.get_or_create_owned(&labels)).inc(),
            None => self.tokens.get_or_create(&labels).inc(),
        };
    }

    /// The text of `/metrics`.
    #[must_use]
    pub fn text(&self) -> String {
        let mut text = String::new();
        match text::encode(&mut text, &self.registry) {
            Ok(()) => text,
            Err(_) => String::new(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn token_requests_are_counted_by_grant_type_and_outcome_from_the_first_on() {
        let metrics = Metrics::default();
        assert!(!metrics.text().contains("grant_type="), "nobody has asked for tokens yet");
        for outcome in [ISSUED, ISSUED, "invalid_grant"] {
            metrics.token_request(GrantType::RefreshToken.word(), outcome);
        }
        let text = metrics.text();
        let counted =
            |outcome| format!("recordgate_token_requests_total{{grant_type=\"refresh_token\",outcome=\"{outcome}\"}}");
        assert!(text.contains(&format!("{} 2\n", counted(ISSUED))), "{text}");
        assert!(text.contains(&format!("{} 1\n", counted("invalid_grant"))), "{text}");
        assert!(!text.contains("client_credentials"), "{text}");
    }
}
