//! A search parameter that is defined while two nodes write: neither misses it, and both fill its index.

use crate::home::Home;
use crate::shelf::{delete, resource};
use crate::together::together;
use crate::world::{NOW, World};
use fhir::types::ResourceType;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rules::reach::Source;
use std::sync::Arc;
use store::Store;
use store::filling::{self, FillingStep};
use store::index::own_parameters::{self, Filling};
use store::write::resource_write::{self, Demand, NewResource};
use tokio_postgres::{Client, NoTls};

const BASE: &str = "https://records.example/fhir";
const UPDATED: &str = "2027-01-15T08:00:00.000Z";
const WRITERS: usize = 12;
const EACH: usize = 30;

fn definition() -> NewResource {
    let members = r#","url":"http://x.example/lot","name":"mine","status":"active","description":"Mine","code":"lot","base":["Observation"],"type":"string","expression":"Observation.extension('http://x.example/lot').value.ofType(string)""#;
    resource(ResourceType::SearchParameter, "lot", members)
}

fn with_lot(id: &str, lot: &str) -> NewResource {
    let extension = format!(r#","extension":[{{"url":"http://x.example/lot","valueString":"{lot}"}}]"#);
    resource(ResourceType::Observation, id, &extension)
}

async fn put(store: &Store, source: Source, new: NewResource) {
    resource_write::put(store, vec![new], source, NOW, UPDATED.into()).await.unwrap();
}

/// Makes resources, changes every second of them, and deletes every third.
async fn write_many(store: Arc<Store>, source: Source, writer: usize) {
    for at in 0..EACH {
        let id = format!("o-{writer}-{at}");
        put(&store, source, with_lot(&id, "first")).await;
        if at.is_multiple_of(2) {
            put(&store, source, with_lot(&id, "second")).await;
        }
        if at.is_multiple_of(3) {
            let named = (ResourceType::Observation, id);
            delete(&store, named, source, Demand::Nothing, NOW).await.unwrap();
        }
    }
}

/// Fills, and fills on, until the index is whole.
async fn fill(store: Arc<Store>) {
    loop {
        let piece = filling::step(&store, BASE).await.unwrap();
        let all = own_parameters::all(&store).await.unwrap();
        if piece == FillingStep::Idle && all.iter().any(|one| one.filling == Filling::Whole) {
            return;
        }
        tokio::task::yield_now().await;
    }
}

/// Somebody beside the store who has locked a resource.
async fn holding(home: &Home, fhir_id: &str) -> Client {
    let (beside, task) = tokio_postgres::connect(&home.url, NoTls).await.unwrap();
    tokio::spawn(task);
    let lock = format!("BEGIN; SELECT id FROM resources WHERE fhir_id = '{fhir_id}' FOR UPDATE");
    beside.batch_execute(&lock).await.unwrap();
    beside
}

/// Waits until so many wait for somebody else.
async fn until_waiting(home: &Home, how_many: i64) {
    let waiting =
        "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'";
    while home.ask(waiting).parse::<i64>().unwrap() < how_many {
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_definition_waits_for_every_write_that_does_not_know_it() {
    let home = Home::patient();
    let w = World::at(home.clone()).await;
    let (here, there) = (Arc::new(home.node().await), Arc::new(home.node().await));
    let source = Source::Organisation(w.elsewhere);
    put(&here, source, resource(ResourceType::Patient, "held", "")).await;
    let beside = holding(&home, "held").await;
    let both = vec![with_lot("late", "walrus"), resource(ResourceType::Patient, "held", r#","active":true"#)];
    let writing = {
        let here = here.clone();
        tokio::spawn(async move { resource_write::put(&here, both, source, NOW, UPDATED.into()).await.unwrap() })
    };
    until_waiting(&home, 1).await;
    let defining = {
        let there = there.clone();
        tokio::spawn(async move {
            put(&there, source, definition()).await;
            fill(there).await;
        })
    };
    // Either it waits, or it is done and its index is whole without the one that is on its way.
    while home.ask("SELECT count(*) FROM pg_locks WHERE NOT granted AND locktype = 'advisory'") == "0"
        && !defining.is_finished()
    {
        tokio::task::yield_now().await;
    }
    beside.batch_execute("ROLLBACK").await.unwrap();
    writing.await.unwrap();
    defining.await.unwrap();
    assert_eq!(w.count("SELECT count(*) FROM index_texts WHERE parameter >= 262144 AND folded = 'walrus'"), 1);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn filling_waits_for_nobody_and_passes_over_nothing_that_somebody_has_locked() {
    let home = Home::patient();
    let w = World::at(home.clone()).await;
    let source = Source::Organisation(w.elsewhere);
    for id in ["a", "b", "c"] {
        put(&w.store, source, with_lot(id, "walrus")).await;
    }
    put(&w.store, source, definition()).await;
    let rows = "SELECT count(*) FROM index_texts WHERE parameter >= 262144";
    let beside = holding(&home, "b").await;
    for _ in 0..3 {
        assert_eq!(filling::step(&w.store, BASE).await.unwrap(), FillingStep::Waiting);
        assert_eq!(w.count(rows), 1, "up to the one that is locked");
    }
    beside.batch_execute("ROLLBACK").await.unwrap();
    fill(Arc::new(home.node().await)).await;
    assert_eq!(w.count(rows), 3);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_write_of_two_nodes_misses_a_parameter_that_is_defined_meanwhile() {
    let home = Home::patient();
    let w = World::at(home.clone()).await;
    let (here, there): (Arc<Store>, _) = (Arc::new(home.node().await), Arc::new(home.node().await));
    let source = Source::Organisation(w.elsewhere);
    let mut all: Vec<BoxFuture<'static, ()>> = Vec::new();
    for writer in 0..WRITERS {
        let store = if writer.is_multiple_of(2) { here.clone() } else { there.clone() };
        all.push(write_many(store, source, writer).boxed());
    }
    let defining = here.clone();
    all.push(async move { put(&defining, source, definition()).await }.boxed());
    all.push(fill(here.clone()).boxed());
    all.push(fill(there.clone()).boxed());
    together(all.into_iter()).await;
    let live = "SELECT count(*) FROM resources WHERE type = (SELECT type FROM own_parameters) AND deleted_at IS NULL";
    let rows = "SELECT count(*) FROM index_texts WHERE parameter >= 262144";
    assert_eq!(w.count(live), w.count(rows), "each has its value, and once");
    let stale = "SELECT count(*) FROM index_texts i JOIN resources r ON r.id = i.resource_id
        WHERE i.parameter >= 262144 AND (i.folded = 'second') <> (CAST(split_part(r.fhir_id, '-', 3) AS BIGINT) % 2 = 0)";
    assert_eq!(w.count(stale), 0, "and the last one");
}
