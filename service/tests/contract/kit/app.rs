//! The service itself, as every test here opens it: the one place that puts an `App` together.

use super::calendar::START;
use service::app::{App, Settings, Shared};
use service::clock::Clock;
use service::keys::Keys;
use service::metrics::Metrics;
use service::passwords::Passwords;
use service::throttle::Throttle;
use std::path::Path;
use std::sync::Arc;
use store::{Place, Store};

/// Opens the service on this database, with its key ring in this file, at the moment at which every world begins.
pub async fn open(place: &Place, keys: &Path, settings: Settings) -> Shared {
    Arc::new(App {
        store: Store::open(place, 1).await.unwrap(),
        clock: Clock::standing(START),
        keys: Keys::open(keys, false).unwrap(),
        passwords: Passwords::new().unwrap(),
        throttle: Throttle::new().unwrap(),
        metrics: Metrics::default(),
        accesses: Default::default(),
        settings,
    })
}
