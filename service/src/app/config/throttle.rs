//! The `[throttle]` table: how many failures are allowed within how long.

use super::layers::Layers;
use crate::secrets::throttle::Allowance;
use std::ops::RangeInclusive;
use std::time::Duration;

/// A window without an end would be a lock without one.
const WINDOW: RangeInclusive<u32> = 1..=86_400;
/// None at all would lock everybody out who mistypes once.
const PER_ACCOUNT: RangeInclusive<u32> = 1..=1000;
const PER_ADDRESS: RangeInclusive<u32> = 1..=1_000_000;

/// The allowance as the layers have it; `None` where a number of it will not do.
pub(super) fn allowance(layers: &mut Layers) -> Option<Allowance> {
    let window = number(layers, "throttle.window_seconds", "a number of seconds", WINDOW);
    let per_account = number(layers, "throttle.failures_per_account", "a number", PER_ACCOUNT);
    let per_address = number(layers, "throttle.failures_per_address", "a number", PER_ADDRESS);
    Some(Allowance {
        window: Duration::from_secs(window?.into()),
        per_account: per_account?,
        per_address: per_address?,
    })
}

fn number(layers: &mut Layers, key: &'static str, sort: &str, range: RangeInclusive<u32>) -> Option<u32> {
    let must_be = format!("{sort} from {} to {}", range.start(), range.end());
    layers.value(key, &must_be, |text| text.parse().ok().filter(|number| range.contains(number)))
}
