//! The book of proofs of keys: each is used once, and there is no more of them than the book has room for.

use crate::together::{CALLERS, how_many, together};
use crate::world::{NOW, World};
use rules::bound_key::KeyThumbprint;
use rules::limits::{PROOF_KEPT_SECONDS, PROOFS_PER_SHELF};
use rules::moment::Moment;
use sha2::{Digest, Sha256};
use store::Store;
use store::proofs::{Spending, SpentProof, spend};
use store::sweep::sweep;

const SPENT: &str = "SELECT count(*) FROM spent_proofs";

fn key(letter: &str) -> KeyThumbprint {
    KeyThumbprint::read(&letter.repeat(43)).unwrap()
}

async fn spends(store: &Store, key: &KeyThumbprint, jti: &str, now: Moment) -> Spending {
    spend(store, SpentProof::new(key, jti, now), now).await.unwrap()
}

#[tokio::test]
async fn a_proof_is_used_once_by_its_key() {
    let w = World::new().await;
    let (one, other) = (key("a"), key("b"));
    assert_eq!(spends(&w.store, &one, "jti", NOW).await, Spending::Spent);
    assert_eq!(spends(&w.store, &one, "jti", NOW).await, Spending::Replayed);
    assert_eq!(spends(&w.store, &one, "another", NOW).await, Spending::Spent);
    assert_eq!(spends(&w.store, &other, "jti", NOW).await, Spending::Spent, "another key has names of its own");
    assert_eq!(w.count(SPENT), 3);
}

#[tokio::test]
async fn a_used_proof_is_used_after_a_restart_too() {
    let w = World::new().await;
    assert_eq!(spends(&w.store, &key("a"), "jti", NOW).await, Spending::Spent);
    let w = w.reopened().await;
    assert_eq!(spends(&w.store, &key("a"), "jti", NOW).await, Spending::Replayed);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixty_four_uses_of_one_proof_at_once_one_counts() {
    let w = World::new().await;
    let uses = (0..CALLERS).map(|_| {
        let store = w.store.clone();
        async move { spends(&store, &key("a"), "jti", NOW).await }
    });
    assert_eq!(how_many(&together(uses).await, |used| *used == Spending::Spent), 1);
    assert_eq!(w.count(SPENT), 1);
}

#[tokio::test]
async fn a_used_proof_is_forgotten_when_no_node_would_take_it_any_more() {
    let w = World::new().await;
    spends(&w.store, &key("a"), "jti", NOW).await;
    let limit = NOW.plus_seconds(PROOF_KEPT_SECONDS);
    assert_eq!(sweep(&w.store, Moment(limit.0 - 1)).await.unwrap().proofs, 0);
    assert_eq!(sweep(&w.store, limit).await.unwrap().proofs, 1);
    assert_eq!(w.count(SPENT), 0);
}

/// Names of proofs that stand on one shelf of 4096: the first twelve bits of their hashes are the same.
fn of_one_shelf(key: &KeyThumbprint) -> impl Iterator<Item = String> {
    let (print, mut shelf) = (key.as_str().to_owned(), None);
    (0_u64..).map(|number| number.to_string()).filter(move |jti| {
        let hash: [u8; 32] = Sha256::digest(format!("{print}{jti}")).into();
        let place = (hash[0], hash[1] >> 4);
        *shelf.get_or_insert(place) == place
    })
}

#[tokio::test]
async fn a_shelf_that_is_full_takes_no_more_until_its_proofs_are_over_and_others_go_on() {
    let w = World::new().await;
    let key = key("a");
    let mut names = of_one_shelf(&key);
    for name in names.by_ref().take(usize::try_from(PROOFS_PER_SHELF).unwrap()) {
        assert_eq!(spends(&w.store, &key, &name, NOW).await, Spending::Spent);
    }
    let name = names.next().unwrap();
    let limit = NOW.plus_seconds(PROOF_KEPT_SECONDS);
    for now in [NOW, Moment(limit.0 - 1)] {
        assert_eq!(spends(&w.store, &key, &name, now).await, Spending::Full);
    }
    assert_eq!(spends(&w.store, &key, "of another shelf", NOW).await, Spending::Spent);
    assert_eq!(spends(&w.store, &key, &name, limit).await, Spending::Spent);
    assert_eq!(w.count(SPENT), 2, "what was over made room");
}
