//! Whoever has only the database can make every hash of the ledger anew, and is found by the root of a month all the same;
//! and a file that lost months gives their space back.

use crate::home::beside;
use crate::months::{closed, told, verdict, within};
use crate::notary::Clerk;
use crate::world::World;
use rusqlite::Connection;
use sha2::{Digest, Sha256};
use store::ledger::{self, About, Event, Evidence, Line, Retention, RetentionStep, Spool};

/// A ledger with one line to each block, in two months that are closed and one that is not.
async fn one_line_to_a_block() -> World {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let (spool, _) = Spool::start(&w.store, directory.path(), within("2027-01")).await.unwrap();
    let about = About { patient: Some(w.patient("amina").await), ..About::default() };
    for name in ["2027-01", "2027-01", "2027-02", "2027-02", "2027-03"] {
        let at = within(name);
        let (event, about) = (Event::Accessed, about.clone());
        let look = Line { at, event, session: None, about, times: 1, right: None, detail: None, operator: None };
        spool.write(&[look], at, false).unwrap();
        spool.take(&w.store, at).await.unwrap();
    }
    ledger::close(&w.store, within("2027-03"), &Clerk::shared()).await.unwrap();
    assert_eq!(told(&w.store).await, [""; 0]);
    w
}

/// Makes every hash anew, as whoever wrote the ledger would have.
fn recompute(database: &Connection) {
    let mut hash: Vec<u8> = Sha256::digest(b"recordgate ledger").to_vec();
    let mut blocks = database.prepare("SELECT id, lines FROM ledger.blocks ORDER BY id").unwrap();
    let blocks = blocks.query_map([], |row| Ok((row.get(0)?, row.get(1)?))).unwrap();
    let blocks: Vec<(i64, Vec<u8>)> = blocks.map(Result::unwrap).collect();
    for (at, (id, lines)) in blocks.iter().enumerate() {
        hash = Sha256::new().chain_update(&hash).chain_update(lines).finalize().to_vec();
        database
            .execute(
                "UPDATE ledger.blocks SET number = ?2, hash = ?3, checks = ?4 WHERE id = ?1",
                rusqlite::params![id, i64::try_from(at).unwrap() + 1, hash, hash.get(..8)],
            )
            .unwrap();
    }
    let count = i64::try_from(blocks.len()).unwrap();
    database.execute("UPDATE ledger.head SET number = ?1, hash = ?2", rusqlite::params![count, hash]).unwrap();
}

#[tokio::test]
async fn a_ledger_whose_hashes_were_all_recomputed_is_told_by_the_root_of_the_month_that_was_changed() {
    // The moment of a line; the lines that are left find it no longer, which is another matter.
    let change = "UPDATE ledger.blocks SET lines = (SELECT lines FROM ledger.blocks WHERE number = 1) WHERE number = 3";
    for (harm, found) in [
        (change, "one of the lines 3 to 4, of 2027-02, is not what was written when the month was closed"),
        ("DELETE FROM ledger.blocks WHERE number = 2", "lines of 2027-01 are missing: it was closed with 2 and has 1"),
        (
            "INSERT INTO ledger.blocks SELECT id + 1, number, count, hash, lines, checks FROM ledger.blocks WHERE number = 4",
            "lines were put into 2027-02: it was closed with 2 and has 3",
        ),
    ] {
        let w = one_line_to_a_block().await;
        let database = beside(w.home.path());
        database.execute_batch(harm).unwrap();
        recompute(&database);
        let found_without = ledger::verify(&w.store, &Evidence::default(), |_, _| ()).await.unwrap();
        assert_eq!(found_without.breaches, [], "by its own hashes it is whole: {harm}");
        let faults: Vec<String> =
            verdict(&w.store, &Clerk("key")).await.faults.iter().map(ToString::to_string).collect();
        assert_eq!(faults, [found], "{harm}");
    }
}

#[tokio::test]
async fn a_root_that_was_made_to_fit_forged_lines_has_no_seal() {
    let w = one_line_to_a_block().await;
    let database = beside(w.home.path());
    database.execute_batch("DELETE FROM ledger.blocks WHERE number = 2").unwrap();
    recompute(&database);
    let fit = "UPDATE ledger.roots SET last_line = 1, hash = (SELECT hash FROM ledger.blocks WHERE number = 1)
        WHERE month = 202701;
        UPDATE ledger.roots SET first_line = 2, last_line = 3, hash = (SELECT hash FROM ledger.blocks WHERE number = 3)
        WHERE month = 202702;";
    database.execute_batch(fit).unwrap();
    let told = told(&w.store).await;
    let made = |month| format!("the root of {month} was not made by the key ring");
    assert_eq!(told, [made("2027-01"), made("2027-02")]);
}

#[tokio::test]
async fn a_file_that_lost_months_gives_their_space_back() {
    let w = closed(&["2026-01"], within("2026-01")).await;
    let directory = tempfile::tempdir().unwrap();
    let (spool, _) = Spool::start(&w.store, directory.path(), within("2026-01")).await.unwrap();
    let about = About { patient: Some(w.patient("amina").await), ..About::default() };
    let lines: Vec<Line> = (0..20_000)
        .map(|n| Line {
            at: within("2026-01").plus_seconds(n),
            event: Event::Accessed,
            session: None,
            about: about.clone(),
            times: 1,
            right: None,
            detail: None,
            operator: None,
        })
        .collect();
    spool.write(&lines, within("2026-01"), false).unwrap();
    spool.take(&w.store, within("2026-01")).await.unwrap();
    ledger::close(&w.store, within("2027-03"), &Clerk::shared()).await.unwrap();
    let pages = || w.count("SELECT page_count FROM pragma_page_count('ledger')");
    let before = pages();
    let retention = Retention { months: 12, archive: None, by: "test".into() };
    while ledger::expire(&w.store, Some(&retention), within("2027-03"), &Clerk::shared()).await.unwrap()
        != RetentionStep::Done
    {}
    assert!(pages() * 4 < before, "{} of {before}", pages());
    assert_eq!(w.count("SELECT count(*) FROM ledger.subjects"), 0);
    assert_eq!(told(&w.store).await, [""; 0]);
}
