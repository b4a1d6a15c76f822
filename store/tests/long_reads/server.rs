//! On PostgreSQL: connections of their own for long reads, whose limit of time the server keeps. A lock on the table of
//! tokens holds up every search by token, and nobody else.

use crate::world::World;
use std::time::Duration;
use store::{Budget, Error, Place, Store};
use tokio_postgres::{Client, NoTls};

const PATIENCE: Duration = Duration::from_secs(60);

async fn world(url: &str, budget: Budget) -> World {
    let Ok(Place::Postgres(mut place)) = Place::parse(url) else { panic!("the cluster's URL") };
    let limits = &mut place.options;
    (limits.connect_timeout, limits.wait_timeout) = (PATIENCE, PATIENCE);
    (limits.statement_timeout, limits.answer_within) = (PATIENCE, PATIENCE);
    let place = Place::Postgres(place);
    // Made without a bound, so that only what is tested meets it.
    drop(World::new(Store::open(&place, 1).await.unwrap()).await);
    World::found(Store::open_within(&place, 1, budget).await.unwrap()).await
}

/// Somebody who holds the table of tokens until the end of a transaction.
async fn holder(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute("BEGIN; LOCK TABLE index_tokens IN ACCESS EXCLUSIVE MODE").await.unwrap();
    client
}

async fn until_one_waits(holder: &Client) {
    let waiting = "SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'index_tokens'::regclass";
    while holder.query_one(waiting, &[]).await.unwrap().get::<_, i64>(0) == 0 {
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn one_row_is_read_while_every_connection_for_long_reads_is_held_and_no_more_may_wait() {
    let url = cluster::shared().new_database();
    let w = world(&url, Budget { time: PATIENCE, readers: 1, waiting: 0 }).await;
    let holder = holder(&url).await;
    let others = async {
        until_one_waits(&holder).await;
        let second = w.search(&w.clinic).await.unwrap_err();
        assert!(matches!(second.kind(), Error::Unavailable(_)), "{second:?}");
        for _ in 0..100 {
            w.reads_one_row().await;
        }
        let third = w.search(&w.clinic).await.unwrap_err();
        assert!(matches!(third.kind(), Error::Unavailable(_)), "nothing has ended meanwhile: {third:?}");
        holder.batch_execute("COMMIT").await.unwrap();
    };
    let (first, ()) = tokio::join!(w.search(&w.clinic), others);
    assert_eq!(first.unwrap().len(), 1);
    assert_eq!(w.search(&w.clinic).await.unwrap().len(), 1, "the connection is free again");
}

#[tokio::test]
async fn a_search_that_takes_longer_than_its_budget_is_too_costly_and_its_connection_is_free_again() {
    let url = cluster::shared().new_database();
    let w = world(&url, Budget { time: Duration::from_millis(500), readers: 1, waiting: 1 }).await;
    let holder = holder(&url).await;
    let refused = w.search(&w.clinic).await.unwrap_err();
    assert!(matches!(refused.kind(), Error::TooCostly), "{refused:?}");
    assert!(!refused.is_passing(), "the same again would cost the same again");
    holder.batch_execute("COMMIT").await.unwrap();
    assert_eq!(w.search(&w.clinic).await.unwrap().len(), 1);
}

#[tokio::test]
async fn a_budget_of_no_time_at_all_is_not_taken_for_one_without_an_end() {
    let url = cluster::shared().new_database();
    let w = world(&url, Budget { time: Duration::ZERO, readers: 1, waiting: 1 }).await;
    let _holder = holder(&url).await;
    // With so little time not even a connection may be made at the first try.
    let too_costly = async {
        loop {
            match w.search(&w.clinic).await {
                Err(error) if matches!(error.kind(), Error::TooCostly) => break,
                Err(error) if error.is_passing() => {}
                other => panic!("{other:?}"),
            }
        }
    };
    // Without a limit the search would wait for the holder, who waits for the search.
    tokio::time::timeout(PATIENCE / 2, too_costly).await.expect("an end");
}
