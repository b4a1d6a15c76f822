//! The service itself, as every test here opens it.

use super::calendar::START;
use service::app::belief::SharedBelief;
use service::app::clock::Clock;
use service::app::key_ring;
use service::app::{App, AppParts, Settings, Shared};
use std::path::Path;
use std::time::Duration;
use store::ledger::Spool;
use store::{Budget, Place, Store};

/// How long a test waits for PostgreSQL before it fails. Nothing here is about being quick: a neighbour that keeps the machine
/// busy must not fail a test, and a server that has died says so at once.
const PATIENCE: Duration = Duration::from_secs(300);

/// The place of this database, with a test's patience instead of a request's.
pub fn place(database: &str) -> Place {
    let mut place = Place::parse(database).unwrap();
    if let Place::Postgres(place) = &mut place {
        let limits = &mut place.options;
        (limits.connect_timeout, limits.wait_timeout) = (PATIENCE, PATIENCE);
        (limits.statement_timeout, limits.answer_within) = (PATIENCE, PATIENCE);
    }
    place
}

/// What is judged is what is found: a busy machine must not interrupt a search, which has a budget of the clock's time.
pub fn patient_budget() -> Budget {
    Budget { time: Duration::from_secs(120), ..Budget::default() }
}

/// Opens the service on this database, with its key ring in this file, at the moment at which every world begins.
pub async fn open(place: &Place, keys_file: &Path, budget: Budget, settings: Settings) -> Shared {
    let store = Store::open_within(place, 1, budget).await.unwrap();
    let keys = key_ring::open(&store, keys_file, START).await.unwrap();
    // Beside the key ring, which each node of a test has for itself.
    let directory = keys_file.with_extension("spool");
    let (spool, _) = Spool::start(&store, &directory, START).await.unwrap();
    App::of(AppParts { store, clock: Clock::standing(START), belief: SharedBelief::default(), keys, spool, settings })
        .unwrap()
}
