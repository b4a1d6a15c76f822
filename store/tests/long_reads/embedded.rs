//! On the embedded engine: a small pool of threads for long reads, and connections of their own for all others.

use crate::held::begin;
use crate::world::World;
use rules::reach::Reach;
use std::pin::pin;
use std::time::Duration;
use store::{Budget, CallerKey, Error, Place, Store, caller_key};
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);
/// More rows than are on their way at a time, so that a reader whose rows nobody takes has to wait.
const MANY: usize = 1000;
/// A walk through these takes longer than any budget of a few milliseconds.
const WALK: usize = 20_000;

async fn world(directory: &TempDir, budget: Budget) -> World {
    World::new(Store::open_within(&Place::Sqlite(directory.path().into()), 1, budget).await.unwrap()).await
}

fn of_elsewhere(world: &World) -> Reach {
    Reach::of_organisation(world.elsewhere)
}

#[tokio::test]
async fn one_row_is_read_while_every_reader_is_held_and_every_place_to_wait_is_taken() {
    let directory = tempfile::tempdir().unwrap();
    let w = world(&directory, Budget { time: PATIENCE, readers: 1, waiting: 1 }).await;
    w.fill(MANY).await;
    let elsewhere = of_elsewhere(&w);
    // Its rows are in reach and nobody takes them: from here on the one reader cannot end.
    let mut first = pin!(w.search(&elsewhere));
    assert!(begin(first.as_mut()).is_none());
    // The place to wait is free as soon as the reader has begun.
    let mut second = loop {
        let mut second = Box::pin(w.search(&elsewhere));
        match begin(second.as_mut()) {
            None => break second,
            Some(refused) => assert!(matches!(refused.unwrap_err().kind(), Error::Unavailable(_))),
        }
        std::thread::yield_now();
    };
    let third = w.search(&w.clinic).await.unwrap_err();
    assert!(matches!(third.kind(), Error::Unavailable(_)), "{third:?}");
    for _ in 0..100 {
        w.reads_one_row().await;
    }
    let fourth = w.search(&w.clinic).await.unwrap_err();
    assert!(matches!(fourth.kind(), Error::Unavailable(_)), "nothing has ended meanwhile: {fourth:?}");
    assert_eq!(first.await.unwrap().len(), MANY);
    assert_eq!(second.as_mut().await.unwrap().len(), MANY);
    assert_eq!(w.search(&w.clinic).await.unwrap().len(), 1, "the reader is free again");
}

#[tokio::test]
async fn a_search_whose_caller_goes_away_gives_its_reader_back() {
    let directory = tempfile::tempdir().unwrap();
    let w = world(&directory, Budget { time: PATIENCE, readers: 1, waiting: 8 }).await;
    w.fill(MANY).await;
    let elsewhere = of_elsewhere(&w);
    {
        let mut gone = pin!(w.search(&elsewhere));
        assert!(begin(gone.as_mut()).is_none());
    }
    assert_eq!(w.search(&w.clinic).await.unwrap().len(), 1);
}

#[tokio::test]
async fn ten_walks_through_what_is_out_of_reach_end_at_their_budget_while_rows_are_read_and_then_the_readers_are_free()
{
    let directory = tempfile::tempdir().unwrap();
    let budget = Budget { time: Duration::from_millis(10), readers: 2, waiting: 64 };
    let w = world(&directory, budget).await;
    w.fill(WALK).await;
    let stranger = Reach::of_patient(rules::ids::PatientId(0));
    let mut too_costly = 0;
    for _ in 0..10 {
        // One that no reader was free for in time is asked again: only what began can cost too much.
        loop {
            let (walked, ()) = tokio::join!(w.search(&stranger), w.reads_one_row());
            match walked {
                Err(error) if matches!(error.kind(), Error::TooCostly) => break,
                Err(error) if error.is_passing() => {}
                other => panic!("{other:?}"),
            }
        }
        too_costly += 1;
    }
    assert_eq!(too_costly, 10);
    // What finds its rows at once still has its answer within the same budget.
    let found = loop {
        match w.few().await {
            Err(error) if error.is_passing() => {}
            found => break found.unwrap(),
        }
    };
    assert_eq!(found.len(), 1);
}

/// The same as somebody's.
fn of_caller<T>(caller: u64, read: impl Future<Output = T>) -> impl Future<Output = T> {
    caller_key::scope(async move {
        caller_key::note(CallerKey(caller));
        read.await
    })
}

#[tokio::test]
async fn a_caller_who_holds_its_share_and_every_place_to_wait_takes_neither_from_another() {
    let directory = tempfile::tempdir().unwrap();
    let w = world(&directory, Budget { time: PATIENCE, readers: 2, waiting: 2 }).await;
    w.fill(MANY).await;
    let elsewhere = of_elsewhere(&w);
    // Its rows are in reach and nobody takes them: from here on this reader cannot end.
    let mut held = pin!(of_caller(1, w.search(&elsewhere)));
    assert!(begin(held.as_mut()).is_none());
    // Two more wait, though a reader is free: it is the others'. Until the first has its reader there is one place for them.
    let mut waiting = Vec::new();
    while waiting.len() < 2 {
        let mut next = Box::pin(of_caller(1, w.search(&elsewhere)));
        match begin(next.as_mut()) {
            None => waiting.push(next),
            Some(refused) => assert!(matches!(refused.unwrap_err().kind(), Error::CallerBusy)),
        }
        std::thread::yield_now();
    }
    let fourth = of_caller(1, w.search(&elsewhere)).await.unwrap_err();
    assert!(matches!(fourth.kind(), Error::CallerBusy), "{fourth:?}");
    assert_eq!(of_caller(2, w.search(&w.clinic)).await.unwrap().len(), 1, "another caller");
    let last = waiting.pop().unwrap().await.unwrap_err();
    assert!(matches!(last.kind(), Error::CallerBusy), "it gave its place to the other: {last:?}");
    assert_eq!(held.await.unwrap().len(), MANY);
    assert_eq!(waiting.pop().unwrap().await.unwrap().len(), MANY);
}
