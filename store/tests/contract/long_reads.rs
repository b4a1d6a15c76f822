//! Reads that can be long: interrupted when their time is up, while everything else goes on.

use crate::home::Home;
use crate::world::World;
use rules::ids::OrganisationId;
use std::time::{Duration, Instant};
use store::documents::receipts;
use store::{Budget, Error, Store, clients, settings};

/// Far more than the milliseconds of `hurried` are enough for.
const MANY: usize = 200_000;
const PATIENCE: Duration = Duration::from_secs(300);

/// A second node of a database, or the same directory opened again, with little time for long reads.
async fn hurried() -> (Home, Store) {
    let World { store, home, .. } = World::new().await;
    drop(store);
    let budget = Budget { time: Duration::from_millis(20), ..Budget::default() };
    let store = Store::open_within(&home.place(), 2, budget).await.expect("the same store");
    (home, store)
}

/// Why so many receipts are not to be had. On a busy machine no reader may be free in the little time that there is; then
/// it is asked again, as anyone would.
async fn refusal(store: &Store, identifiers: &[String]) -> Error {
    let deadline = Instant::now() + PATIENCE;
    loop {
        let asked = receipts::receipts(store, OrganisationId(1), identifiers).await;
        let error = asked.expect_err("there is no time for so many");
        if !error.is_passing() {
            return error;
        }
        assert!(Instant::now() < deadline, "no reader is ever free: {error}");
    }
}

#[tokio::test]
async fn a_read_that_takes_longer_than_it_may_is_interrupted_and_says_so_and_the_next_is_answered() {
    let (_home, store) = hurried().await;
    let identifiers: Vec<String> = (0..MANY).map(|n| format!("identifier {n}")).collect();
    for _ in 0..2 {
        let error = refusal(&store, &identifiers).await;
        assert!(matches!(error.kind(), Error::TooCostly), "{error:?}");
        assert_eq!(error.statement(), Some("store::records::documents::receipts::RECEIPTS"));
        settings::get(&store, "anything").await.expect("what is read in place has nothing to do with it");
    }
    let deadline = Instant::now() + PATIENCE;
    while clients::list(&store).await.map_or(0, |clients| clients.len()) != 3 {
        assert!(Instant::now() < deadline, "the readers do not recover");
    }
}
