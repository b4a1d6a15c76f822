//! `/readyz` means ready: what stands in the way is said there in words, refused elsewhere with 503, and never logged for
//! each request.

use crate::kit::World;
use service::app::{key_ring, readiness};

async fn readiness_of(w: &World) -> (u16, String) {
    let reply = w.get("/readyz").await;
    (reply.status, reply.text().to_owned())
}

// gaps: Operation > Ready
// gaps: Operation > A store that lost a part
#[tokio::test]
async fn a_service_whose_files_are_gone_is_not_ready_and_acknowledges_nothing() {
    let w = World::embedded().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    assert_eq!(readiness_of(&w).await, (200, "ready\n".into()));
    std::fs::remove_file(w.directory().join("data/sessions.sqlite")).unwrap();
    let (status, said) = readiness_of(&w).await;
    assert_eq!(status, 503);
    assert!(said.starts_with("not ready: sessions.sqlite is gone"), "{said}");
    assert!(!said.contains(w.directory().to_str().unwrap()), "no directory is named to everybody: {said}");
    assert_eq!(app.refresh(&tokens).await.0.status, 503);
    assert_eq!(w.get("/healthz").await.status, 200);
}

#[tokio::test]
async fn where_space_is_short_it_is_said_and_what_is_granted_goes_on() {
    let w = World::embedded().await;
    let (app, tokens) = w.amina().approves("Sleep Diary").await;
    w.app.store.keep_free(u64::MAX);
    let (status, said) = readiness_of(&w).await;
    assert_eq!(status, 503);
    assert!(said.starts_with("not ready: no space left"), "{said}");
    let second = app.refresh(&tokens).await.granted();
    w.calls_fhir_with(&second.access).await.opened();
    w.app.store.keep_free(0);
    assert_eq!(readiness_of(&w).await.0, 200);
}

#[tokio::test]
async fn a_service_whose_ring_was_exchanged_keeps_its_keys_and_is_not_ready() {
    let (w, other) = (World::embedded().await, World::embedded().await);
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let [own, foreign] = [&w, &other].map(|w| w.directory().join("keys"));
    let kept = std::fs::read(&own).unwrap();
    std::fs::copy(&foreign, &own).unwrap();
    key_ring::reread(&w.app.store, &w.app.keys, w.now()).await.expect_err("another store's");
    let (status, said) = readiness_of(&w).await;
    assert!(status == 503 && said.contains("key ring"), "{status} {said}");
    w.calls_fhir_with(&tokens.access).await.opened();
    std::fs::write(&own, kept).unwrap();
    key_ring::reread(&w.app.store, &w.app.keys, w.now()).await.unwrap();
    assert_eq!(readiness::obstacle(&w.app).await, None);
}
