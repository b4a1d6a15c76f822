//! The figures of one route. A request finds them with its route, so that nothing is looked up for it by name.

use super::catalogue::REQUEST_SECONDS;
use super::labels::AnswerLabels;
use super::reading::{Reading, ReadingValue};
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use std::time::Duration;
use store::distribution::Distribution;

/// In microseconds: from a read of what is remembered to a search that is too costly.
const STEPS: &[u64] = &[
    100, 250, 500, 1000, 2500, 5000, 10_000, 25_000, 50_000, 100_000, 250_000, 500_000, 1_000_000, 2_500_000,
    5_000_000, 10_000_000,
];

/// What is counted of one route, or of all methods that a path does not have.
#[derive(Debug)]
pub struct RouteMeter {
    pub(super) method: &'static str,
    pub(super) route: &'static str,
    part: &'static str,
    /// The counter of what is answered most.
    well: Counter,
    requests: Family<AnswerLabels, Counter>,
    taken: Distribution,
}

impl RouteMeter {
    pub(super) fn new(
        part: &'static str,
        method: &'static str,
        route: &'static str,
        requests: Family<AnswerLabels, Counter>,
    ) -> Self {
        let well = requests.get_or_create_owned(&AnswerLabels { part, status: 200 });
        Self { method, route, part, well, requests, taken: Distribution::new(STEPS) }
    }

    /// Counts an answer.
    pub fn count(&self, status: u16, taken: Duration) {
        match status {
            200 => self.well.inc(),
            _ => self.requests.get_or_create(&AnswerLabels { part: self.part, status }).inc(),
        };
        self.taken.note(u64::try_from(taken.as_micros()).unwrap_or(u64::MAX));
    }

    /// How long its answers took, if there were any.
    pub(super) fn reading(&self) -> Option<Reading> {
        let spread = self.taken.spread();
        let labels = vec![("method", self.method.to_owned()), ("route", self.route.to_owned())];
        (spread.count() > 0).then(|| Reading::new(REQUEST_SECONDS, labels, ReadingValue::Seconds(spread)))
    }
}
