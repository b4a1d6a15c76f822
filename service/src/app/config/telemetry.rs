//! The `[telemetry]` table: where spans are exported to, if anywhere, and how many of them.

use super::layers::Layers;
use crate::app::telemetry::endpoint::{Endpoint, TelemetrySettings};
use std::ops::RangeInclusive;

const ONE_IN: RangeInclusive<u64> = 1..=1_000_000;

/// The settings as the layers have them; `None` where there is no endpoint.
pub(super) fn settings(layers: &mut Layers) -> Option<TelemetrySettings> {
    let must_be = "http://HOST:PORT of a collector, for example http://127.0.0.1:4318";
    let endpoint = layers.value("telemetry.endpoint", must_be, Endpoint::parse);
    let must_be = format!("a number from {} to {}", ONE_IN.start(), ONE_IN.end());
    let one_in = layers.value("telemetry.one_in", &must_be, |text| text.parse().ok().filter(|n| ONE_IN.contains(n)));
    Some(TelemetrySettings { endpoint: endpoint?, one_in: one_in? })
}
