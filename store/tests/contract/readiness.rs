//! A store that cannot keep what it is given says so, refuses it, and takes it again when it can.

use crate::child;
use crate::grant::{Grant, generation};
use crate::home::{self, Home, place};
use crate::world::{NOW, TERMS, World, registered};
use rules::lifecycle::Ruling;
use std::path::Path;
use std::sync::Arc;
use store::{Error, Obstacle, Store, opening, sessions, settings};

const FILES: [&str; 4] = ["records.sqlite", "records.sqlite-wal", "sessions.sqlite", "sessions.sqlite-wal"];

/// A refresh that may meet trouble.
async fn try_refresh(granted: &Grant, generation: i64) -> store::Result<Ruling> {
    let token = granted.refresh_token(generation);
    let outcome = sessions::refresh(&granted.store, registered(granted.client, TERMS), token, None, NOW).await?;
    Ok(outcome.expect("a genuine token").ruling)
}

/// Another file of the same name and content.
fn replace(path: &Path) {
    let content = std::fs::read(path).unwrap();
    std::fs::remove_file(path).unwrap();
    std::fs::write(path, content).unwrap();
}

#[tokio::test]
async fn a_file_that_is_deleted_or_replaced_while_running_is_named_and_nothing_more_is_acknowledged() {
    let ways: [fn(&Path); 2] = [|path| std::fs::remove_file(path).unwrap(), replace];
    for (file, way) in FILES.into_iter().flat_map(|file| ways.map(|way| (file, way))) {
        let w = World::new().await;
        let granted = w.connected().await;
        assert_eq!(w.store.obstacle(), None);
        way(&w.home.path().join(file));
        assert_eq!(w.store.obstacle(), Some(Obstacle::FilesGone(file.into())));
        let refused = try_refresh(&granted, 1).await.expect_err("nothing would be kept");
        assert!(matches!(refused.kind(), Error::NotReady(Obstacle::FilesGone(gone)) if gone == file), "{refused}");
        assert!(refused.is_passing() && refused.to_string().contains(file), "{refused}");
        assert_eq!(granted.bearer().await.session.generation, 1, "what is there can be read");
    }
}

#[tokio::test]
async fn a_write_looks_for_the_files_itself_when_nobody_has_for_a_while() {
    let w = World::new().await;
    let granted = w.connected().await;
    std::fs::remove_file(w.home.path().join("sessions.sqlite")).unwrap();
    // Nobody has asked for the store's condition. What the writer has looked at within a tenth of a second it believes.
    let mut generation_before = 1;
    let refused = loop {
        match try_refresh(&granted, generation_before).await {
            Ok(ruling) => generation_before = generation(ruling),
            Err(error) => break error,
        }
    };
    assert!(refused.is_passing(), "{refused}");
    let next = try_refresh(&granted, generation_before).await.expect_err("still gone").to_string();
    assert!(next.contains("sessions.sqlite is gone"), "{next}");
}

#[tokio::test]
async fn a_file_that_is_put_back_is_written_to_again() {
    let w = World::new().await;
    let granted = w.connected().await;
    let (file, aside) = (w.home.path().join("records.sqlite"), w.home.path().join("aside"));
    std::fs::rename(&file, &aside).unwrap();
    assert!(w.store.obstacle().is_some() && try_refresh(&granted, 1).await.is_err());
    std::fs::rename(&aside, &file).unwrap();
    assert_eq!(generation(granted.refresh(1).await), 2);
    assert_eq!(w.store.obstacle(), None);
}

#[tokio::test]
async fn where_little_space_is_left_nothing_new_is_begun_and_what_is_there_goes_on() {
    let w = World::new().await;
    let granted = w.connected().await;
    w.store.keep_free(u64::MAX);
    let narrow = w.store.obstacle().expect("less is free");
    assert!(matches!(narrow, Obstacle::NoSpace { .. }) && narrow.to_string().starts_with("no space left"), "{narrow}");
    let refused = opening::open(&w.store, w.bare_approval(), NOW).await.expect_err("no new grant");
    assert!(matches!(refused.kind(), Error::NotReady(Obstacle::NoSpace { .. })), "{refused}");
    assert_eq!(generation(granted.refresh(1).await), 2);
    assert!(granted.revoke().await, "a revocation is taken");
    w.store.keep_free(0);
    assert_eq!(w.store.obstacle(), None);
    assert!(opening::open(&w.store, w.bare_approval(), NOW).await.unwrap().is_some());
}

/// Files may not grow beyond this many blocks of 512 bytes.
const LIMIT: &str = "trap '' XFSZ; ulimit -f 8000;";

#[test]
fn a_store_whose_last_commit_failed_says_so_until_one_succeeds() {
    let directory = tempfile::tempdir().unwrap();
    let output = child::with_limits(LIMIT, "readiness::fills_its_disk", directory.path()).output().expect("the child");
    assert!(output.status.success(), "the child fell: {}", String::from_utf8_lossy(&output.stdout));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the child process of the test above"]
async fn fills_its_disk() {
    let w = Arc::new(World::at(Home::Given(child::directory())).await);
    let mut times = 0;
    while settings::set(&w.store, "often", format!("{times}")).await.is_ok() {
        times += 1;
    }
    // The verdict is a probe's, which the writer makes in its turn.
    let failed = loop {
        if let Some(failed) = w.store.obstacle() {
            break failed;
        }
        tokio::task::yield_now().await;
    };
    assert!(matches!(&failed, Obstacle::CommitFailed(why) if why.contains("the disk")), "{failed}");
    let refused = settings::set(&w.store, "short", "x".into()).await.expect_err("refused at the door");
    assert!(matches!(refused.kind(), Error::NotReady(Obstacle::CommitFailed(_))), "{refused}");
    // Room again: the log is emptied behind the store's back.
    let emptied = "PRAGMA main.wal_checkpoint(TRUNCATE); PRAGMA sessions_file.wal_checkpoint(TRUNCATE)";
    home::beside(w.home.path()).execute_batch(emptied).unwrap();
    while w.store.obstacle().is_some() {
        w.store.probe().await;
        tokio::task::yield_now().await;
    }
    settings::set(&w.store, "short", "x".into()).await.expect("taken again");
}

#[test]
fn a_start_on_a_full_disk_says_that_the_disk_is_full() {
    for (test, limit) in [("new", "trap '' XFSZ; ulimit -f 0;"), ("used", "trap '' XFSZ; ulimit -f 0;")] {
        let directory = tempfile::tempdir().unwrap();
        if test == "used" {
            let made = child::running("readiness::makes_a_store", directory.path()).output().unwrap();
            assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stdout));
        }
        let output = child::with_limits(limit, "readiness::starts", directory.path()).output().expect("the child");
        assert!(output.status.success(), "{test}: {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[tokio::test]
#[ignore = "a child process of the test above"]
async fn makes_a_store() {
    World::at(Home::Given(child::directory())).await;
}

#[tokio::test]
#[ignore = "a child process of the test above"]
async fn starts() {
    let refused = Store::open(&place(&child::directory()), 1).await;
    assert!(matches!(&refused, Err(Error::Setup(_))), "{refused:?}");
    let said = refused.expect_err("a full disk").to_string();
    assert!(said.starts_with("the disk that holds the data is full") && said.contains("make room"), "{said}");
}
