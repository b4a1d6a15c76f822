//! Searching said twice: by the store in SQL, and by `fhir::search::evaluation` over the records that a caller may read. Both
//! find the same in random worlds, page by page and counted, on both engines.
#![expect(clippy::unwrap_used, clippy::expect_used, clippy::panic, clippy::indexing_slicing, reason = "this is a test")]

mod agreement;
mod asked;
mod bodies;
#[path = "../reach/engine.rs"]
#[expect(dead_code, reason = "sight is looked at by another test")]
mod engine;
mod named;
mod plans;
mod questions;
mod stage;
mod steps;

use engine::Engine;
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use stage::Stage;
use std::cell::Cell;

/// Worlds on the embedded engine, and on the other, where each of their questions is a round trip.
const SQLITE_CASES: u32 = 40;
const POSTGRES_CASES: u32 = 10;
/// Queries of one world.
const QUESTIONS: usize = 40;

/// Plays random worlds, the same in every run, in one database; the smallest that fails is printed.
fn hold(engine: Engine, cases: u32) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (store, _behind) = runtime.block_on(engine.open());
    let config = Config { cases, max_shrink_iters: 200, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let worlds = Cell::new(0);
    let found = Cell::new(0);
    let case = (prop::collection::vec(bodies::draft(), 4..24), prop::collection::vec(questions::question(), QUESTIONS));
    let outcome = runner.run(&case, |(drafts, questions)| {
        let world = worlds.replace(worlds.get() + 1);
        let played = runtime.block_on(async {
            let mut stage = Stage::set(&store, world).await;
            // What is asked before all is written may be remembered, and must not be told once it is written anew.
            let (first, then) = drafts.split_at(drafts.len() / 2);
            let mut found = 0;
            for (drafts, questions) in [(first, &questions[..QUESTIONS / 4]), (then, &questions[..])] {
                for draft in drafts {
                    stage.write(draft).await;
                }
                found = agreement::hold(&stage, questions).await?;
            }
            Ok(found)
        });
        let played: Result<usize, String> = played;
        found.set(found.get() + played.map_err(TestCaseError::fail)?);
        Ok(())
    });
    if let Err(failure) = outcome {
        panic!("{failure}");
    }
    let enough = usize::try_from(cases).unwrap() * 25;
    assert!(found.get() > enough, "the questions find something: {}", found.get());
}

#[test]
fn sql_finds_what_a_query_means_on_the_embedded_engine() {
    hold(Engine::sqlite(), SQLITE_CASES);
}

#[test]
fn sql_finds_what_a_query_means_on_postgresql() {
    hold(Engine::postgres(), POSTGRES_CASES);
}
