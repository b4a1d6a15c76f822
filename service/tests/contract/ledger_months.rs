//! Months of the ledger while the service runs: closed when they are over, dropped when the operator does not want to keep
//! them, by a clock that is believed, and vouched for by the key ring.

use crate::kit::{DAY, World};
use service::app::sweeper::Sweeper;
use service::app::{access_writer, key_ring, months};
use store::ledger::{self, Evidence, Month, MonthRoot, Notary, Retention};

const MONTH: i64 = 31 * DAY;

/// What is wrong with the ledger, as the holder of this ring sees it.
async fn told(w: &World, notary: &dyn Notary) -> Vec<(String, String)> {
    let evidence = Evidence { notary: Some(notary), ..Evidence::default() };
    ledger::verify(&w.app.store, &evidence, |_, _| ()).await.unwrap().words()
}

/// Adds what waits and closes what is over, as the service does every second.
async fn second_passes(w: &World) -> Vec<MonthRoot> {
    access_writer::flush(&w.app).await;
    months::close(&w.app, &mut None).await.unwrap();
    ledger::roots(&w.app.store).await.unwrap()
}

fn names(roots: &[MonthRoot]) -> Vec<String> {
    roots.iter().map(|root| root.month.to_string()).collect()
}

// gaps: Operation > Months of the ledger
#[tokio::test]
async fn a_month_that_is_over_is_closed_under_the_seal_of_the_key_ring() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    let began = Month::of(w.now());
    assert!(second_passes(&w).await.is_empty());
    w.after(MONTH);
    let closed = second_passes(&w).await;
    assert_eq!(names(&closed), [began.to_string()]);
    assert_eq!(Some(&closed[0].seal.key), w.app.keys.ids().last());
    assert_eq!(told(&w, &w.app.keys).await, []);
}

#[tokio::test]
async fn a_root_is_good_after_a_rotation_and_after_its_key_was_retired() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    second_passes(&w).await;
    w.after(MONTH);
    let first = second_passes(&w).await.remove(0).seal.key;
    key_ring::rotate(&w.app.store, &w.app.keys, w.now()).await.unwrap();
    assert_eq!(told(&w, &w.app.keys).await, []);
    key_ring::retire(&w.app.store, &w.app.keys, &first, w.now()).await.unwrap();
    assert_eq!(told(&w, &w.app.keys).await, []);
    assert_ne!(second_passes(&w).await[0].seal.key, first, "the key that seals vouches for it");
}

#[tokio::test]
async fn a_ring_that_replaces_a_lost_one_vouches_for_what_it_finds() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    second_passes(&w).await;
    w.after(MONTH);
    second_passes(&w).await;
    std::fs::remove_file(w.app.keys.path()).unwrap();
    key_ring::adopt(&w.app.store, &w.app.keys, w.now()).await.unwrap();
    assert_eq!(told(&w, &w.app.keys).await, []);
}

// gaps: Operation > Clocks that leap
#[tokio::test]
async fn a_clock_far_ahead_closes_no_month_and_puts_no_line_into_a_later_one_until_it_has_held_for_an_hour() {
    let w = World::new().await;
    w.amina().approves("Sleep Diary").await;
    let present = Month::of(w.now());
    second_passes(&w).await;
    let mut sweeper = Sweeper::begin(w.app.clone()).await;
    sweeper.sweep().await.unwrap();
    w.app.clock.jump_seconds(20 * MONTH);
    w.amina().approves("Evergreen").await;
    assert!(second_passes(&w).await.is_empty());
    w.app.clock.jump_seconds(-20 * MONTH);
    w.after(MONTH);
    assert_eq!(names(&second_passes(&w).await), [present.to_string()], "as if nothing had been");

    sweeper.sweep().await.unwrap();
    w.app.clock.jump_seconds(2 * MONTH);
    sweeper.sweep().await.unwrap();
    assert_eq!(second_passes(&w).await.len(), 1);
    w.after(3600);
    assert_eq!(second_passes(&w).await.len(), 3, "it has held");
}

/// A world of which three months are closed, the first of them with lines, and whose operator keeps a year.
async fn after_three_months() -> (World, tempfile::TempDir) {
    let archive = tempfile::tempdir().unwrap();
    let directory = archive.path().to_path_buf();
    let w = World::with(|settings| {
        settings.retention = Some(Retention { months: 12, archive: Some(directory), by: "ledger_months = 12".into() });
    })
    .await;
    w.amina().approves("Sleep Diary").await;
    second_passes(&w).await;
    w.after(3 * MONTH);
    w.amina().approves("Evergreen").await;
    second_passes(&w).await;
    (w, archive)
}

async fn sweep(sweeper: &mut Sweeper) {
    sweeper.sweep().await.unwrap();
    while sweeper.expire().await.unwrap() {}
}

// gaps: Operation > How long the ledger is kept
#[tokio::test]
async fn months_beyond_those_that_the_operator_keeps_are_archived_and_dropped() {
    let (w, archive) = after_three_months().await;
    let mut sweeper = Sweeper::begin(w.app.clone()).await;
    sweep(&mut sweeper).await;
    assert!(ledger::roots(&w.app.store).await.unwrap().iter().all(|root| root.removal.is_none()), "none is so old");
    w.after(10 * MONTH + 5 * DAY);
    let roots = second_passes(&w).await;
    sweep(&mut sweeper).await;
    let dropped: Vec<MonthRoot> =
        ledger::roots(&w.app.store).await.unwrap().into_iter().filter(|root| root.removal.is_some()).collect();
    assert_eq!(names(&dropped), [roots[0].month.to_string()]);
    assert_eq!(dropped[0].removal.as_ref().unwrap().by, "ledger_months = 12");
    let file = archive.path().join(format!("ledger-{}.sqlite", roots[0].month));
    assert!(ledger::examine(&file, Some(&w.app.keys)).unwrap().is_whole());
    assert_eq!(told(&w, &w.app.keys).await, []);
}

#[tokio::test]
async fn a_clock_far_ahead_drops_no_month_until_it_has_held_for_an_hour() {
    let (w, _archive) = after_three_months().await;
    let mut sweeper = Sweeper::begin(w.app.clone()).await;
    sweep(&mut sweeper).await;
    let dropped = async || {
        let roots = ledger::roots(&w.app.store).await.unwrap();
        roots.iter().filter(|root| root.removal.is_some()).count()
    };
    w.app.clock.jump_seconds(400 * DAY);
    second_passes(&w).await;
    sweep(&mut sweeper).await;
    assert_eq!(dropped().await, 0);
    w.after(3600);
    second_passes(&w).await;
    sweep(&mut sweeper).await;
    assert!(dropped().await > 0, "it has held");
    assert_eq!(told(&w, &w.app.keys).await, []);
}
