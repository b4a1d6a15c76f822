//! Settings that the first to ask for decides.

use crate::together::{CALLERS, together};
use crate::world::World;
use store::settings;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixty_four_who_claim_a_setting_at_once_one_has_its_way_and_all_hear_which() {
    let w = World::new().await;
    let claims = (0..CALLERS).map(|number| {
        let store = w.store.clone();
        let value = if number % 2 == 0 { "service" } else { "sandbox" };
        async move { settings::claim(&store, "purpose", value.to_owned()).await.unwrap() }
    });
    let heard: Vec<String> = together(claims).await;
    assert!(heard.iter().all(|one| *one == heard[0]), "{heard:?}");
    assert_eq!(settings::get(&w.store, "purpose").await.unwrap(), Some(heard[0].clone()));
}

#[tokio::test]
async fn what_is_claimed_stays_as_it_was_claimed_first() {
    let w = World::new().await;
    assert_eq!(settings::claim(&w.store, "purpose", "sandbox".to_owned()).await.unwrap(), "sandbox");
    assert_eq!(settings::claim(&w.store, "purpose", "service".to_owned()).await.unwrap(), "sandbox");
    let w = w.reopened().await;
    assert_eq!(settings::claim(&w.store, "purpose", "service".to_owned()).await.unwrap(), "sandbox");
}
