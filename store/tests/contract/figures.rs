//! What a store tells of itself: what its engine has, as it is, and nothing beside.

use crate::world::World;
use store::figures::{Figures, Looks};
use store::{clients, settings};

fn looks_for_clients(figures: &Figures) -> Looks {
    figures.memories.iter().find(|(name, _)| *name == "clients").expect("a memory of clients").1
}

#[tokio::test]
async fn looks_commits_waits_and_sizes_are_those_of_what_was_done() {
    let w = World::new().await;
    let before = w.store.figures().await;
    for _ in 0..3 {
        clients::find(&w.store, "letters").await.unwrap().unwrap();
        settings::set(&w.store, "a-setting", "a value".into()).await.unwrap();
    }
    let after = w.store.figures().await;
    assert_eq!(after.writes_waiting, 0, "all of them were waited for");
    assert!(!after.sizes.is_empty() && after.sizes.iter().all(|(_, bytes)| *bytes > 0), "{after:?}");
    let (pool, waits) = after.pool_waits.first().expect("a pool");
    if after.engine == "sqlite" {
        let (earlier, looks) = (looks_for_clients(&before), looks_for_clients(&after));
        assert_eq!((looks.hits - earlier.hits, looks.misses - earlier.misses), (2, 1));
        let commits = |figures: &Figures| figures.groups.as_ref().expect("groups").count();
        assert_eq!(commits(&after) - commits(&before), 3);
        assert!(after.free > Some(0));
        let files: Vec<&str> = after.sizes.iter().map(|(name, _)| name.as_str()).collect();
        assert_eq!(files, ["records", "sessions", "ledger"]);
        assert_eq!(*pool, "long-reads");
    } else {
        assert_eq!((after.engine, *pool), ("postgres", "writers"));
        assert!(waits.count() >= 3, "{waits:?}");
        // Nothing is remembered where others write too, nobody commits for others, and the disk is another machine's.
        assert_eq!((after.memories.len(), after.groups, after.free), (0, None, None));
    }
}
