//! A disk that is full: whoever was told yes finds it, whoever was told no finds nothing, and nobody is lied to.

use crate::child;
use crate::home::{self, Home};
use crate::world::{NOW, World};
use rules::ids::SessionId;
use std::collections::BTreeSet;
use std::sync::Arc;
use store::opening::{self, Opening};
use store::{Store, bearer};

/// Files may not grow beyond this many blocks of 512 bytes: the log meets it before it is due.
const LIMIT: &str = "trap '' XFSZ; ulimit -f 24000;";
const WRITERS: usize = 8;
/// Each transaction is larger than the writer's page cache, so the disk is full in the middle of some, too.
const PER_WRITE: usize = 300;

#[tokio::test]
async fn on_a_full_disk_yes_means_stored_and_no_means_not_stored() {
    let directory = tempfile::tempdir().unwrap();
    let mut child = child::with_limits(LIMIT, "full_disk::writes_until_it_is_refused", directory.path());
    let output = child.output().expect("the child");
    assert!(output.status.success(), "the child fell: {}", String::from_utf8_lossy(&output.stdout));
    let lines = String::from_utf8(output.stdout).unwrap();
    let mut promised = BTreeSet::new();
    let mut refused = 0;
    for (what, id, _) in lines.split_inclusive('\n').filter_map(child::said) {
        match what {
            "yes" => assert!(promised.insert(id)),
            "no" => refused += 1,
            other => panic!("the child said {other:?}"),
        }
    }
    assert!(!promised.is_empty() && refused > 0, "{} promised, {refused} refused", promised.len());
    let store =
        Store::open(&home::place(directory.path()), 1).await.expect("the store opens where there is room again");
    for id in &promised {
        assert!(bearer::find(&store, SessionId(*id)).await.unwrap().is_some(), "a promised session is gone");
    }
    let kept = usize::try_from(home::count(directory.path(), "SELECT count(*) FROM sessions")).unwrap();
    assert_eq!(kept, promised.len(), "what was refused is not there");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the child process of the test above"]
async fn writes_until_it_is_refused() {
    let w = Arc::new(World::at(Home::Given(child::directory())).await);
    let mut writers = tokio::task::JoinSet::new();
    for _ in 0..WRITERS {
        let w = w.clone();
        writers.spawn(async move {
            let mut refusals = 0;
            while refusals < 3 {
                let long = || Opening { scope_spelt: Some("PATIENT".repeat(200)), ..w.bare_approval() };
                let openings = (0..PER_WRITE).map(|_| long()).collect();
                match opening::open_some(&w.store, openings, NOW).await {
                    Ok((opened, _)) => opened.into_iter().flatten().for_each(|id| child::say("yes", id.0, 0)),
                    Err(_) => {
                        child::say("no", 0, 0);
                        refusals += 1;
                    }
                }
            }
        });
    }
    writers.join_all().await;
    w.store.is_ready().await.expect("what is there can still be read");
}
