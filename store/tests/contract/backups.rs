//! Backup of a live store: whole or none, of one moment, and with everything acknowledged before it began.

use crate::child;
use crate::grant::{Grant, generation};
use crate::home::{Home, count, place};
use crate::months::{closed, told, within};
use crate::world::{NOW, World, noted};
use rules::ids::{RowId, SessionId};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use store::documents::receipts;
use store::ledger::Event;
use store::opening::{self, Opening};
use store::{Error, Store, backup, bearer, ledger};

/// What was acknowledged so far: each session's generation.
type Acknowledged = Arc<Mutex<HashMap<SessionId, i64>>>;

/// Writes to both files, round after round, each time the sessions file first.
async fn write_until_told(w: Arc<World>, ended: Arc<AtomicBool>, acknowledged: Acknowledged) {
    let (granted, patient): (Grant, _) = (w.connected().await, w.patient("amina").await);
    for before in 1.. {
        if ended.load(Ordering::SeqCst) {
            break;
        }
        let now = generation(granted.refresh(before).await);
        acknowledged.lock().unwrap().insert(granted.id, now);
        if before % 3 == 0 {
            ledger::add(&w.store, NOW).await.unwrap();
        }
        // A receipt and its line in the ledger: one transaction.
        receipts::note_opened(&w.store, RowId(granted.id.0 + before), patient, NOW).await.unwrap();
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_backup_beside_busy_writers_has_all_that_was_acknowledged_and_its_files_agree() {
    let w = Arc::new(World::new().await);
    let (ended, acknowledged) = (Arc::new(AtomicBool::new(false)), Acknowledged::default());
    let writers: Vec<_> =
        (0..16).map(|_| tokio::spawn(write_until_told(w.clone(), ended.clone(), acknowledged.clone()))).collect();
    let mut kept = Vec::new();
    for n in 0..3 {
        while acknowledged.lock().unwrap().values().filter(|generation| **generation > 5 + n).count() < 16 {
            tokio::task::yield_now().await;
        }
        let before = acknowledged.lock().unwrap().clone();
        let target = tempfile::tempdir().unwrap();
        let copying = w.clone();
        let path = target.path().join("copy");
        let copied = tokio::task::spawn_blocking(move || backup::copy(&copying.store, &path, |_, _| {})).await;
        copied.unwrap().expect("a backup");
        kept.push((before, target));
    }
    ended.store(true, Ordering::SeqCst);
    for writer in writers {
        writer.await.expect("a writer");
    }
    for (before, target) in kept {
        let copy = target.path().join("copy");
        let store = Store::open(&place(&copy), 1).await.expect("the copy opens");
        assert_eq!(before.len(), 16);
        for (id, generation) in before {
            let found = bearer::find(&store, id).await.unwrap().expect("an acknowledged session");
            assert!(found.session.generation >= generation, "an acknowledged refresh is not in the backup");
        }
        let receipts = usize::try_from(count(&copy, "SELECT count(*) FROM read_receipts")).unwrap();
        assert_eq!(receipts, noted(&store, Event::DocumentRead).await);
        assert!(receipts > 0);
    }
}

#[tokio::test]
async fn a_backup_stands_by_itself_and_is_nobody_elses_to_read() {
    use std::os::unix::fs::PermissionsExt;
    let w = World::new().await;
    let granted = w.connected().await;
    let target = tempfile::tempdir().unwrap();
    let copy = target.path().join("deeper/copy");
    backup::copy(&w.store, &copy, |_, _| {}).expect("a backup");
    let mut names: Vec<_> = std::fs::read_dir(&copy).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["ledger.sqlite", "records.sqlite", "sessions.sqlite"]);
    assert_eq!(std::fs::metadata(&copy).unwrap().permissions().mode() & 0o777, 0o700);
    let store = Store::open(&place(&copy), 1).await.expect("the copy opens beside the original");
    assert!(bearer::find(&store, granted.id).await.unwrap().is_some());
}

#[tokio::test]
async fn a_target_that_is_there_is_refused_and_left_alone() {
    let w = World::new().await;
    let target = tempfile::tempdir().unwrap();
    let refused = backup::copy(&w.store, target.path(), |_, _| {});
    assert!(matches!(&refused, Err(Error::Setup(_))), "{refused:?}");
    let said = refused.expect_err("it is there").to_string();
    assert!(said.contains(target.path().to_str().unwrap()) && said.contains("new directory"), "{said}");
    assert_eq!(std::fs::read_dir(target.path()).unwrap().count(), 0);
}

#[tokio::test]
async fn a_token_newer_than_a_restored_backup_revokes_its_session() {
    use rules::lifecycle::{Revoked, Ruling};
    let w = World::new().await;
    let granted = w.connected().await;
    let target = tempfile::tempdir().unwrap();
    let copy = target.path().join("copy");
    backup::copy(&w.store, &copy, |_, _| {}).expect("a backup");
    assert_eq!(generation(granted.refresh(1).await), 2);
    let restored = Grant { store: Arc::new(Store::open(&place(&copy), 1).await.unwrap()), ..granted };
    assert_eq!(restored.refresh(2).await, Ruling::Revoke(Revoked::TokenFromTheFuture));
    assert_eq!(restored.bearer().await.session.revoked_at, Some(NOW));
}

/// A closed store with sessions of some megabytes.
async fn large_store(directory: &Path) {
    large_sessions(&World::at(Home::Given(directory.into())).await).await;
}

async fn large_sessions(w: &World) {
    let long = || Opening { scope_spelt: Some("PATIENT".repeat(200)), ..w.bare_approval() };
    opening::open_many(&w.store, (0..3000).map(|_| long()).collect(), NOW).await.unwrap();
}

fn entries(directory: &Path) -> Vec<PathBuf> {
    std::fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().path()).collect()
}

#[tokio::test]
async fn what_a_killed_backup_leaves_is_refused_by_any_name_and_removed_by_the_next() {
    let home = tempfile::tempdir().unwrap();
    let (data, kept) = (home.path().join("data"), home.path().join("kept"));
    large_store(&data).await;
    let mut child = child::running("backups::backs_up_until_it_falls", home.path());
    assert!(!child.output().unwrap().status.success(), "it was to fall in the middle");
    assert!(!kept.join("copy").exists(), "no backup is there before it is whole");
    let [leftover] = entries(&kept).try_into().expect("one leftover");
    let said = Store::open(&place(&leftover), 1).await.expect_err("an unfinished backup").to_string();
    assert!(said.contains("did not finish") && said.contains(leftover.to_str().unwrap()), "{said}");
    let renamed = kept.join("looks-like-a-backup");
    std::fs::rename(&leftover, &renamed).unwrap();
    let said = Store::open(&place(&renamed), 1).await.expect_err("still the same").to_string();
    assert!(said.contains("did not finish"), "{said}");
    std::fs::rename(&renamed, &leftover).unwrap();
    let store = Store::open(&place(&data), 1).await.unwrap();
    backup::copy(&store, &kept.join("another"), |_, _| {}).expect("a backup");
    assert_eq!(entries(&kept), [kept.join("another")]);
    assert_eq!(count(&kept.join("another"), "SELECT count(*) FROM sessions"), 3000);
}

#[tokio::test]
#[ignore = "the child process of the test above, which it has fall in the middle of a backup"]
async fn backs_up_until_it_falls() {
    let home = child::directory();
    let store = Store::open(&place(&home.join("data")), 1).await.unwrap();
    let _never_done = backup::copy(&store, &home.join("kept/copy"), |_, _| std::process::abort());
}

#[tokio::test]
async fn a_backup_that_finds_no_room_says_so_and_leaves_nothing() {
    let home = tempfile::tempdir().unwrap();
    large_store(&home.path().join("data")).await;
    // Files may not grow beyond so many blocks of 512 bytes, which is less than the sessions have.
    let limit = "trap '' XFSZ; ulimit -f 4000;";
    let mut child = child::with_limits(limit, "backups::backs_up_where_there_is_no_room", home.path());
    let output = child.output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
    assert_eq!(entries(&home.path().join("kept")), Vec::<PathBuf>::new());
}

#[tokio::test]
#[ignore = "the child process of the test above, which bounds its files"]
async fn backs_up_where_there_is_no_room() {
    let home = child::directory();
    let store = Store::open(&place(&home.join("data")), 1).await.unwrap();
    let said = backup::copy(&store, &home.join("kept/copy"), |_, _| {}).expect_err("no room").to_string();
    assert!(said.contains("no backup was made in") && said.contains("kept/copy"), "{said}");
}

#[tokio::test]
async fn two_backups_into_one_directory_at_once_are_one_backup() {
    let w = World::new().await;
    let kept = tempfile::tempdir().unwrap();
    let (first, other) = (kept.path().join("copy"), kept.path().join("other"));
    let mut heard = Vec::new();
    large_sessions(&w).await;
    backup::copy(&w.store, &first, |_, _| {
        if heard.is_empty() {
            heard.push(backup::copy(&w.store, &first, |_, _| {}));
            heard.push(backup::copy(&w.store, &other, |_, _| {}));
        }
    })
    .expect("a backup");
    let [same, beside] = heard.try_into().expect("it had pages to copy");
    assert!(matches!(same, Err(Error::InUse(_))), "{same:?}");
    beside.expect("a backup beside it, which leaves the unfinished one alone");
    assert_eq!(count(&first, "SELECT count(*) FROM sessions"), count(&other, "SELECT count(*) FROM sessions"));
}

#[tokio::test]
async fn a_damaged_store_gives_no_backup() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    large_store(&data).await;
    crate::damaged_files::overwrite(&data.join("sessions.sqlite"), 200_000);
    let store = Store::open(&place(&data), 1).await.expect("what is damaged is not read at the start");
    let target = home.path().join("copy");
    let said = backup::copy(&store, &target, |_, _| {}).expect_err("it is not whole").to_string();
    assert!(said.contains("no backup was made") && said.contains("sessions.sqlite"), "{said}");
    assert_eq!(entries(home.path()), [data]);
}

#[tokio::test]
async fn a_backup_has_the_roots_of_the_months_that_were_closed() {
    let w = closed(&["2027-01", "2027-02"], within("2027-03")).await;
    let target = tempfile::tempdir().unwrap();
    let path = target.path().join("copy");
    backup::copy(&w.store, &path, |_, _| {}).unwrap();
    let copy = Store::open(&place(&path), 1).await.unwrap();
    assert_eq!(ledger::roots(&copy).await.unwrap(), ledger::roots(&w.store).await.unwrap());
    assert_eq!(told(&copy).await, [""; 0]);
}
