//! A data directory that lost a part, or has one of another store: refused in words, and nothing is made anew.

use crate::home::{Home, beside, place};
use crate::shelf::reread;
use crate::world::{self, ELSEWHERE, NOW, World};
use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use store::world::{World as Declared, apply};
use store::{Error, Store, backup, checks, ledger, parts, settings};

const FILES: [&str; 3] = ["records.sqlite", "sessions.sqlite", "ledger.sqlite"];

/// A directory that was in use and is closed.
async fn closed() -> crate::home::Home {
    let World { store, home, .. } = World::new().await;
    drop(Arc::into_inner(store).expect("nobody else holds the store"));
    home
}

/// Why the directory is not opened, in words that name the file and say what to do.
async fn refusal(directory: &Path, file: &str) -> String {
    let refused = Store::open(&place(directory), 1).await;
    assert!(matches!(&refused, Err(Error::Setup(_))), "{refused:?}");
    let said = refused.expect_err("refused").to_string();
    assert!(said.contains(directory.join(file).to_str().unwrap()) && said.contains("put back the file"), "{said}");
    said
}

async fn id_of(directory: &Path) -> String {
    let store = Store::open(&place(directory), 1).await.expect("a whole store");
    settings::get(&store, "store-id").await.unwrap().expect("an id")
}

#[tokio::test]
async fn a_missing_part_is_refused_and_not_made_anew() {
    for file in FILES {
        let home = closed().await;
        std::fs::remove_file(home.path().join(file)).unwrap();
        let said = refusal(home.path(), file).await;
        assert!(said.starts_with("a part of the store is missing"), "{said}");
        assert!(!home.path().join(file).exists(), "nothing was made in its place");
    }
}

#[tokio::test]
async fn an_empty_part_is_refused_and_left_empty() {
    for file in FILES {
        let home = closed().await;
        File::create(home.path().join(file)).unwrap();
        let said = refusal(home.path(), file).await;
        assert!(said.starts_with("a part of the store is empty"), "{said}");
        assert_eq!(std::fs::metadata(home.path().join(file)).unwrap().len(), 0);
    }
}

#[tokio::test]
async fn all_files_emptied_are_no_new_store() {
    let home = closed().await;
    for file in FILES {
        File::create(home.path().join(file)).unwrap();
    }
    refusal(home.path(), FILES[0]).await;
}

#[tokio::test]
async fn a_part_of_another_store_is_refused() {
    for file in FILES {
        let (home, other) = (closed().await, closed().await);
        std::fs::copy(other.path().join(file), home.path().join(file)).unwrap();
        // Whichever was exchanged, it is the other files that do not fit the first.
        let unfit = if file == FILES[0] { FILES[1] } else { file };
        let said = refusal(home.path(), unfit).await;
        assert!(said.starts_with("a part of the store belongs to another store"), "{said}");
    }
}

#[tokio::test]
async fn what_is_no_sqlite_file_is_said_to_be_none() {
    let home = closed().await;
    std::fs::write(home.path().join(FILES[1]), [7; 8192]).unwrap();
    refusal(home.path(), FILES[1]).await;
}

#[tokio::test]
async fn a_log_without_its_file_is_a_missing_part_even_where_nothing_else_is() {
    let home = closed().await;
    for file in FILES {
        std::fs::remove_file(home.path().join(file)).unwrap();
    }
    std::fs::write(home.path().join("records.sqlite-wal"), [1; 64]).unwrap();
    refusal(home.path(), FILES[0]).await;
}

/// Writes to every file: a new team, a session, and the lines of both.
async fn writes(w: &World, teams: &[&str]) {
    for team in teams {
        let teams = vec![world::team(team, "Further", ELSEWHERE)];
        apply(&w.store, Declared { teams, ..Declared::default() }, NOW).await.unwrap();
        w.connected().await;
        ledger::add(&w.store, NOW).await.unwrap();
    }
}

const TEAMS: [&str; 2] = ["1f0c2a74-55a3-4c4e-8b1f-6f7f4c4f0a11", "1f0c2a74-55a3-4c4e-8b1f-6f7f4c4f0a12"];

/// What `verify` finds of the files.
async fn found(directory: &Path) -> Vec<String> {
    let mut faults = Vec::new();
    let mut tell = |check: &'static str, fault: &checks::Fault| {
        if check == "files" {
            faults.push(format!("{}: {}", fault.at, fault.problem));
        }
    };
    let _what_else = checks::run(&place(directory), Arc::new(reread), None, &mut tell, &mut |_, _, _| ()).await;
    faults
}

/// The other files know of writes that it has not, whichever it is; taken as it is, it is a store again.
#[tokio::test]
async fn one_file_of_an_older_backup_is_refused_until_it_is_accepted_knowingly() {
    for file in FILES {
        let w = World::new().await;
        writes(&w, &TEAMS[..1]).await;
        let copies = tempfile::tempdir().unwrap();
        let copy = copies.path().join("copy");
        backup::copy(&w.store, &copy, |_, _| {}).unwrap();
        writes(&w, &TEAMS).await;
        let World { store, home, .. } = w;
        drop(Arc::into_inner(store).expect("nobody else holds the store"));
        assert_eq!(found(home.path()).await, Vec::<String>::new());
        assert_eq!(found(&copy).await, Vec::<String>::new());
        std::fs::copy(copy.join(file), home.path().join(file)).unwrap();
        let refused = Store::open(&place(home.path()), 1).await.expect_err("refused").to_string();
        assert!(refused.starts_with("a part of the store is older than the others"), "{refused}");
        assert!(refused.contains(file) && refused.contains("recordgate accept-files"), "{refused}");
        let told = found(home.path()).await;
        assert!(told.len() == 1 && told[0].starts_with(&format!("{file}: a part of the store is older")), "{told:?}");
        let accepted = parts::accept(&place(home.path())).unwrap();
        assert_eq!(accepted.iter().map(|(name, _)| *name).collect::<Vec<_>>(), [file]);
        assert_eq!(found(home.path()).await, Vec::<String>::new());
        id_of(home.path()).await;
        assert_eq!(parts::accept(&place(home.path())).unwrap(), [], "they are of one moment now");
    }
}

/// The whole backup is a store, and goes on from there.
#[tokio::test]
async fn all_files_of_an_older_backup_are_a_store_and_count_on_from_there() {
    let w = World::new().await;
    writes(&w, &TEAMS[..1]).await;
    let copies = tempfile::tempdir().unwrap();
    let copy = copies.path().join("copy");
    backup::copy(&w.store, &copy, |_, _| {}).unwrap();
    let later = Home::new();
    std::fs::remove_dir_all(later.path()).unwrap();
    std::fs::rename(&copy, later.path()).unwrap();
    let w = World::at(later).await;
    writes(&w, &TEAMS).await;
    let w = w.reopened().await;
    writes(&w, &TEAMS).await;
    drop(w.reopened().await);
}

#[tokio::test]
async fn a_log_that_is_removed_after_a_kill_is_missed() {
    let w = World::new().await.reopened().await;
    writes(&w, &TEAMS).await;
    for file in FILES {
        let directory = crashed(w.home.path());
        id_of(directory.path()).await;
        let directory = crashed(w.home.path());
        std::fs::remove_file(directory.path().join(format!("{file}-wal"))).unwrap();
        let _not_copied = std::fs::remove_file(directory.path().join(format!("{file}-shm")));
        let refused = Store::open(&place(directory.path()), 1).await.expect_err("refused").to_string();
        assert!(
            refused.contains("is older than the others") && refused.contains(&format!("({file}-wal) is gone")),
            "{refused}"
        );
    }
}

/// A copy of a directory as a crash would leave it: taken while the store is open, logs and all.
fn crashed(from: &Path) -> tempfile::TempDir {
    let to = tempfile::tempdir().unwrap();
    for entry in std::fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        std::fs::copy(entry.path(), to.path().join(entry.file_name())).unwrap();
    }
    to
}

#[tokio::test]
async fn a_backup_that_is_put_beside_the_log_of_what_it_replaces_is_refused_until_the_log_is_moved_away() {
    let w = World::new().await;
    let copies = tempfile::tempdir().unwrap();
    backup::copy(&w.store, &copies.path().join("copy"), |_, _| {}).unwrap();
    w.connected().await;
    let directory = crashed(w.home.path());
    for file in FILES {
        std::fs::copy(copies.path().join("copy").join(file), directory.path().join(file)).unwrap();
    }
    let before = std::fs::read(directory.path().join(FILES[0])).unwrap();
    let said = refusal(directory.path(), "records.sqlite-wal").await;
    assert!(said.starts_with("a log was left beside a file"), "{said}");
    assert_eq!(std::fs::read(directory.path().join(FILES[0])).unwrap(), before, "the log was not put into the file");
    for file in FILES {
        let _was_there = std::fs::remove_file(directory.path().join(format!("{file}-wal")));
        let _was_there = std::fs::remove_file(directory.path().join(format!("{file}-shm")));
    }
    id_of(directory.path()).await;
}

#[tokio::test]
async fn a_file_of_another_store_beside_a_log_with_an_id_of_its_own_is_refused() {
    let (w, other) = (World::new().await, closed().await);
    w.connected().await;
    // So that the log has the page with the id.
    let again = "BEGIN; CREATE TEMP TABLE kept AS SELECT name FROM sessions_file.migrations;
        DELETE FROM sessions_file.migrations; INSERT INTO sessions_file.migrations SELECT name FROM kept; COMMIT";
    beside(w.home.path()).execute_batch(again).unwrap();
    let directory = crashed(w.home.path());
    std::fs::copy(other.path().join(FILES[1]), directory.path().join(FILES[1])).unwrap();
    let said = refusal(directory.path(), FILES[1]).await;
    assert!(said.starts_with("a log was left beside a file"), "{said}");
}

#[tokio::test]
async fn a_crash_leaves_a_store_that_opens_with_the_id_it_had() {
    let w = World::new().await;
    w.connected().await;
    let id = settings::get(&w.store, "store-id").await.unwrap().expect("an id");
    assert_eq!(id_of(crashed(w.home.path()).path()).await, id);
}

#[tokio::test]
async fn a_backup_has_the_id_of_its_store_and_each_store_has_its_own() {
    let w = World::new().await;
    let id = settings::get(&w.store, "store-id").await.unwrap().expect("an id");
    assert!(id.len() == 32 && id.bytes().all(|byte| byte.is_ascii_hexdigit()), "{id}");
    let copies = tempfile::tempdir().unwrap();
    backup::copy(&w.store, &copies.path().join("copy"), |_, _| {}).unwrap();
    assert_eq!(id_of(&copies.path().join("copy")).await, id);
    assert_ne!(id_of(closed().await.path()).await, id);
}

/// As a release left it that gave no ids, and had no file for the ledger.
fn without_ids(directory: &Path) {
    let all = beside(directory);
    all.execute_batch(
        "DELETE FROM settings WHERE name = 'store-id'; DELETE FROM main.migrations WHERE name LIKE 'store/%';
         DELETE FROM sessions_file.migrations WHERE name LIKE 'store/%';
         DROP TABLE main.epochs; DROP TABLE sessions_file.epochs;",
    )
    .unwrap();
    drop(all);
    std::fs::remove_file(directory.join(FILES[2])).unwrap();
}

#[tokio::test]
async fn a_store_of_a_release_without_ids_gets_one_at_its_first_start_and_must_be_whole_even_then() {
    let home = closed().await;
    without_ids(home.path());
    std::fs::rename(home.path().join(FILES[1]), home.path().join("aside")).unwrap();
    refusal(home.path(), FILES[1]).await;
    std::fs::rename(home.path().join("aside"), home.path().join(FILES[1])).unwrap();
    let id = id_of(home.path()).await;
    assert_eq!(id_of(home.path()).await, id, "it keeps it");
    std::fs::remove_file(home.path().join(FILES[1])).unwrap();
    refusal(home.path(), FILES[1]).await;
}

#[tokio::test]
async fn giving_ids_goes_on_where_a_crash_left_it() {
    let home = closed().await;
    without_ids(home.path());
    // The first file had its id, the other not yet.
    let first = rusqlite::Connection::open(home.path().join(FILES[0])).unwrap();
    first.execute("INSERT INTO settings VALUES ('store-id', 'cafe')", []).unwrap();
    drop(first);
    assert_eq!(id_of(home.path()).await, "cafe");
    // The other had it too, and the first did not know yet.
    beside(home.path()).execute("DELETE FROM main.migrations WHERE name LIKE 'store/%'", []).unwrap();
    assert_eq!(id_of(home.path()).await, "cafe");
}

#[tokio::test]
async fn a_first_start_that_was_cut_short_is_gone_on_with() {
    let directory = tempfile::tempdir().unwrap();
    std::fs::write(directory.path().join("records.sqlite.new"), "half a file").unwrap();
    let begun = rusqlite::Connection::open(directory.path().join(FILES[0])).unwrap();
    begun
        .execute_batch("CREATE TABLE migrations (name TEXT PRIMARY KEY); INSERT INTO migrations VALUES ('store/begun')")
        .unwrap();
    drop(begun);
    File::create(directory.path().join(FILES[1])).unwrap();
    let id = id_of(directory.path()).await;
    assert_eq!(id_of(directory.path()).await, id);
    std::fs::remove_file(directory.path().join(FILES[1])).unwrap();
    refusal(directory.path(), FILES[1]).await;
}

#[tokio::test]
async fn a_directory_stays_in_use_when_its_lock_file_is_deleted_and_a_release_that_locks_that_file_is_heard() {
    let w = World::new().await;
    std::fs::remove_file(w.home.path().join("lock")).unwrap();
    let second = Store::open(&place(w.home.path()), 2).await;
    assert!(matches!(&second, Err(Error::InUse(_))), "{second:?}");
    let free = closed().await;
    let earlier = File::options().write(true).open(free.path().join("lock")).unwrap();
    earlier.try_lock().unwrap();
    let second = Store::open(&place(free.path()), 2).await;
    assert!(matches!(&second, Err(Error::InUse(_))), "{second:?}");
}
