//! The service and its peer: both sides of everything that was compared.

use super::race::{self, Shot};
use crate::measure::decimals::round;
use crate::measure::figure::Figure;
use serde_json::{Value, json};

#[derive(Debug)]
pub(crate) struct Comparison {
    pub(crate) figures: [Figure; 3],
    pub(crate) peer: String,
    pub(crate) client_credentials: [f64; 2],
    pub(crate) bearer_checks: [f64; 2],
    pub(crate) rss_idle_mib: [f64; 2],
    pub(crate) start_ms: [f64; 2],
    pub(crate) races: [Vec<Shot>; 2],
}

impl Comparison {
    pub(crate) fn json(&self) -> Value {
        let both = |[ours, theirs]: [f64; 2]| json!({ "service": round(ours, 1), "peer": round(theirs, 1) });
        let [our_races, peer_races] = &self.races;
        let shots = |shots: &[Shot]| shots.iter().map(Shot::json).collect::<Vec<_>>();
        json!({
            "peer": self.peer,
            "client_credentials_per_second": both(self.client_credentials),
            "bearer_checks_per_second": both(self.bearer_checks),
            "rss_idle_mib": both(self.rss_idle_mib),
            "start_ms": both(self.start_ms),
            "race": { "parallel_refreshes": race::PARALLEL, "service": shots(our_races), "peer": shots(peer_races) },
        })
    }
}
