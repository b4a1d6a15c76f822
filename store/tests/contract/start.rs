//! Opening a store: one process at a time, never a newer database, and nobody else's to read.

use crate::home::{Home, place};
use crate::world::{NOW, World};
use std::os::unix::fs::PermissionsExt;
use store::{Error, Place, Store, settings};

#[tokio::test]
async fn a_directory_in_use_says_so_and_is_free_again_once_the_store_is_closed() {
    let w = World::new().await;
    let second = Store::open(&place(w.home.path()), 2).await;
    assert!(matches!(&second, Err(Error::InUse(_))), "{second:?}");
    let said = second.expect_err("in use").to_string();
    assert!(said.contains(w.home.path().to_str().unwrap()) && said.contains("in use"), "{said}");
    w.reopened().await;
}

#[tokio::test]
async fn a_store_is_there_once_it_was_made_and_whether_it_is_can_be_asked_without_making_it() {
    let home = Home::new();
    assert!(!Store::is_there(&home.place()).await.unwrap());
    assert_eq!(std::fs::read_dir(home.path()).unwrap().count(), 0);
    drop(Store::open(&home.place(), 1).await.unwrap());
    assert!(Store::is_there(&home.place()).await.unwrap());
    // One that lost a file is no free place for a new one.
    std::fs::remove_file(home.path().join("records.sqlite")).unwrap();
    assert!(Store::is_there(&home.place()).await.unwrap());
}

#[tokio::test]
async fn a_store_made_by_a_newer_version_is_refused_with_a_word_on_what_to_do() {
    for (file, name) in [("records.sqlite", "records/0999_later"), ("sessions.sqlite", "sessions/0999_later")] {
        let w = World::new().await;
        let directory = w.home;
        drop(std::sync::Arc::into_inner(w.store));
        let connection = rusqlite::Connection::open(directory.path().join(file)).unwrap();
        connection.execute("INSERT INTO migrations (name) VALUES ($1)", [name]).unwrap();
        drop(connection);
        let refused = Store::open(&place(directory.path()), 1).await;
        assert!(matches!(&refused, Err(Error::Setup(_))), "{refused:?}");
        let said = refused.expect_err("newer").to_string();
        assert!(said.contains("newer") && said.contains(name) && said.contains(file), "{said}");
    }
}

#[tokio::test]
async fn opening_again_keeps_everything_and_applies_no_migration_twice() {
    let w = World::new().await;
    settings::set(&w.store, "kept", "yes".into()).await.unwrap();
    let migrations = w.count("SELECT count(*) FROM migrations");
    assert!(!settings::has_sessions(&w.store).await.unwrap());
    let granted = w.connected().await.id;
    let w = w.reopened().await.reopened().await;
    assert_eq!(w.count("SELECT count(*) FROM migrations"), migrations);
    assert_eq!(settings::get(&w.store, "kept").await.unwrap().as_deref(), Some("yes"));
    assert!(settings::has_sessions(&w.store).await.unwrap());
    assert_eq!(
        store::bearer::find(&w.store, granted).await.unwrap().map(|bearer| bearer.session.granted_at),
        Some(NOW)
    );
    w.store.is_ready().await.expect("a store that answers");
}

#[tokio::test]
async fn the_directory_is_nobody_elses_to_read() {
    let w = World::new().await;
    let mode = std::fs::metadata(w.home.path()).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o700);
}

#[tokio::test]
async fn a_directory_that_cannot_be_made_is_named() {
    let file = tempfile::NamedTempFile::new().unwrap();
    let impossible = file.path().join("data");
    let refused = Store::open(&place(&impossible), 1).await.expect_err("a file is no directory").to_string();
    assert!(refused.contains(impossible.to_str().unwrap()), "{refused}");
}

#[test]
fn a_place_is_read_and_said_the_same_way() {
    for text in ["sqlite:recordgate-data", "sqlite:/var/lib/recordgate", "sqlite:C:odd"] {
        assert_eq!(Place::parse(text).unwrap().to_string(), text);
    }
    for text in ["", "recordgate-data", "sqlite:", "mysql://x", "SQLITE:x"] {
        let said = Place::parse(text).expect_err("no place").to_string();
        assert!(said.contains("sqlite:DIR"), "{said}");
    }
}
