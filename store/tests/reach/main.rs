//! Reach said twice: by the store's builder in SQL and by `rules::reach::right` over plain facts. Both say the same of every
//! resource, version and search of random worlds, on both engines, and the table `sight` is what `rules::consent::standing` derives.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "this is a test")]

mod agreement;
mod bodies;
mod cases;
mod engine;
mod facts;
mod stage;

use cases::Case;
use engine::Engine;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use stage::Stage;
use std::cell::Cell;

/// Worlds on the embedded engine, and on the other, where each of their questions is a round trip.
const SQLITE_CASES: u32 = 40;
const POSTGRES_CASES: u32 = 12;

/// Plays random worlds, the same in every run, in one database; the smallest that fails is printed.
fn hold(engine: Engine, cases: u32) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (store, behind) = runtime.block_on(engine.open());
    let config = Config { cases, max_shrink_iters: 300, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let worlds = Cell::new(0);
    let play = |case: Case| {
        let world = worlds.replace(worlds.get() + 1);
        let played = runtime.block_on(async {
            let mut stage = Stage::set(&store, &behind, world).await;
            stage.play(&case).await?;
            agreement::hold(&stage, &case).await
        });
        played.map_err(TestCaseError::fail)
    };
    cases::rare().into_iter().for_each(|case| play(case).unwrap());
    if let Err(failure) = runner.run(&cases::case(), play) {
        panic!("{failure}");
    }
}

#[test]
fn sql_and_rules_agree_on_who_sees_what_on_the_embedded_engine() {
    hold(Engine::sqlite(), SQLITE_CASES);
}

#[test]
fn sql_and_rules_agree_on_who_sees_what_on_postgresql() {
    hold(Engine::postgres(), POSTGRES_CASES);
}
