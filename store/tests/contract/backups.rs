//! Backup of a live store: whole, of one moment, and with everything acknowledged before it began.

use crate::grant::{Grant, generation};
use crate::home::{count, place};
use crate::world::{NOW, World, noted};
use rules::ids::{RowId, SessionId};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use store::ledger::Event;
use store::{Error, Store, backup, bearer, documents, ledger};

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
        documents::note_opened(&w.store, RowId(granted.id.0 + before), patient, NOW).await.unwrap();
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
