//! `/readyz` means ready: what stands in the way is said there in words, refused elsewhere with 503, and never logged for
//! each request.

use crate::kit::World;
use service::app::config::LedgerTime;
use service::app::{access_writer, key_ring, readiness};
use service::operator::{Progress, Reply, Request, execute};
use store::ledger::{self, Event, LedgerSpan, NamedLine};
use store::{Place, Store};
use tokio::sync::watch;

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

/// Puts a file where the spool is, so that nothing can be written there, and gives the way back.
fn without_spool(w: &World) -> impl FnOnce() + use<> {
    let directory = w.directory().join("keys.spool");
    std::fs::remove_dir_all(&directory).unwrap();
    std::fs::write(&directory, "").unwrap();
    move || std::fs::remove_file(directory).unwrap()
}

/// How many looks the ledger tells of.
async fn looks(w: &World) -> i64 {
    looks_in(&w.app.store).await
}

async fn looks_in(store: &Store) -> i64 {
    let mut looks = 0;
    let count = |line: NamedLine| {
        looks += line.times;
        true
    };
    ledger::each(store, LedgerSpan::ALL, |line| line.event == Event::Accessed, count).await.unwrap();
    looks
}

// gaps: Operation > A spool that cannot be written
#[tokio::test]
async fn a_service_that_cannot_write_down_who_looks_is_not_ready_until_it_can() {
    let w = World::embedded().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let put_right = without_spool(&w);
    w.calls_fhir_with(&tokens.access).await.opened();
    access_writer::flush(&w.app).await;
    let (status, said) = readiness_of(&w).await;
    assert_eq!((status, said.as_str()), (503, "not ready: it cannot be written down who looks at records\n"));
    put_right();
    access_writer::flush(&w.app).await;
    assert_eq!(readiness_of(&w).await.0, 200);
    assert_eq!(looks(&w).await, 1, "nothing was lost");
}

// gaps: Operation > A spool that cannot be written
#[tokio::test]
async fn where_it_is_written_down_before_the_answer_nothing_is_read_that_could_not_be() {
    let w = World::embedded_with(|settings| settings.ledger = LedgerTime::BeforeAnswer).await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    let (stop, stopped) = watch::channel(false);
    let writing = tokio::spawn(access_writer::run(w.app.clone(), stopped));
    w.calls_fhir_with(&tokens.access).await.opened();
    let _for_good = without_spool(&w);
    for _ in 0..20 {
        assert_eq!(w.calls_fhir_with(&tokens.access).await.status, 503);
    }
    assert_eq!(readiness_of(&w).await.0, 503);
    stop.send(true).unwrap();
    writing.await.unwrap();
    assert_eq!(looks(&w).await, 2, "what was answered, and the one that was being read when the disk failed");
}

#[tokio::test]
async fn a_backup_tells_of_every_look_before_it() {
    let w = World::embedded().await;
    let (_, tokens) = w.amina().approves("Sleep Diary").await;
    w.calls_fhir_with(&tokens.access).await.opened();
    let (to, unheard): (_, Progress) = (w.directory().join("copy"), std::sync::Arc::new(|_, _| ()));
    assert!(matches!(execute(&w.app, Request::Backup { to: to.clone() }, &unheard).await, Reply::BackedUp));
    let copy = Store::open(&Place::Sqlite(to), 2).await.unwrap();
    assert_eq!(looks_in(&copy).await, 1);
}

// gaps: Operation > A database that comes up late
#[tokio::test]
async fn a_database_that_is_not_up_yet_is_told_from_one_that_is_wrong() {
    // Nobody listens there, and a start waits; nobody could ever listen here.
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let place = Place::parse(&format!("postgres://recordgate@{closed}/recordgate?sslmode=disable")).unwrap();
    let error = Store::open(&place, 1).await.unwrap_err();
    assert!(matches!(error.kind(), store::Error::Unavailable(_)), "{error:?}");
    let file = tempfile::NamedTempFile::new().unwrap();
    let error = Store::open(&Place::Sqlite(file.path().into()), 1).await.unwrap_err();
    assert!(!matches!(error.kind(), store::Error::Unavailable(_)), "{error:?}");
}
