//! On PostgreSQL: a lock on the table of tokens holds up every search by token, and nobody else.

use super::{PATIENCE, SLOW, everything_else_is_answered};
use crate::kit::reply::Reply;
use crate::kit::{World, place};
use axum::response::Response;
use std::time::Duration;
use store::Budget;
use tokio::task::JoinSet;
use tokio_postgres::{Client, NoTls};

const SEARCH: &str = "/fhir/Patient?identifier=9990000018";

async fn world(url: &str, budget: Budget) -> World {
    World::within(budget, &place(url), tempfile::tempdir().unwrap(), |_| {}).await
}

/// Somebody who holds the table of tokens until the end of a transaction.
async fn holder(url: &str) -> Client {
    let (client, connection) = tokio_postgres::connect(url, NoTls).await.unwrap();
    tokio::spawn(connection);
    client.batch_execute("BEGIN; LOCK TABLE index_tokens IN ACCESS EXCLUSIVE MODE").await.unwrap();
    client
}

#[tokio::test]
async fn ten_slow_searches_delay_neither_point_reads_nor_tokens_and_whoever_comes_on_top_is_turned_away() {
    let url = cluster::shared().new_database();
    let w = world(&url, Budget { time: PATIENCE, readers: 1, waiting: SLOW }).await;
    let okafor = w.dr_okafor().caller().await;
    okafor.get(SEARCH).await.opened();
    let holder = holder(&url).await;
    // One more than may be read and wait: when it is turned away, all others are under way.
    let mut searches: JoinSet<Response> = JoinSet::new();
    for _ in 0..SLOW + 2 {
        searches.spawn(w.answers(okafor.get_request(SEARCH)));
    }
    let refused = Reply::read(SEARCH, searches.join_next().await.unwrap().unwrap()).await;
    refused.says(429, "TOO_MANY_READS");
    assert_eq!(refused.header("retry-after"), Some("1"));
    for _ in 0..10 {
        okafor.get("/fhir/Patient/amina").await.opened();
        okafor.get("/fhir/DocumentReference/note/_history/1").await.opened();
        w.client("Lab Link").client_credentials().await.granted();
    }
    okafor.get("/fhir/DocumentReference/note/_history").await.says(429, "TOO_MANY_READS");
    holder.batch_execute("COMMIT").await.unwrap();
    while let Some(answer) = searches.join_next().await {
        assert_eq!(Reply::read(SEARCH, answer.unwrap()).await.found(), ["amina"]);
    }
    everything_else_is_answered(&w, &okafor).await;
}

#[tokio::test]
async fn a_search_over_its_budget_is_too_costly_and_the_next_is_answered() {
    let url = cluster::shared().new_database();
    let w = world(&url, Budget { time: Duration::from_secs(1), readers: 1, waiting: SLOW }).await;
    let okafor = w.dr_okafor().caller().await;
    okafor.get(SEARCH).await.opened();
    let holder = holder(&url).await;
    let reply = okafor.get(SEARCH).await;
    reply.says(422, "TOO_COSTLY");
    assert_eq!(reply.json()["issue"][0]["code"], "too-costly");
    holder.batch_execute("COMMIT").await.unwrap();
    assert_eq!(okafor.get(SEARCH).await.found(), ["amina"]);
}
