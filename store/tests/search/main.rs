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
mod steps_of_consent;

use engine::{Behind, Engine};
use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};
use stage::Stage;
use std::cell::Cell;

/// Worlds on the embedded engine, and on the other, where each of their questions is a round trip.
const SQLITE_CASES: u32 = 40;
const POSTGRES_CASES: u32 = 10;
/// Queries of one world.
const QUESTIONS: usize = 40;

/// Plays random worlds, the same in every run, in one database; the smallest that fails is printed. `ahead` is run behind the
/// store's back before questions are asked.
fn hold(engine: Engine, cases: u32, ahead: Option<&str>) {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let (store, behind) = runtime.block_on(engine.open());
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
                if let Some(ahead) = ahead {
                    let Behind::Sqlite { connection, .. } = &behind else { panic!("a server has no file") };
                    connection.execute_batch(ahead).unwrap();
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
    hold(Engine::sqlite(), SQLITE_CASES, None);
}

#[test]
fn sql_finds_what_a_query_means_on_postgresql() {
    hold(Engine::postgres(), POSTGRES_CASES, None);
}

/// Every row of the index once more, of a resource that is not there, as another node would have made it at the same moment.
const WRITTEN_AHEAD: &str = "
    INSERT OR IGNORE INTO index_tokens SELECT type, parameter, code, resource_id + 1048576, system, part FROM index_tokens WHERE resource_id IN (SELECT id FROM resources);
    INSERT OR IGNORE INTO index_texts
        SELECT type, parameter, folded, resource_id + 1048576, part, number, whole, written FROM index_texts WHERE resource_id IN (SELECT id FROM resources);
    INSERT OR IGNORE INTO index_references
        SELECT type, parameter, target_type, target, resource_id + 1048576, part, version FROM index_references WHERE resource_id IN (SELECT id FROM resources);
    INSERT OR IGNORE INTO index_dates SELECT type, parameter, low, high, resource_id + 1048576, part FROM index_dates WHERE resource_id IN (SELECT id FROM resources);
    INSERT OR IGNORE INTO index_amounts SELECT type, parameter, low, high, resource_id + 1048576, part, number, system, code, unit,
        base, base_low, base_high FROM index_amounts WHERE resource_id IN (SELECT id FROM resources);
    INSERT OR IGNORE INTO index_uris SELECT type, parameter, uri, resource_id + 1048576, part, version FROM index_uris WHERE resource_id IN (SELECT id FROM resources);
    INSERT OR IGNORE INTO index_courses (resource_id, parameter, patient_id, code, moment, system)
        SELECT resource_id + 1048576, parameter, patient_id, code, moment, system FROM index_courses WHERE resource_id IN (SELECT id FROM resources)";

#[test]
fn what_a_large_write_has_written_ahead_is_found_by_nobody() {
    hold(Engine::sqlite(), SQLITE_CASES / 4, Some(WRITTEN_AHEAD));
}

/// Every resource once more, deleted, with all rows of the index that it had: they are taken away behind large deletions.
const LEFT_BEHIND: &str = "
    INSERT OR IGNORE INTO resources (id, type, fhir_id, version, updated_at, needs, source_organisation_id, source_team_id,
            source_user_id, source_patient_id, patient_id, patients, body, content_hash, standing_hash, deleted_at)
        SELECT id + 1048576, type, fhir_id || '-gone', version, updated_at, needs, source_organisation_id, source_team_id,
            source_user_id, source_patient_id, patient_id, patients, '', content_hash, standing_hash, updated_at
        FROM resources WHERE deleted_at IS NULL;";

#[test]
fn what_a_large_deletion_has_left_is_found_by_nobody() {
    let live = "(SELECT id FROM resources WHERE deleted_at IS NULL)";
    let rows = WRITTEN_AHEAD.replace("(SELECT id FROM resources)", live);
    hold(Engine::sqlite(), SQLITE_CASES / 4, Some(&format!("{LEFT_BEHIND}{rows}")));
}
