//! Everything arrives, in every direction, and no table can be forgotten.

use crate::home::{DIRECTIONS, ENGINES, Home, MANY, ROWS, free};
use rules::moment::Moment;
use store::ledger::{self, Author, LedgerSpan, NamedLine};
use store::moving::{self, Moved};
use store::world::{self, WantedOrganisation, World};
use store::{Error, Place};

fn known() -> Vec<(String, Vec<String>)> {
    let table = |table: store::Table| (table.name, table.columns.into_iter().map(|column| column.name).collect());
    let mut known: Vec<_> = moving::tables().unwrap().into_iter().map(table).collect();
    known.sort();
    known
}

#[tokio::test]
async fn a_move_knows_every_table_and_column_that_either_engine_has() {
    for engine in ENGINES {
        let home = engine();
        drop(home.open().await.unwrap());
        assert_eq!(home.catalogue(), known());
    }
}

#[tokio::test]
async fn every_row_of_every_table_arrives_in_every_direction() {
    for [from, to] in DIRECTIONS {
        let (source, target) = (Home::full(from).await, to());
        let moved = source.moved(&target).await.unwrap();
        assert_eq!(moved.len(), known().len());
        for Moved { table, content } in &moved {
            assert_eq!(content.rows, ROWS.unsigned_abs(), "{table}");
            assert_eq!(target.count(&format!("SELECT count(*) FROM {table}")), ROWS, "{table}");
        }
        target.open().await.expect("a whole database");
    }
}

#[tokio::test]
async fn what_went_to_postgresql_and_back_is_the_same_to_the_byte() {
    let (first, between, last) = (Home::of(Home::sqlite, MANY).await, Home::postgres(), Home::sqlite());
    let there = first.moved(&between).await.unwrap();
    let back = between.moved(&last).await.unwrap();
    assert_eq!(there, back, "the hashes are the same on both engines");
    assert_eq!(first.dump(), last.dump());
}

#[tokio::test]
async fn a_store_keeps_its_id_wherever_it_is_moved_and_all_its_files_have_it() {
    for [from, to] in DIRECTIONS {
        let (source, target) = (from(), to());
        let id = source.id().await;
        source.moved(&target).await.unwrap();
        assert_eq!(target.id().await, id);
        // What an earlier move left half done had another id.
        let (left, again) = (to(), to());
        drop(left.open().await.unwrap());
        drop(left.begun(&again).await.unwrap().copy(|_| ()).await.unwrap());
        let source = from();
        let id = source.id().await;
        source.moved(&again).await.unwrap();
        assert_eq!(again.id().await, id);
    }
}

#[tokio::test]
async fn an_empty_store_can_be_moved_too() {
    for [from, to] in DIRECTIONS {
        let (source, target) = (from(), to());
        drop(source.open().await.unwrap());
        source.moved(&target).await.unwrap();
        drop(target.open().await.expect("a whole database"));
    }
}

#[tokio::test]
async fn a_text_that_postgresql_cannot_hold_arrives_as_what_it_is_asked_for_by() {
    let (source, target) = (Home::sqlite(), Home::postgres());
    drop(source.open().await.unwrap());
    source.run("INSERT INTO words (id, word) VALUES (1, 'a' || char(0) || 'b')");
    source.moved(&target).await.unwrap();
    assert_eq!(target.count("SELECT count(*) FROM words WHERE word = U&'a\\FFFDb'"), 1);
}

#[tokio::test]
async fn documents_larger_than_a_batch_arrive() {
    let source = Home::sqlite();
    drop(source.open().await.unwrap());
    source.run(
        "WITH RECURSIVE n (n) AS (VALUES (1) UNION ALL SELECT n + 1 FROM n WHERE n < 5)
         INSERT INTO resources (id, type, fhir_id, version, updated_at, needs, patients, body)
         SELECT n, 9, n, 1, n, 15, 0, hex(zeroblob(2000000 + n)) FROM n",
    );
    let (between, last) = (Home::postgres(), Home::sqlite());
    source.moved(&between).await.unwrap();
    between.moved(&last).await.unwrap();
    assert_eq!(last.count("SELECT sum(length(body)) FROM resources"), 2 * (5 * 2_000_000 + 15));
}

#[tokio::test]
async fn progress_is_told_of_every_row_once_when_copied_and_once_when_compared() {
    let (source, target) = (Home::full(Home::sqlite).await, Home::postgres());
    let begun = source.begun(&target).await.unwrap();
    let rows = begun.rows;
    assert_eq!(rows, ROWS.unsigned_abs() * u64::try_from(known().len()).unwrap());
    let (mut copied, mut compared) = (0, 0);
    let proved = begun.copy(|more| copied += more).await.unwrap().compare(|more| compared += more).await.unwrap();
    drop(proved);
    assert_eq!((copied, compared), (rows, rows));
}

#[tokio::test]
async fn nodes_of_the_target_go_on_counting_where_those_of_the_source_stopped() {
    let (source, between, target) = (Home::postgres(), Home::sqlite(), Home::postgres());
    for _ in 0..3 {
        drop(source.open().await.unwrap());
    }
    source.moved(&between).await.unwrap();
    between.moved(&target).await.unwrap();
    drop(target.open().await.unwrap());
    assert_eq!(target.count("SELECT CAST(value AS BIGINT) FROM settings WHERE name = 'nodes-started'"), 4);
}

#[tokio::test]
async fn the_target_may_be_named_by_a_path_that_is_not_there_yet() {
    let (source, folder) = (Home::full(Home::sqlite).await, tempfile::tempdir().unwrap());
    let target = Place::Sqlite(folder.path().join("a/new/one"));
    let begun = free(async || moving::begin(&source.place(), &target).await).await.unwrap();
    begun.copy(|_| ()).await.unwrap().compare(|_| ()).await.unwrap().finish().await.unwrap();
    let said = source.open().await.expect_err("moved");
    assert!(matches!(&said, Error::Setup(said) if said.contains(&target.to_string())), "{said}");
}

#[tokio::test]
async fn lines_that_wait_with_the_records_are_added_where_they_arrive() {
    const NOW: Moment = Moment(1_800_000_000_000);
    for [from, to] in DIRECTIONS {
        let (source, target) = (from(), to());
        let store = source.open().await.unwrap().by(Author::operator("anna (1000)"));
        for name in ["Elsewhere", "General"] {
            let declared = World { organisations: vec![WantedOrganisation::of(name, name)], ..World::default() };
            world::apply(&store, declared, NOW).await.unwrap();
        }
        drop(store);
        source.moved(&target).await.unwrap();
        let store = target.open().await.unwrap();
        ledger::add(&store, NOW).await.unwrap();
        let mut lines = Vec::new();
        let keep = |line: NamedLine| {
            lines.push((line.event.word(), line.detail.unwrap(), line.operator.unwrap()));
            true
        };
        ledger::each(&store, LedgerSpan::ALL, |_| true, keep).await.unwrap();
        let line = |name: &str| ("organisation-made", name.to_owned(), "anna (1000)".to_owned());
        assert_eq!(lines, [line("Elsewhere"), line("General")]);
    }
}
