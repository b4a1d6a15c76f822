//! Signed assertions and the keys of clients: each assertion works once, and a client keeps each key's own salt.

use crate::grant::fresh_salt;
use crate::together::{CALLERS, how_many, together};
use crate::world::{NOW, World, client};
use rules::clients::{AuthenticationMethod, ClientKind};
use rules::ids::ClientId;
use rules::limits::ASSERTION_KEPT_SECONDS;
use rules::moment::Moment;
use store::assertions::{SpentAssertion, spend};
use store::clients::{ClientKey, KeySetUrl};
use store::sweep::{BATCH, sweep};
use store::{Store, clients, organisations, world};

const SPENT: &str = "SELECT count(*) FROM spent_assertions";
const ONE: ClientId = ClientId(1);
const OTHER: ClientId = ClientId(2);

async fn spends(store: &Store, client: ClientId, jti: &str) -> bool {
    spend(store, SpentAssertion::new(client, jti, NOW)).await.unwrap()
}

#[tokio::test]
async fn an_assertion_is_used_once_by_its_client() {
    let w = World::new().await;
    assert!(spends(&w.store, ONE, "jti").await);
    assert!(!spends(&w.store, ONE, "jti").await);
    assert!(spends(&w.store, ONE, "another").await);
    assert!(spends(&w.store, OTHER, "jti").await, "what another client calls its assertion is its own affair");
    assert_eq!(w.count(SPENT), 3);
}

#[tokio::test]
async fn a_used_assertion_is_used_after_a_restart_too() {
    let w = World::new().await;
    assert!(spends(&w.store, ONE, "jti").await);
    let w = w.reopened().await;
    assert!(!spends(&w.store, ONE, "jti").await);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixty_four_uses_of_one_assertion_at_once_one_counts() {
    let w = World::new().await;
    let uses = (0..CALLERS).map(|_| {
        let store = w.store.clone();
        async move { spends(&store, ONE, "jti").await }
    });
    assert_eq!(how_many(&together(uses).await, |used| *used), 1);
    assert_eq!(w.count(SPENT), 1);
}

#[tokio::test]
async fn a_used_assertion_is_forgotten_when_no_node_would_take_it_any_more() {
    let w = World::new().await;
    assert!(spends(&w.store, ONE, "jti").await);
    let limit = NOW.plus_seconds(ASSERTION_KEPT_SECONDS);
    assert_eq!(sweep(&w.store, Moment(limit.0 - 1)).await.unwrap().assertions, 0);
    assert_eq!(sweep(&w.store, limit).await.unwrap().assertions, 1);
    assert_eq!(w.count(SPENT), 0);
}

#[tokio::test]
async fn a_full_batch_of_assertions_alone_means_that_there_is_more() {
    let w = World::new().await;
    for number in 0..=BATCH {
        spends(&w.store, ONE, &number.to_string()).await;
    }
    let later = NOW.plus_seconds(ASSERTION_KEPT_SECONDS);
    let swept = sweep(&w.store, later).await.unwrap();
    assert_eq!((swept.assertions, swept.more), (BATCH.unsigned_abs(), true));
    let swept = sweep(&w.store, later).await.unwrap();
    assert_eq!((swept.assertions, swept.more), (1, false));
}

#[tokio::test]
async fn the_keys_of_a_client_come_back_in_their_order_each_with_its_own_salt_and_so_does_their_url() {
    let w = World::new().await;
    let keys: Vec<ClientKey> =
        ["one", "two"].map(|jwk| ClientKey { jwk: format!(r#"{{"kid":"{jwk}"}}"#), salt: fresh_salt() }).into();
    let declared = clients::Client { keys: keys.clone(), secret: None, ..client("signer", ClientKind::System) };
    let declared = world::World { clients: vec![declared], ..Default::default() };
    world::apply(&w.store, declared, NOW).await.unwrap();
    let found = w.client("signer").await;
    assert_eq!(found.keys, keys);
    assert_eq!(found.authentication(), AuthenticationMethod::PrivateKeyJwt);
    let salts: Vec<_> = keys.into_iter().map(|key| key.salt).collect();
    assert_eq!(organisations::standing(&w.store, found.id, "", 0).await.unwrap().unwrap().salts, salts);

    let at = KeySetUrl { url: "https://signer.example/keys".into(), salt: fresh_salt() };
    let moved = at.clone();
    let move_out = move |client: &mut clients::Client| (client.keys, client.jwks_url) = (Vec::new(), Some(moved));
    clients::change(&w.store, "signer".into(), move_out, NOW).await.unwrap();
    let found = w.client("signer").await;
    assert_eq!((found.keys.len(), found.authentication()), (0, AuthenticationMethod::PrivateKeyJwt));
    let standing = organisations::standing(&w.store, found.id, "", 0).await.unwrap().unwrap();
    assert_eq!(standing.salts, std::slice::from_ref(&at.salt));
    assert_eq!(found.jwks_url, Some(at));

    clients::change(&w.store, "signer".into(), |client| client.jwks_url = None, NOW).await.unwrap();
    let found = w.client("signer").await;
    assert_eq!((found.keys.len(), found.authentication()), (0, AuthenticationMethod::None));
    assert_eq!(organisations::standing(&w.store, found.id, "", 0).await.unwrap().unwrap().salts, []);
}
