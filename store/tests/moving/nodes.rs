//! Nodes that run on a PostgreSQL database while it is moved: none of them acknowledges what would be left behind.

use crate::home::Home;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use store::{Error, settings};

/// How long a statement of a node waits for a lock.
const NODE_WAITS: Duration = Duration::from_secs(5);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn during_a_move_a_node_reads_and_cannot_write_and_afterwards_it_can_do_neither() {
    let (source, target) = (Home::full(Home::postgres).await, Home::sqlite());
    let node = source.open_within(NODE_WAITS).await.unwrap();
    settings::set(&node, "before", "yes".into()).await.unwrap();
    let begun = source.begun(&target).await.unwrap();
    assert_eq!(settings::get(&node, "before").await.unwrap().as_deref(), Some("yes"));
    let refused = settings::set(&node, "during", "yes".into()).await.expect_err("locked");
    assert!(matches!(refused.kind(), Error::Unavailable(_)), "{refused}");
    begun.copy(|_| ()).await.unwrap().compare(|_| ()).await.unwrap().finish().await.unwrap();
    assert!(settings::get(&node, "before").await.is_err());
    assert!(settings::set(&node, "after", "yes".into()).await.is_err());
    let there = target.open().await.unwrap();
    assert_eq!(settings::get(&there, "before").await.unwrap().as_deref(), Some("yes"));
    assert_eq!(settings::get(&there, "during").await.unwrap(), None);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_nodes_acknowledged_until_the_very_end_is_in_the_target() {
    const NAMES: [&str; 4] = ["first", "second", "third", "fourth"];
    let (source, target) = (Home::full(Home::postgres).await, Home::sqlite());
    let node = Arc::new(source.open_within(NODE_WAITS).await.unwrap());
    let over = Arc::new(AtomicBool::new(false));
    let writers = NAMES.map(|name| {
        let (node, over) = (node.clone(), over.clone());
        tokio::spawn(async move {
            let mut acknowledged = 0;
            for number in 1.. {
                if settings::set(&node, name, format!("{number}")).await.is_ok() {
                    acknowledged = number;
                } else if over.load(Ordering::Relaxed) {
                    break;
                }
            }
            acknowledged
        })
    });
    source.moved(&target).await.unwrap();
    over.store(true, Ordering::Relaxed);
    let there = target.open().await.unwrap();
    for (name, writer) in NAMES.into_iter().zip(writers) {
        let acknowledged = writer.await.unwrap();
        let arrived: i64 = settings::get(&there, name).await.unwrap().map_or(0, |value| value.parse().unwrap());
        // One more may have been written and not acknowledged in time.
        assert!(arrived >= acknowledged, "{name}: {arrived} of {acknowledged}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_node_that_starts_on_the_target_meanwhile_is_refused() {
    let (source, target) = (Home::full(Home::sqlite).await, Home::postgres());
    let begun = source.begun(&target).await.unwrap();
    let said = target.open().await.expect_err("not whole").to_string();
    assert!(said.contains("a move into this database was not finished"), "{said}");
    begun.copy(|_| ()).await.unwrap().compare(|_| ()).await.unwrap().finish().await.unwrap();
    target.open().await.expect("a whole database");
}
