//! The ledger: what is written down, in which order it is read and by whom, and that nothing is in it twice or lost.

use crate::world::{NOW, World};
use rules::moment::Moment;
use rules::reach::Right;
use std::future::poll_fn;
use std::task::Poll;
use store::Store;
use store::ledger::{self, About, Concern, Event, Evidence, LedgerPosition, LedgerSpan, Line, NamedLine, Spool};
use store::people::{self, User};
use tempfile::TempDir;

/// Lines that tell of the small world as it is declared: each of its parts, each registration and membership, the grant.
pub const DECLARED_LINES: i64 = 16;

async fn lines(w: &World, patient: &str, before: LedgerPosition, limit: i64) -> Vec<NamedLine> {
    let user = w.user(patient).await.id;
    ledger::add(&w.store, NOW).await.unwrap();
    ledger::of_patient(&w.store, w.patient(patient).await, user, before, limit).await.unwrap()
}

async fn spool(w: &World, directory: &TempDir) -> Spool {
    Spool::start(&w.store, directory.path(), NOW).await.unwrap().0
}

/// A look at Amina's record by the letters' System Client.
async fn look(w: &World, at: Moment, times: i64) -> Line {
    let about = About {
        client: Some(w.client("letters").await.id),
        organisation: Some(w.elsewhere),
        patient: Some(w.patient("amina").await),
        ..Default::default()
    };
    let (detail, right) = (Some("Patient".into()), Some(Right::Source));
    Line { at, event: Event::Accessed, session: None, about, times, right, detail, operator: None }
}

/// Every line that tells of a look: how often, in the order of the ledger.
async fn looks(store: &Store) -> Vec<i64> {
    let mut looks = Vec::new();
    let keep = |line: NamedLine| {
        looks.push(line.times);
        true
    };
    ledger::each(store, LedgerSpan::ALL, |line| line.event == Event::Accessed, keep).await.unwrap();
    looks
}

#[tokio::test]
async fn a_patient_reads_what_their_account_granted_newest_first_and_no_rotations() {
    let w = World::new().await;
    let granted = w.connected().await;
    granted.refresh(1).await;
    granted.revoke().await;
    let told = async |patient| -> Vec<Event> {
        lines(&w, patient, LedgerPosition::NEWEST, 10).await.iter().map(|line| line.event).collect()
    };
    let declared = [Event::Registered, Event::UserMade];
    assert_eq!(told("amina").await[..3], [Event::Revoked, Event::CodeRedeemed, Event::Granted]);
    assert_eq!(told("amina").await[3..], declared);
    assert_eq!(told("ben").await, declared, "another patient reads nothing of it");
}

#[tokio::test]
async fn accesses_are_written_with_who_and_how_often_and_read_in_pages() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let spool = spool(&w, &directory).await;
    for times in 1..=5 {
        spool.write(&[look(&w, NOW.plus_seconds(times), times).await], NOW, false).unwrap();
    }
    spool.take(&w.store, NOW).await.unwrap();
    let mut before = LedgerPosition::NEWEST;
    let mut read = Vec::new();
    loop {
        let page = lines(&w, "amina", before, 2).await;
        let Some(last) = page.last() else { break };
        before = LedgerPosition::of(last);
        read.extend(page);
    }
    read.retain(|line| line.event == Event::Accessed);
    assert_eq!(read.iter().map(|line| line.times).collect::<Vec<_>>(), [5, 4, 3, 2, 1]);
    let first = &read[0];
    assert_eq!((first.at, first.event), (NOW.plus_seconds(5), Event::Accessed));
    assert_eq!(first.detail.as_deref(), Some("Patient"));
    assert_eq!((first.right, first.client.as_deref()), (Some(Right::Source), Some("letters")));
    assert_eq!((first.product.as_deref(), first.organisation.as_deref()), (Some("LETTERS"), Some("St Elsewhere")));
}

#[tokio::test]
async fn the_same_look_of_one_second_is_one_line_that_says_how_often_however_it_was_spooled() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let spool = spool(&w, &directory).await;
    for (later, times) in [(0, 1), (100, 2), (900, 3), (1_000, 4)] {
        spool.write(&[look(&w, Moment(NOW.0 + later), times).await], NOW, false).unwrap();
    }
    spool.take(&w.store, NOW).await.unwrap();
    assert_eq!(looks(&w.store).await, [6, 4]);
}

#[tokio::test]
async fn a_patients_lines_are_in_the_order_of_their_moments_whatever_order_they_were_written_in() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let spool = spool(&w, &directory).await;
    for seconds in [5, 1, 9, 3, 7] {
        spool.write(&[look(&w, NOW.plus_seconds(seconds), seconds).await], NOW, false).unwrap();
        spool.take(&w.store, NOW).await.unwrap();
    }
    let read = lines(&w, "amina", LedgerPosition::NEWEST, 5).await;
    assert_eq!(read.iter().map(|line| line.times).collect::<Vec<_>>(), [9, 7, 5, 3, 1]);
}

/// A look at one's own record.
async fn own_look(w: &World, username: &str, patient: &str, at: Moment, times: i64) -> Line {
    let (user, patient) = (Some(w.user(username).await.id), Some(w.patient(patient).await));
    let about = About { user, patient, ..About::default() };
    Line { about, right: Some(Right::Own), ..look(w, at, times).await }
}

/// How often, of each look that is told of somebody, in the order of their moments.
async fn looks_about(w: &World, whom: Concern) -> Vec<i64> {
    let mut looks = Vec::new();
    let keep = |line: NamedLine| {
        looks.push(line.times);
        true
    };
    ledger::each_about(&w.store, whom, LedgerSpan::ALL, |line| line.event == Event::Accessed, keep).await.unwrap();
    looks
}

#[tokio::test]
async fn a_look_at_ones_own_record_is_told_of_the_patient_and_of_the_user_though_it_has_one_entry() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let (amina, ben) = (w.user("amina").await.id, w.user("ben").await.id);
    let spool = spool(&w, &directory).await;
    let second = |seconds| NOW.plus_seconds(seconds);
    let before = w.count("SELECT count(*) FROM ledger.subjects");
    let lines = [
        own_look(&w, "amina", "amina", second(1), 1).await,
        look(&w, second(2), 2).await,
        own_look(&w, "amina", "amina", second(3), 3).await,
        own_look(&w, "ben", "ben", second(4), 4).await,
    ];
    spool.write(&lines, NOW, false).unwrap();
    spool.take(&w.store, NOW).await.unwrap();
    assert_eq!(w.count("SELECT count(*) FROM ledger.subjects"), before + 4, "one for each line");
    assert_eq!(looks_about(&w, Concern::Patient(w.patient("amina").await)).await, [1, 2, 3]);
    assert_eq!(looks_about(&w, Concern::User(amina)).await, [1, 3], "not those of the letters' client");
    assert_eq!(looks_about(&w, Concern::User(ben)).await, [4]);
}

#[tokio::test]
async fn the_looks_of_an_account_are_told_of_it_when_it_has_become_another_patients() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let amina = w.user("amina").await.id;
    let spool = spool(&w, &directory).await;
    spool.write(&[own_look(&w, "amina", "amina", NOW, 1).await], NOW, false).unwrap();
    let become_another = |user: &mut User| user.patient_id = Some("another".into());
    people::change(&w.store, "amina".into(), become_another, NOW).await.unwrap();
    spool.write(&[own_look(&w, "amina", "another", NOW.plus_seconds(1), 2).await], NOW, false).unwrap();
    spool.take(&w.store, NOW).await.unwrap();
    ledger::add(&w.store, NOW).await.unwrap();
    assert_eq!(looks_about(&w, Concern::User(amina)).await, [1, 2]);
    assert_eq!(looks_about(&w, Concern::Patient(w.patient("another").await)).await, [2]);
}

#[tokio::test]
async fn lines_are_numbered_without_gaps_across_trays_and_spools_and_after_reopening() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let spool = spool(&w, &directory).await;
    for round in 0..5 {
        w.connected().await.refresh(1).await;
        let looks = [look(&w, NOW, round).await, look(&w, NOW.plus_seconds(1), round).await];
        spool.write(&looks, NOW, false).unwrap();
        ledger::add(&w.store, NOW).await.unwrap();
        spool.take(&w.store, NOW).await.unwrap();
    }
    drop(spool);
    let w = w.reopened().await;
    w.connected().await;
    ledger::add(&w.store, NOW).await.unwrap();
    let mut numbers = Vec::new();
    let keep = |line: NamedLine| {
        numbers.push(line.number);
        true
    };
    ledger::each(&w.store, LedgerSpan::ALL, |_| true, keep).await.unwrap();
    let expected: Vec<i64> = (1..=i64::try_from(numbers.len()).unwrap()).collect();
    assert_eq!(numbers, expected);
    let all = DECLARED_LINES + 5 * (3 + 2) + 2;
    assert_eq!(numbers.last(), Some(&all), "the declared world, what the rounds did, and one more grant");
}

#[tokio::test]
async fn what_a_killed_process_left_in_its_spool_is_taken_up_once() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let dead = spool(&w, &directory).await;
    dead.write(&[look(&w, NOW, 1).await], NOW, false).unwrap();
    dead.take(&w.store, NOW).await.unwrap();
    dead.write(&[look(&w, NOW, 2).await, look(&w, NOW.plus_seconds(1), 3).await], NOW, false).unwrap();
    drop(dead);
    let (alive, left) = Spool::start(&w.store, directory.path(), NOW).await.unwrap();
    assert_eq!((left.files, left.torn), (1, 0));
    alive.write(&[look(&w, NOW, 4).await], NOW, false).unwrap();
    assert_eq!(looks(&w.store).await, [1, 2, 3]);
    let (_later, left) = Spool::start(&w.store, directory.path(), NOW).await.unwrap();
    assert_eq!(left.files, 0, "the other process's is its own");
    assert_eq!(looks(&w.store).await, [1, 2, 3]);
    alive.close(&w.store, NOW).await.unwrap();
    assert_eq!(looks(&w.store).await, [1, 2, 3, 4]);
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0, "nothing is left behind");
}

#[tokio::test]
async fn a_group_that_was_cut_short_is_left_out_and_told_of() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let dead = spool(&w, &directory).await;
    dead.write(&[look(&w, NOW, 1).await], NOW, false).unwrap();
    dead.write(&[look(&w, NOW, 2).await], NOW, false).unwrap();
    drop(dead);
    let file = std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
    let bytes = std::fs::read(&file).unwrap();
    std::fs::write(&file, &bytes[..bytes.len() - 1]).unwrap();
    let (_alive, left) = Spool::start(&w.store, directory.path(), NOW).await.unwrap();
    assert_eq!(left.files, 1);
    assert!(left.torn > 0);
    assert_eq!(looks(&w.store).await, [1]);
}

/// The only file in a spool's directory.
fn only_file(directory: &TempDir) -> std::path::PathBuf {
    std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path()
}

#[tokio::test]
async fn a_flipped_byte_costs_the_group_that_it_is_in_and_none_behind_it() {
    // In the length, the check and the lines of the second of three groups.
    for place in [0, 3, 7, 20] {
        let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
        let dead = spool(&w, &directory).await;
        let mut ends = Vec::new();
        for times in 1..=3 {
            dead.write(&[look(&w, NOW.plus_seconds(times), times).await], NOW, false).unwrap();
            ends.push(usize::try_from(only_file(&directory).metadata().unwrap().len()).unwrap());
        }
        drop(dead);
        let mut bytes = std::fs::read(only_file(&directory)).unwrap();
        bytes[ends[0] + place] ^= 0x10;
        std::fs::write(only_file(&directory), &bytes).unwrap();
        let (_alive, left) = Spool::start(&w.store, directory.path(), NOW).await.unwrap();
        assert_eq!(looks(&w.store).await, [1, 3], "byte {place}");
        assert_eq!((left.files, left.torn), (1, (ends[1] - ends[0]) as u64), "byte {place}");
    }
}

#[tokio::test]
async fn a_file_of_which_a_power_cut_left_less_than_the_ledger_has_taken_is_not_torn() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let dead = spool(&w, &directory).await;
    dead.write(&[look(&w, NOW, 1).await], NOW, false).unwrap();
    dead.take(&w.store, NOW).await.unwrap();
    drop(dead);
    std::fs::write(only_file(&directory), "").unwrap();
    let (_alive, left) = Spool::start(&w.store, directory.path(), NOW).await.unwrap();
    assert_eq!((left.files, left.torn), (0, 0));
    assert_eq!(looks(&w.store).await, [1]);
}

#[tokio::test]
async fn a_spool_whose_directory_was_removed_is_there_again_with_all_that_was_written() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let dead = spool(&w, &directory).await;
    dead.write(&[look(&w, NOW, 1).await], NOW, true).unwrap();
    std::fs::remove_dir_all(directory.path()).unwrap();
    dead.write(&[look(&w, NOW.plus_seconds(1), 2).await], NOW, true).unwrap();
    std::fs::remove_file(only_file(&directory)).unwrap();
    dead.hold().unwrap();
    drop(dead);
    let (_alive, left) = Spool::start(&w.store, directory.path(), NOW).await.unwrap();
    assert_eq!((left.files, left.torn), (1, 0));
    assert_eq!(looks(&w.store).await, [1, 2]);
}

#[tokio::test]
async fn a_spool_to_which_something_always_comes_begins_another_file_and_removes_the_full_one() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let busy = spool(&w, &directory).await;
    let many = vec![look(&w, NOW, 1).await; 200_000];
    let files = || std::fs::read_dir(directory.path()).unwrap().count();
    let mut written = 0;
    while files() < 2 {
        busy.write(&many, NOW, false).unwrap();
        written += 200_000;
        assert!(written < 10_000_000, "a file has no end");
    }
    busy.take(&w.store, NOW).await.unwrap();
    assert_eq!(files(), 1, "the full one is in the ledger");
    assert!(only_file(&directory).metadata().unwrap().len() < 16 << 20);
    assert_eq!(looks(&w.store).await.iter().sum::<i64>(), written);
}

#[tokio::test]
async fn what_cannot_be_spooled_at_the_end_goes_straight_to_the_ledger() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let ending = spool(&w, &directory).await;
    let last = [look(&w, NOW, 1).await, look(&w, NOW.plus_seconds(1), 2).await];
    ending.add_unspooled(&w.store, &last, NOW).await.unwrap();
    assert_eq!(looks(&w.store).await, [1, 2]);
    assert_eq!(w.count("SELECT count(*) FROM ledger.spools"), 0);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_who_add_at_once_add_each_line_once() {
    let w = std::sync::Arc::new(World::new().await);
    let adding = |_| {
        let w = w.clone();
        tokio::spawn(async move {
            for _ in 0..5 {
                w.connected().await;
                ledger::add(&w.store, NOW).await.unwrap();
            }
        })
    };
    for done in (0..8).map(adding).collect::<Vec<_>>() {
        done.await.unwrap();
    }
    assert_eq!(w.noted(Event::Granted).await, 40);
    assert_eq!(w.noted(Event::CodeRedeemed).await, 40);
}

/// A world whose ledger has three blocks of a few lines each.
async fn three_blocks() -> World {
    let w = World::new().await;
    for _ in 0..3 {
        w.connected().await.refresh(1).await;
        ledger::add(&w.store, NOW).await.unwrap();
    }
    w
}

#[tokio::test]
async fn a_ledger_that_nobody_touched_is_found_whole() {
    let w = three_blocks().await;
    let root = ledger::root(&w.store).await.unwrap();
    let verdict =
        ledger::verify(&w.store, &Evidence { roots: vec![root], ..Evidence::default() }, |_, _| ()).await.unwrap();
    assert!(verdict.is_whole(), "{verdict:?}");
    assert_eq!(verdict.lines, DECLARED_LINES + 3 * 3);
}

#[tokio::test]
async fn whatever_is_done_to_the_ledger_behind_its_back_is_found_and_named() {
    const SECOND: &str = "(SELECT id FROM ledger.blocks ORDER BY id LIMIT 1 OFFSET 1)";
    for (harm, found) in [
        (format!("DELETE FROM ledger.blocks WHERE id = {SECOND}"), "lines 20 to 22 are missing"),
        (
            format!("UPDATE ledger.blocks SET count = 2 WHERE id = {SECOND}"),
            "line 22 was put in where it does not belong",
        ),
        (format!("UPDATE ledger.blocks SET hash = checks WHERE id = {SECOND}"), "line 22 is not what was written"),
        (format!("UPDATE ledger.blocks SET number = 65 WHERE id = {SECOND}"), "lines 20 to 64 are missing"),
        ("UPDATE ledger.head SET number = 27".into(), "lines 26 to 27 are missing"),
        (
            "UPDATE ledger.blocks SET lines = (SELECT lines FROM ledger.blocks ORDER BY id LIMIT 1)
             WHERE id = (SELECT max(id) FROM ledger.blocks)"
                .into(),
            "line 23 is not what was written",
        ),
    ] {
        let w = three_blocks().await;
        w.home.run(&harm);
        let verdict = ledger::verify(&w.store, &Evidence::default(), |_, _| ()).await.unwrap();
        let told = verdict.breaches.first().map(ToString::to_string);
        assert_eq!(told.as_deref(), Some(found), "{harm}: {verdict:?}");
    }
}

#[tokio::test]
async fn a_line_that_its_patient_would_not_find_is_told_of() {
    let w = three_blocks().await;
    w.home.run("DELETE FROM ledger.subjects WHERE id = (SELECT min(id) FROM ledger.subjects)");
    let verdict = ledger::verify(&w.store, &Evidence::default(), |_, _| ()).await.unwrap();
    assert_eq!((verdict.breaches.len(), verdict.hidden.len()), (0, 1), "{verdict:?}");
}

#[tokio::test]
async fn whoever_is_cut_short_while_reading_the_spool_or_adding_loses_no_line_that_comes_after() {
    for steps in [1, 2] {
        let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
        let spool = spool(&w, &directory).await;
        spool.write(&[look(&w, NOW, 1).await], NOW, false).unwrap();
        // A page that waits for the ledger, whose reader goes away: the line is on its way, and nobody hears that it arrived.
        let (mut taking, mut taken) = (Box::pin(spool.take(&w.store, NOW)), 0);
        poll_fn(|context| {
            taken += 1;
            let is_done = taking.as_mut().poll(context).is_ready();
            if is_done || taken == steps { Poll::Ready(()) } else { Poll::Pending }
        })
        .await;
        drop(taking);
        spool.write(&[look(&w, NOW.plus_seconds(1), 2).await], NOW, false).unwrap();
        spool.take(&w.store, NOW).await.unwrap();
        assert_eq!(looks(&w.store).await, [1, 2], "cut short at step {steps}");
    }
}

#[tokio::test]
async fn what_is_spooled_while_the_ledger_is_added_to_is_left_for_the_next_time() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let spool = spool(&w, &directory).await;
    spool.write(&[look(&w, NOW, 1).await], NOW, false).unwrap();
    let second = look(&w, NOW.plus_seconds(1), 2).await;
    let mut taking = Box::pin(spool.take(&w.store, NOW));
    let begun = poll_fn(|context| Poll::Ready(taking.as_mut().poll(context))).await;
    assert!(begun.is_pending(), "it was to be under way: {begun:?}");
    spool.write(&[second], NOW, false).unwrap();
    taking.await.unwrap();
    assert_eq!(looks(&w.store).await, [1]);
    spool.take(&w.store, NOW).await.unwrap();
    assert_eq!(looks(&w.store).await, [1, 2]);
}

#[tokio::test]
async fn two_who_add_at_once_add_every_line_once() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    let spool = spool(&w, &directory).await;
    spool.write(&[look(&w, NOW, 1).await], NOW, false).unwrap();
    let second = look(&w, NOW.plus_seconds(1), 2).await;
    let late = async {
        spool.write(&[second], NOW, false).unwrap();
        spool.take(&w.store, NOW).await
    };
    let (one, other) = tokio::join!(spool.take(&w.store, NOW), late);
    one.and(other).unwrap();
    assert_eq!(looks(&w.store).await, [1, 2]);
}
