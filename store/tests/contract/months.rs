//! Months of the ledger are closed when they are over, once, and what they were then is vouched for.

use crate::ledger::DECLARED_LINES;
use crate::notary::Clerk;
use crate::world::{NOW, World};
use rules::moment::Moment;
use std::sync::Arc;
use store::Store;
use store::ledger::{self, Event, Evidence, KeptMonth, Line, Month, MonthRoot, Notary, Root, Spool, Verdict};

pub fn month(name: &str) -> Month {
    Month::named(name).unwrap()
}

/// The third day of a month.
pub fn within(name: &str) -> Moment {
    month(name).start().plus_seconds(2 * 86_400)
}

/// The last line of the first month: of the world as it is declared, and of one connection. Each further month has two.
pub const FIRST: i64 = DECLARED_LINES + 2;

/// A world whose ledger has a few lines in each of these months, all of them closed, as of the moment.
pub async fn closed(months: &[&str], now: Moment) -> World {
    let w = World::new().await;
    for name in months {
        w.connected().await;
        ledger::add(&w.store, within(name)).await.unwrap();
    }
    ledger::close(&w.store, now, &Clerk::shared()).await.unwrap();
    w
}

pub async fn verdict(store: &Store, notary: &dyn Notary) -> Verdict {
    ledger::verify(store, &Evidence { notary: Some(notary), ..Evidence::default() }, |_, _| ()).await.unwrap()
}

/// What is wrong, in words.
pub async fn told(store: &Store) -> Vec<String> {
    verdict(store, &Clerk("key")).await.words().into_iter().map(|(_, words)| words).collect()
}

fn names(roots: &[MonthRoot]) -> Vec<String> {
    roots.iter().map(|root| format!("{} {}-{}", root.month, root.first, root.last)).collect()
}

#[tokio::test]
async fn a_month_is_closed_when_it_is_over_and_once() {
    let w = World::new().await;
    w.connected().await;
    let clerk = Clerk::shared();
    assert!(ledger::close(&w.store, NOW, &clerk).await.unwrap().is_empty(), "there is no line yet");
    ledger::add(&w.store, NOW).await.unwrap();
    assert!(ledger::close(&w.store, within("2027-01"), &clerk).await.unwrap().is_empty(), "it is not over");
    let closed = ledger::close(&w.store, month("2027-02").start(), &clerk).await.unwrap();
    assert_eq!(names(&closed), [format!("2027-01 1-{FIRST}")]);
    assert!(ledger::close(&w.store, within("2027-02"), &clerk).await.unwrap().is_empty());
    let w = w.reopened().await;
    assert_eq!(ledger::roots(&w.store).await.unwrap(), closed);
    assert_eq!(told(&w.store).await, [""; 0]);
}

#[tokio::test]
async fn a_line_that_comes_late_goes_into_the_month_that_is_open_whatever_the_clock_says() {
    let w = closed(&["2027-01"], within("2027-02")).await;
    w.connected().await;
    ledger::add(&w.store, within("2027-01")).await.unwrap();
    assert_eq!(told(&w.store).await, [""; 0], "the month that is closed has no line more");
    let next = ledger::close(&w.store, within("2027-03"), &Clerk::shared()).await.unwrap();
    assert_eq!(names(&next), [format!("2027-02 {}-{}", FIRST + 1, FIRST + 2)]);
    assert_eq!(told(&w.store).await, [""; 0]);
}

#[tokio::test]
async fn a_spool_that_was_left_over_from_last_month_is_taken_up_in_this_one() {
    let (w, directory) = (World::new().await, tempfile::tempdir().unwrap());
    ledger::add(&w.store, NOW).await.unwrap();
    let (dead, _) = Spool::start(&w.store, directory.path(), NOW).await.unwrap();
    let about = ledger::About { patient: Some(w.patient("amina").await), ..Default::default() };
    let event = Event::Accessed;
    let look = Line { at: NOW, event, session: None, about, times: 1, right: None, detail: None, operator: None };
    dead.write(&[look], NOW, false).unwrap();
    drop(dead);
    ledger::close(&w.store, within("2027-02"), &Clerk::shared()).await.unwrap();
    let (_, left) = Spool::start(&w.store, directory.path(), within("2027-02")).await.unwrap();
    assert_eq!(left.files, 1);
    let next = ledger::close(&w.store, within("2027-03"), &Clerk::shared()).await.unwrap();
    assert_eq!(names(&next), [format!("2027-02 {0}-{0}", DECLARED_LINES + 1)]);
    assert_eq!(told(&w.store).await, [""; 0]);
}

#[tokio::test]
async fn months_without_a_line_are_closed_like_any_other() {
    let w = closed(&["2027-01", "2027-04"], within("2027-06")).await;
    let roots = ledger::roots(&w.store).await.unwrap();
    let lines = [(1, FIRST), (FIRST + 1, FIRST), (FIRST + 1, FIRST), (FIRST + 1, FIRST + 2), (FIRST + 3, FIRST + 2)];
    let expected = (1..).zip(lines).map(|(month, (first, last))| format!("2027-0{month} {first}-{last}"));
    assert_eq!(names(&roots), expected.collect::<Vec<_>>());
    assert_eq!(told(&w.store).await, [""; 0]);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_who_close_at_once_close_each_month_once() {
    let w = Arc::new(closed(&["2027-01", "2027-02"], NOW).await);
    let closing = |_| {
        let w = w.clone();
        tokio::spawn(async move { ledger::close(&w.store, within("2027-08"), &Clerk::shared()).await.unwrap().len() })
    };
    let mut closed = 0;
    for done in (0..8).map(closing).collect::<Vec<_>>() {
        closed += done.await.unwrap();
    }
    assert_eq!((closed, ledger::roots(&w.store).await.unwrap().len()), (7, 7));
    assert_eq!(told(&w.store).await, [""; 0]);
}

#[tokio::test]
async fn without_a_key_no_month_is_closed_and_nothing_is_lost() {
    let w = closed(&["2027-01"], NOW).await;
    let nobody: Arc<dyn Notary> = Arc::new(Clerk(""));
    assert!(ledger::close(&w.store, within("2027-02"), &nobody).await.is_err());
    assert!(ledger::roots(&w.store).await.unwrap().is_empty());
    assert_eq!(ledger::close(&w.store, within("2027-02"), &Clerk::shared()).await.unwrap().len(), 1);
}

#[tokio::test]
async fn whatever_is_done_to_a_root_behind_its_back_is_found_and_named() {
    for (harm, found) in [
        (
            "UPDATE ledger.roots SET last_line = 4 WHERE month = 202701",
            "the root of 2027-01 was not made by the key ring",
        ),
        (
            "UPDATE ledger.roots SET closed_at = 1 WHERE month = 202702",
            "the root of 2027-02 was not made by the key ring",
        ),
        (
            "UPDATE ledger.roots SET dropped_at = 1, dropped_by = 'me' WHERE month = 202701",
            "the root of 2027-01 was not made by the key ring",
        ),
        (
            "UPDATE ledger.roots SET key_id = 'abc' WHERE month = 202701",
            "the root of 2027-01 names the key abc, which is not in the key ring",
        ),
        ("DELETE FROM ledger.roots WHERE month = 202702", "the root of 2027-02 is missing"),
        (
            "DELETE FROM ledger.roots WHERE month = 202701",
            "the root of 2027-02 does not begin where the month before ends",
        ),
    ] {
        let w = closed(&["2027-01", "2027-02", "2027-03"], within("2027-04")).await;
        w.home.run(harm);
        let told = told(&w.store).await;
        assert!(told.iter().any(|words| words == found), "{harm}: {told:?}");
    }
}

#[tokio::test]
async fn an_end_that_was_cut_off_without_a_trace_is_told_by_the_root_of_its_month() {
    let w = closed(&["2027-01", "2027-02"], within("2027-03")).await;
    w.home.run(&format!("DELETE FROM ledger.blocks WHERE number = {}", FIRST + 1));
    let before = "(SELECT hash FROM ledger.blocks WHERE number = 1)";
    w.home.run(&format!("UPDATE ledger.head SET number = {FIRST}, hash = {before}"));
    assert_eq!(told(&w.store).await, ["lines of 2027-02 are missing: it was closed with 2 and has 0"]);
}

#[tokio::test]
async fn roots_that_were_kept_elsewhere_tell_whether_the_same_are_there() {
    let w = closed(&["2027-01", "2027-02"], within("2027-03")).await;
    let kept: Vec<KeptMonth> = ledger::roots(&w.store).await.unwrap().iter().map(KeptMonth::of).collect();
    let head: Root = ledger::root(&w.store).await.unwrap();
    let words = async |months: Vec<KeptMonth>| {
        let evidence = Evidence { roots: vec![head], months, notary: None };
        let verdict = ledger::verify(&w.store, &evidence, |_, _| ()).await.unwrap();
        verdict.words().into_iter().map(|(_, words)| words).collect::<Vec<_>>()
    };
    assert_eq!(words(kept.clone()).await, [""; 0]);
    let other = KeptMonth { hash: [0; 32], ..kept[1] };
    assert_eq!(words(vec![other]).await, ["the root of 2027-02 is not the one that was kept elsewhere"]);
    w.home.run("DELETE FROM ledger.roots WHERE month = 202702");
    assert_eq!(words(kept).await, ["the root of 2027-02 is missing"]);
}

#[tokio::test]
async fn roots_that_are_sealed_anew_are_good_under_the_new_key() {
    let w = closed(&["2027-01", "2027-02"], within("2027-03")).await;
    w.home.run("UPDATE ledger.roots SET last_line = 9 WHERE month = 202702");
    let good = Clerk("key");
    let sealed = ledger::reseal(&w.store, &good, |_, state| state == ledger::SealState::Good).await.unwrap();
    assert_eq!(sealed, [month("2027-01")], "what somebody changed is not made good");
    let other = Clerk("other");
    let sealed = ledger::reseal(&w.store, &other, |_, state| state == ledger::SealState::OtherKey).await.unwrap();
    assert_eq!(sealed.len(), 2, "where the ring is lost, all that is left is to say so");
    let found = verdict(&w.store, &other).await;
    assert!(!found.words().iter().any(|(_, words)| words.contains("key ring")), "{found:?}");
}
