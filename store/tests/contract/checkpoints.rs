//! Checkpoints: the logs stay short, nobody waits for them, and nothing is lost.

use crate::grant::fresh_salt;
use crate::home;
use crate::world::{NOW, World};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use store::grants::Whose;
use store::opening::{self, Opening};

/// Far longer than anyone should wait, far shorter than the five seconds after which SQLite itself gives up.
const TOO_LONG: Duration = Duration::from_secs(2);
const MEGABYTE: u64 = 1024 * 1024;
/// A log is due at a quarter of this, and one that starts over is cut to it.
const LONGEST_LOG: u64 = 64 * MEGABYTE;
const WRITTEN: u64 = 96 * MEGABYTE;

fn log_bytes(directory: &Path, file: &str) -> u64 {
    std::fs::metadata(directory.join(format!("{file}-wal"))).map_or(0, |about| about.len())
}

fn file_bytes(w: &World, file: &str) -> u64 {
    std::fs::metadata(w.home.path().join(file)).unwrap().len()
}

/// Opens sessions until the file itself is so long. All of it came through the log, and only a checkpoint moves it.
async fn write_until(w: &World, bytes: u64) -> i64 {
    let mut opened = 0;
    let deadline = Instant::now() + Duration::from_secs(120);
    while file_bytes(w, "sessions.sqlite") < bytes {
        assert!(Instant::now() < deadline, "the sessions file does not grow: nothing is checkpointed");
        opened += write_once(w, 40).await;
    }
    opened
}

/// Opens sessions with long rows.
async fn write_once(w: &World, sessions: usize) -> i64 {
    let long = || Opening { salt: fresh_salt(), scope_spelt: Some("PATIENT".repeat(400)), ..w.bare_approval() };
    let openings = (0..sessions).map(|_| long()).collect();
    let begun = Instant::now();
    let opened = opening::open_many(&w.store, openings, NOW).await.unwrap();
    assert!(begun.elapsed() < TOO_LONG, "a writer waited {:?}", begun.elapsed());
    i64::try_from(opened.len()).unwrap()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn under_thousands_of_commits_the_logs_stay_short_and_nobody_waits_and_nothing_is_lost() {
    let w = Arc::new(World::new().await);
    let granted = w.opened(w.team_grant().await).await;
    let ended = Arc::new(AtomicBool::new(false));
    let readers: Vec<_> = (0..3)
        .map(|_| {
            let (w, ended, id) = (w.clone(), ended.clone(), granted.id);
            tokio::spawn(async move {
                let mut reads = 0_u64;
                while !ended.load(Ordering::SeqCst) {
                    let begun = Instant::now();
                    let of_cora = store::grants::list(&w.store, &Whose::Teams(vec![w.north]), NOW).await.unwrap();
                    assert_eq!(of_cora.iter().map(|grant| grant.id).collect::<Vec<_>>(), [id]);
                    assert!(begun.elapsed() < TOO_LONG, "a reader waited {:?}", begun.elapsed());
                    reads += 1;
                    tokio::task::yield_now().await;
                }
                reads
            })
        })
        .collect();
    let writers: Vec<_> = (0..16)
        .map(|_| {
            let w = w.clone();
            tokio::spawn(async move {
                let granted = w.connected().await;
                for before in 1..=250 {
                    granted.refresh(before).await;
                }
                granted.id
            })
        })
        .collect();
    let opened = write_until(&w, WRITTEN).await;
    let mut refreshed = Vec::new();
    for writer in writers {
        refreshed.push(writer.await.expect("a writer"));
    }
    ended.store(true, Ordering::SeqCst);
    for reader in readers {
        assert!(reader.await.expect("a reader") > 0);
    }
    for file in ["records.sqlite", "sessions.sqlite"] {
        let bytes = log_bytes(w.home.path(), file);
        assert!(bytes <= LONGEST_LOG, "the log of {file} is {bytes} bytes long");
    }
    drop(granted);
    let w = Arc::into_inner(w).expect("nobody else holds the world").reopened().await;
    assert_eq!(w.count("SELECT count(*) FROM sessions"), opened + 17);
    for id in refreshed {
        let found = store::bearer::find(&w.store, id).await.unwrap().expect("a refreshed session");
        assert_eq!(found.session.generation, 251);
    }
}

#[tokio::test]
async fn a_reader_that_stays_long_makes_no_writer_wait_and_the_log_is_short_again_after_it() {
    let w = World::new().await;
    let reader = home::beside(w.home.path());
    reader.execute_batch("BEGIN; SELECT count(*) FROM sessions_file.sessions;").unwrap();
    let mut written = 0;
    while log_bytes(w.home.path(), "sessions.sqlite") < LONGEST_LOG + 16 * MEGABYTE {
        written += write_once(&w, 40).await;
    }
    reader.execute_batch("COMMIT").unwrap();
    let deadline = Instant::now() + Duration::from_secs(60);
    while log_bytes(w.home.path(), "sessions.sqlite") > LONGEST_LOG {
        assert!(Instant::now() < deadline, "the log stays long");
        written += write_once(&w, 1).await;
    }
    let w = w.reopened().await;
    assert_eq!(w.count("SELECT count(*) FROM sessions"), written);
}

#[tokio::test]
async fn the_log_of_the_records_is_kept_short_too() {
    let w = World::new().await;
    let deadline = Instant::now() + Duration::from_secs(60);
    for n in 0.. {
        if file_bytes(&w, "records.sqlite") > WRITTEN {
            break;
        }
        assert!(Instant::now() < deadline, "the records file does not grow: nothing is checkpointed");
        let value = "x".repeat(200_000);
        let name: &'static str = format!("setting {n}").leak();
        store::settings::set(&w.store, name, value).await.unwrap();
    }
    assert!(log_bytes(w.home.path(), "records.sqlite") <= LONGEST_LOG);
}
