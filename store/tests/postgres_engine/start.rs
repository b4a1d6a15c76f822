//! Starting on a shared database: many at once, beside a newer release, and with nothing there.

use crate::home::{Home, bound};
use crate::together::together;
use crate::world::World;
use std::time::Instant;
use store::{Error, Place, Store, settings};

const STARTERS: usize = 8;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_eight_nodes_that_start_at_once_on_an_empty_database_all_serve_and_each_migration_is_made_once() {
    let home = Home::patient();
    let starters = (0..STARTERS).map(|_| {
        let home = home.clone();
        async move { home.node().await }
    });
    let nodes = together(starters).await;
    for node in &nodes {
        assert!(settings::is_empty(node).await.unwrap());
    }
    let migrations = home.count("SELECT count(*) FROM migrations");
    assert!(migrations >= 3, "{migrations}");
    assert_eq!(home.ask("SELECT value FROM settings WHERE name = 'nodes-started'"), STARTERS.to_string());
    home.node().await;
    assert_eq!(home.count("SELECT count(*) FROM migrations"), migrations);
}

#[tokio::test]
async fn a_node_starts_and_works_on_a_schema_that_a_newer_release_has_added_to() {
    let w = World::new().await;
    w.home.ask(
        "INSERT INTO migrations (name) VALUES ('sessions/0999_later');
         ALTER TABLE sessions ADD COLUMN later TEXT; ALTER TABLE clients ADD COLUMN later BIGINT DEFAULT 7",
    );
    let granted = w.connected().await;
    let w = {
        drop(granted);
        w.reopened().await
    };
    assert_eq!(w.connected().await.bearer().await.session.generation, 1);
}

#[tokio::test]
async fn nodes_make_different_ids_at_the_same_moment() {
    let home = Home::patient();
    let w = World::at(home.clone()).await;
    let other = home.node().await;
    let mut ids = std::collections::HashSet::new();
    for _ in 0..50 {
        for store in [&*w.store, &other] {
            let opened = store::opening::open(store, w.bare_approval(), crate::world::NOW).await.unwrap();
            assert!(ids.insert(opened.expect("a new session")));
        }
    }
}

#[tokio::test]
async fn a_database_that_is_not_there_is_said_to_be_away_in_time() {
    let free = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let unknown = format!("{}-unknown", Home::new().url);
    for url in [format!("postgres://recordgate:hush@{free}/test"), unknown] {
        let home = Home::at(url);
        let began = Instant::now();
        let error = Store::open(&home.place(), 1).await.expect_err("not there");
        assert!(matches!(error.kind(), Error::Unavailable(_)), "{error}");
        assert!(!format!("{error} {error:?}").contains("hush"));
        assert!(began.elapsed() < bound(&home.options));
    }
}

#[test]
fn a_place_never_shows_its_password() {
    let url = "postgresql://alice:hush@one.example:5433,two.example/records?target_session_attrs=read-write";
    let place = Place::parse(url).unwrap();
    assert_eq!(place.to_string(), "postgres://alice@one.example:5433,two.example:5432/records");
    assert!(!format!("{place:?}").contains("hush"));
    for wrong in ["postgres://alice:hush@one.example/x?mood=good", "postgres://alice:hush@/x", "postgre://alice:hush@x"]
    {
        let error = Place::parse(wrong).expect_err("no place").to_string();
        assert!(!error.contains("hush") && error.contains("postgres://"), "{error}");
    }
}
