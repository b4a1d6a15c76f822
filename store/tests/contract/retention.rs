//! Months that are older than somebody wants to keep are dropped: closed ones, the oldest first, archived before if they are
//! to be; and what is left is still proven.

use crate::months::{FIRST, closed, month, told, within};
use crate::notary::Clerk;
use crate::world::World;
use rules::moment::Moment;
use std::path::{Path, PathBuf};
use store::ledger::{self, Event, Evidence, KeptMonth, LedgerPosition, Month, Retention, RetentionStep, Root};

const YEAR: [&str; 4] = ["2026-01", "2026-02", "2026-04", "2027-03"];

fn keep(months: u32, archive: Option<&Path>) -> Retention {
    Retention { months, archive: archive.map(Path::to_path_buf), by: format!("ledger_months = {months}") }
}

/// Takes steps until there is nothing to do; gives the months that were dropped.
async fn expire(w: &World, retention: &Retention, now: Moment) -> store::Result<Vec<Month>> {
    let mut dropped = Vec::new();
    for _ in 0..1000 {
        match ledger::expire(&w.store, Some(retention), now, &Clerk::shared()).await? {
            RetentionStep::Done => return Ok(dropped),
            RetentionStep::Piece => {}
            RetentionStep::Dropped(month) => dropped.push(month),
        }
    }
    panic!("it never ends");
}

async fn drop_some(w: &World) -> Vec<Month> {
    expire(w, &keep(12, None), within("2027-03")).await.unwrap()
}

#[tokio::test]
async fn months_beyond_those_that_are_kept_are_dropped_with_a_line_that_tells_of_each() {
    let w = closed(&YEAR, within("2027-03")).await;
    let head = ledger::root(&w.store).await.unwrap();
    assert_eq!(drop_some(&w).await, [month("2026-01"), month("2026-02")]);
    assert_eq!(w.count(&format!("SELECT count(*) FROM ledger.blocks WHERE number <= {}", FIRST + 2)), 0);
    assert_eq!(w.noted(Event::MonthDropped).await, 2);
    assert_eq!(ledger::root(&w.store).await.unwrap().line, head.line + 2);
    assert_eq!(told(&w.store).await, [""; 0], "what is left is proven by the root of the last that was dropped");
    let roots = ledger::roots(&w.store).await.unwrap();
    let first = roots[0].removal.as_ref().unwrap();
    assert_eq!((first.at, first.by.as_str()), (within("2027-03"), "ledger_months = 12"));
    assert!(drop_some(&w).await.is_empty(), "once");
    let w = w.reopened().await;
    assert_eq!(told(&w.store).await, [""; 0]);
}

#[tokio::test]
async fn a_patient_reads_the_rest_and_new_lines_come_after_it() {
    let w = closed(&YEAR, within("2027-03")).await;
    drop_some(&w).await;
    w.connected().await;
    ledger::add(&w.store, within("2027-03")).await.unwrap();
    let (patient, user) = (w.patient("amina").await, w.user("amina").await.id);
    let read = ledger::of_patient(&w.store, patient, user, LedgerPosition::NEWEST, 50).await.unwrap();
    assert_eq!(read.len(), 2 * 3, "of two months that are left, and of today");
    assert_eq!(w.count("SELECT count(*) FROM ledger.subjects"), 6, "nothing is found that is gone");
}

#[tokio::test]
async fn neither_the_present_month_nor_one_that_is_not_closed_is_dropped() {
    let w = closed(&YEAR, within("2026-02")).await;
    let far = within("2040-01");
    assert_eq!(expire(&w, &keep(12, None), far).await.unwrap(), [month("2026-01")], "the others are not closed");
    let w = closed(&YEAR, within("2027-03")).await;
    assert!(expire(&w, &keep(12, None), within("2026-06")).await.unwrap().is_empty(), "by a clock that went back");
    assert_eq!(expire(&w, &keep(0, None), within("2027-03")).await.unwrap().last(), Some(&month("2027-02")));
    assert_eq!(told(&w.store).await, [""; 0]);
}

#[tokio::test]
async fn whoever_is_killed_after_a_month_was_dropped_and_before_it_is_gone_leaves_a_whole_ledger() {
    let w = closed(&YEAR, within("2027-03")).await;
    let step = ledger::expire(&w.store, Some(&keep(12, None)), within("2027-03"), &Clerk::shared()).await.unwrap();
    assert_eq!(step, RetentionStep::Dropped(month("2026-01")));
    assert!(
        w.count(&format!("SELECT count(*) FROM ledger.blocks WHERE number <= {FIRST}")) > 0,
        "its lines are still there"
    );
    let w = w.reopened().await;
    assert_eq!(told(&w.store).await, [""; 0]);
    let step = ledger::expire(&w.store, None, within("2027-03"), &Clerk::shared()).await.unwrap();
    assert_eq!(step, RetentionStep::Piece, "also where the setting was taken back since");
    assert_eq!(drop_some(&w).await, [month("2026-02")], "the next one goes on");
    assert_eq!(w.count(&format!("SELECT count(*) FROM ledger.blocks WHERE number <= {}", FIRST + 2)), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_who_drop_at_once_drop_each_month_once() {
    let w = std::sync::Arc::new(closed(&YEAR, within("2027-03")).await);
    let dropping = |_| {
        let w = w.clone();
        tokio::spawn(async move {
            let mut dropped = Vec::new();
            loop {
                match ledger::expire(&w.store, Some(&keep(12, None)), within("2027-03"), &Clerk::shared()).await {
                    Ok(RetentionStep::Done) => return dropped,
                    Ok(RetentionStep::Dropped(month)) => dropped.push(month),
                    Ok(RetentionStep::Piece) => {}
                    Err(error) => assert!(error.is_passing(), "{error}"),
                }
            }
        })
    };
    let mut dropped = Vec::new();
    for done in (0..4).map(dropping).collect::<Vec<_>>() {
        dropped.extend(done.await.unwrap());
    }
    dropped.sort_unstable();
    assert_eq!(dropped, [month("2026-01"), month("2026-02")]);
    assert_eq!(told(&w.store).await, [""; 0]);
}

#[tokio::test]
async fn a_root_that_somebody_changed_is_not_made_good_by_dropping_its_month() {
    let w = closed(&YEAR, within("2027-03")).await;
    w.home.run("UPDATE ledger.roots SET closed_at = 1 WHERE month = 202601");
    let said = expire(&w, &keep(12, None), within("2027-03")).await.unwrap_err().to_string();
    assert!(said.contains("the root of 2026-01 is damaged"), "{said}");
    assert!(ledger::roots(&w.store).await.unwrap().iter().all(|root| root.removal.is_none()));
}

fn archived(directory: &Path, name: &str) -> PathBuf {
    directory.join(format!("ledger-{name}.sqlite"))
}

#[tokio::test]
async fn a_month_is_archived_whole_before_it_is_dropped() {
    let (w, directory) = (closed(&YEAR, within("2027-03")).await, tempfile::tempdir().unwrap());
    let retention = keep(12, Some(directory.path()));
    expire(&w, &retention, within("2027-03")).await.unwrap();
    for (name, lines) in [("2026-01", FIRST), ("2026-02", 2)] {
        let verdict = ledger::examine(&archived(directory.path(), name), Some(&Clerk("key"))).unwrap();
        assert!(verdict.is_whole(), "{verdict:?}");
        assert_eq!((verdict.root.month, verdict.root.lines()), (month(name), lines));
    }
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 2, "nothing else is left there");
    assert_eq!(told(&w.store).await, [""; 0]);
}

#[tokio::test]
async fn what_a_killed_process_left_of_an_archive_is_written_anew() {
    let (w, directory) = (closed(&YEAR, within("2027-03")).await, tempfile::tempdir().unwrap());
    let file = archived(directory.path(), "2026-01");
    std::fs::write(file.with_extension("sqlite.unfinished"), b"half of it").unwrap();
    expire(&w, &keep(12, Some(directory.path())), within("2027-03")).await.unwrap();
    assert!(ledger::examine(&file, Some(&Clerk("key"))).unwrap().is_whole());
}

#[tokio::test]
async fn without_a_whole_archive_nothing_is_dropped() {
    let (w, directory) = (closed(&YEAR, within("2027-03")).await, tempfile::tempdir().unwrap());
    let (retention, file) = (keep(12, Some(directory.path())), archived(directory.path(), "2026-01"));
    std::fs::write(&file, b"something else").unwrap();
    assert!(expire(&w, &retention, within("2027-03")).await.is_err());
    assert_eq!(std::fs::read(&file).unwrap(), b"something else", "what is there is never overwritten");
    std::fs::remove_file(&file).unwrap();
    // The archive of another month under its name.
    ledger::archive(&w.store, month("2026-02"), &file).await.unwrap();
    let said = expire(&w, &retention, within("2027-03")).await.unwrap_err().to_string();
    assert!(said.contains("is no whole archive of 2026-01"), "{said}");
    std::fs::remove_file(&file).unwrap();
    let other = format!("SELECT lines FROM ledger.blocks WHERE number = {}", FIRST + 1);
    w.home.run(&format!("UPDATE ledger.blocks SET lines = ({other}) WHERE number = 1"));
    let said = expire(&w, &retention, within("2027-03")).await.unwrap_err().to_string();
    assert!(said.contains("2026-01 is not what it was closed with"), "{said}");
    assert!(!file.exists());
    assert!(ledger::roots(&w.store).await.unwrap().iter().all(|root| root.removal.is_none()));
}

#[tokio::test]
async fn an_archive_is_of_a_month_that_is_closed_and_there_and_never_overwrites() {
    let (w, directory) = (closed(&YEAR, within("2027-03")).await, tempfile::tempdir().unwrap());
    let file = directory.path().join("mine.sqlite");
    let archive = async |name: &str| ledger::archive(&w.store, month(name), &file).await.map_err(|e| e.to_string());
    assert!(archive("2027-03").await.unwrap_err().contains("2027-03 is not closed"));
    assert_eq!(archive("2026-03").await.unwrap().lines(), 0, "a month without a line");
    assert!(archive("2026-02").await.unwrap_err().contains("is there already"));
    std::fs::remove_file(&file).unwrap();
    drop_some(&w).await;
    assert!(archive("2026-02").await.unwrap_err().contains("the lines of 2026-02 were dropped"));
    assert_eq!(archive("2026-04").await.unwrap().lines(), 2);
}

#[tokio::test]
async fn what_was_done_to_an_archive_is_found_without_the_store() {
    let (w, directory) = (closed(&YEAR, within("2027-03")).await, tempfile::tempdir().unwrap());
    for (at, (harm, found)) in [
        ("DELETE FROM blocks", format!("lines 1 to {FIRST} are missing").as_str()),
        ("UPDATE blocks SET lines = zeroblob(40)", "line 1 is not what was written"),
        ("UPDATE root SET closed_at = 7", "the root of 2026-01 was not made by the key ring"),
        ("UPDATE root SET key_id = 'abc'", "the root of 2026-01 names the key abc, which is not in the key ring"),
    ]
    .into_iter()
    .enumerate()
    {
        let file = directory.path().join(at.to_string());
        ledger::archive(&w.store, month("2026-01"), &file).await.unwrap();
        rusqlite::Connection::open(&file).unwrap().execute_batch(harm).unwrap();
        let verdict = ledger::examine(&file, Some(&Clerk("key"))).unwrap();
        let told = verdict.words();
        assert!(told.iter().any(|words| words == found), "{harm}: {told:?}");
    }
    let other = directory.path().join("other");
    std::fs::write(&other, b"").unwrap();
    assert!(ledger::examine(&other, None).unwrap_err().to_string().contains("is no archive of the ledger"));
}

#[tokio::test]
async fn what_was_kept_of_a_month_that_was_dropped_is_held_to_its_root() {
    let w = closed(&YEAR, within("2027-03")).await;
    let kept: Vec<KeptMonth> = ledger::roots(&w.store).await.unwrap().iter().map(KeptMonth::of).collect();
    drop_some(&w).await;
    let at = |line, hash| Root { line, hash };
    let evidence =
        Evidence { roots: vec![at(FIRST, kept[0].hash), at(2, [0; 32])], months: kept.clone(), notary: None };
    let verdict = ledger::verify(&w.store, &evidence, |_, _| ()).await.unwrap();
    assert!(verdict.is_whole(), "{verdict:?}");
    assert_eq!(verdict.beyond_check, [2], "nothing is left to hold it to");
    let evidence = Evidence { roots: vec![at(FIRST, [0; 32])], ..Evidence::default() };
    let told = ledger::verify(&w.store, &evidence, |_, _| ()).await.unwrap().words();
    assert_eq!(told[0].1, "the root of 2026-01 is not the one that was kept elsewhere");
}
