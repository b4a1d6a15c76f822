//! What a move refuses to touch, and what it says.

use crate::home::{DIRECTIONS, ENGINES, Home};
use store::{Error, Place, moving};

async fn refused(from: &Home, to: &Home) -> String {
    let error = from.begun(to).await.expect_err("a refusal");
    assert!(matches!(error, Error::Setup(_)), "{error:?}");
    error.to_string()
}

/// Refused because somebody is at work there.
async fn in_use(from: &Home, to: &Home) -> String {
    let error = moving::begin(&from.place(), &to.place()).await.expect_err("a refusal");
    assert!(matches!(error, Error::InUse(_)), "{error:?}");
    error.to_string()
}

#[tokio::test]
async fn a_database_that_is_there_already_is_never_written_to() {
    for [from, to] in DIRECTIONS {
        let (source, target) = (Home::full(from).await, to());
        drop(target.open().await.unwrap());
        target.run("INSERT INTO settings (name, value) VALUES ('mine', 'kept')");
        let said = refused(&source, &target).await;
        assert!(said.contains("there is a database in") && said.contains("name a new one"), "{said}");
        assert_eq!(target.count("SELECT count(*) FROM settings WHERE name = 'mine'"), 1);
        target.open().await.expect("it can be used as before");
        source.open().await.expect("so can the source");
    }
}

#[tokio::test]
async fn a_postgresql_database_with_tables_of_somebody_elses_is_left_alone() {
    let (source, target) = (Home::full(Home::sqlite).await, Home::postgres());
    target.run("CREATE TABLE sessions (cookie TEXT)");
    refused(&source, &target).await;
    assert_eq!(target.count("SELECT count(*) FROM information_schema.tables WHERE table_schema = 'public'"), 1);
}

#[tokio::test]
async fn a_source_without_data_is_not_made() {
    for [from, to] in DIRECTIONS {
        let (source, target) = (from(), to());
        let said = refused(&source, &target).await;
        assert!(said.contains("there is no data in"), "{said}");
        assert!(matches!(&source, Home::Postgres(_)) || !has(&source, "records.sqlite"));
    }
}

fn has(home: &Home, file: &str) -> bool {
    matches!(home.place(), Place::Sqlite(directory) if directory.join(file).exists())
}

#[tokio::test]
async fn a_directory_in_use_must_be_let_go_first() {
    let (busy, other) = (Home::full(Home::sqlite).await, Home::postgres());
    let store = busy.open().await.unwrap();
    let said = in_use(&busy, &other).await;
    assert!(said.contains("is in use by another recordgate process; stop it first"), "{said}");
    drop(store);
    busy.moved(&other).await.expect("now it is free");
}

#[tokio::test]
async fn a_database_cannot_be_moved_to_itself() {
    for engine in ENGINES {
        let home = Home::full(engine).await;
        moving::begin(&home.place(), &home.place()).await.expect_err("a refusal");
        home.open().await.expect("as it was");
    }
}

#[tokio::test]
async fn two_moves_into_one_target_do_not_meet() {
    for engine in ENGINES {
        let (one, other, target) = (Home::full(Home::sqlite).await, Home::full(Home::sqlite).await, engine());
        let held = one.begun(&target).await.unwrap();
        in_use(&other, &target).await;
        held.copy(|_| ()).await.unwrap().compare(|_| ()).await.unwrap().finish().await.unwrap();
    }
}

#[tokio::test]
async fn two_moves_from_one_source_do_not_meet() {
    for engine in ENGINES {
        let (source, one, other) = (Home::full(engine).await, Home::sqlite(), Home::sqlite());
        let held = source.begun(&one).await.unwrap();
        in_use(&source, &other).await;
        held.copy(|_| ()).await.unwrap().compare(|_| ()).await.unwrap().finish().await.unwrap();
        let said = refused(&source, &other).await;
        assert!(said.contains("was moved to"), "{said}");
    }
}

#[tokio::test]
async fn a_source_of_a_newer_release_is_not_moved_in_parts() {
    for [from, to] in DIRECTIONS {
        let (source, target) = (Home::full(from).await, to());
        source.run("INSERT INTO migrations (name) VALUES ('records/0999_later')");
        let said = refused(&source, &target).await;
        assert!(said.contains("was made by a newer recordgate (it has records/0999_later)"), "{said}");
    }
}

#[tokio::test]
async fn a_half_done_target_is_no_source() {
    for [from, to] in DIRECTIONS {
        let (source, target) = (Home::full(from).await, to());
        drop(source.begun(&target).await.unwrap());
        let said = refused(&target, &Home::sqlite()).await;
        assert!(said.contains("a move into this database was not finished"), "{said}");
    }
}

#[tokio::test]
async fn a_source_that_was_moved_is_refused_until_it_is_reopened() {
    for [from, to] in DIRECTIONS {
        let (source, target) = (Home::full(from).await, to());
        source.moved(&target).await.unwrap();
        let there = target.place().to_string();
        let said = source.open().await.expect_err("moved").to_string();
        assert!(said.contains(&format!("was moved to {there}; use that one")), "{said}");
        let again = refused(&source, &Home::postgres()).await;
        assert_eq!(again, said);
        assert_eq!(refused(&source, &target).await, said, "a finished move is not begun again");
        source.reopened().await.unwrap();
        source.open().await.expect("usable again");
        let known = moving::tables().unwrap();
        assert!(known.iter().all(|table| source.count(&format!("SELECT count(*) FROM {}", table.name)) > 0));
        let nothing = source.reopened().await.expect_err("it is open").to_string();
        assert!(nothing.contains("was not moved anywhere"), "{nothing}");
    }
}
