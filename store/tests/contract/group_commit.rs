//! Group commit: what was acknowledged is on disk, and a job that fails undoes itself, alone or with its group.

use crate::grant::Grant;
use crate::home;
use crate::shelf::{UPDATED, resource};
use crate::world::{self, NOW, TERMS, World, registered};
use fhir::types::ResourceType;
use rules::ids::SessionId;
use rules::reach::Source;
use std::pin::Pin;
use std::sync::mpsc;
use std::task::{Context, Waker};
use store::ledger::Event;
use store::write::resource_write;
use store::{Error, Result, clients, opening, sessions, settings};

pub type Write<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// Puts a write into the writer's queue; it is under way from here on, whoever waits for it.
pub fn queued<'a>(write: impl Future<Output = Result<()>> + Send + 'a) -> Write<'a> {
    let mut write: Write<'a> = Box::pin(write);
    assert!(write.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    write
}

/// A write that keeps the writer busy until it is let go: all that is queued meanwhile goes into its transaction.
pub fn holding(w: &World) -> (Write<'_>, mpsc::Sender<()>) {
    let (let_go, wait) = mpsc::channel();
    let hold = async move {
        let held = clients::change(&w.store, "letters".into(), move |_| wait.recv().expect("to be let go"), NOW).await;
        held.map(|_| ())
    };
    (queued(hold), let_go)
}

async fn grant(w: &World) -> impl Future<Output = Result<()>> + '_ {
    let approval = w.approval("amina").await;
    async move { opening::open(&w.store, approval, NOW).await.map(|_| ()) }
}

/// Declares an organisation and then a team of an organisation that is not there: it writes, and then fails.
async fn half_a_world(w: &World, public_id: &str) -> Result<()> {
    let declared = store::world::World {
        organisations: vec![world::organisation(public_id, "Half")],
        teams: vec![world::team("no-team", "Nowhere", "nobody")],
        ..Default::default()
    };
    store::world::apply(&w.store, declared, NOW).await.map(|_| ())
}

async fn refresh(granted: &Grant) -> Result<()> {
    let token = granted.refresh_token(1);
    sessions::refresh(&granted.store, registered(granted.client, TERMS), token, None, NOW).await.map(|_| ())
}

async fn panics(w: &World) -> Result<()> {
    clients::change(&w.store, "ward-board".into(), |_| panic!("a job that panics on purpose"), NOW).await.map(|_| ())
}

#[tokio::test]
async fn a_job_that_errs_or_panics_undoes_itself_alone_while_its_group_mates_commit() {
    let w = World::new().await;
    let (hold, let_go) = holding(&w);
    let mut good = Vec::new();
    let mut bad = Vec::new();
    for n in 0..20 {
        good.push(queued(grant(&w).await));
        let name = format!("half-{n}");
        bad.push(queued(async { half_a_world(&w, &{ name }).await }));
        bad.push(queued(panics(&w)));
        good.push(queued(grant(&w).await));
    }
    let_go.send(()).unwrap();
    hold.await.expect("the first of the group");
    for write in good {
        write.await.expect("a good job of the group");
    }
    for write in bad {
        write.await.expect_err("a bad job of the group");
    }
    let w = w.reopened().await;
    assert_eq!(w.count("SELECT count(*) FROM sessions"), 40);
    assert_eq!(w.count("SELECT count(*) FROM organisations"), 1, "no half of a world stayed behind");
}

#[tokio::test]
async fn a_refresh_that_fails_half_way_takes_its_group_back_and_nobody_is_told_yes() {
    let w = World::new().await;
    let (bad, good, later) = (w.connected().await, w.connected().await, w.connected().await);
    let broken = format!(
        "CREATE TRIGGER sessions_file.broken AFTER UPDATE ON sessions WHEN NEW.id = {}
         BEGIN SELECT RAISE(FAIL, 'broken on purpose'); END",
        bad.id
    );
    home::beside(w.home.path()).execute_batch(&broken).expect("a trigger");
    let (hold, let_go) = holding(&w);
    let [before, fails, after] = [&good, &bad, &later].map(|granted| queued(refresh(granted)));
    let_go.send(()).unwrap();
    hold.await.expect_err("the first of the group");
    before.await.expect_err("a refresh of the same group");
    fails.await.expect_err("the refresh that fails");
    after.await.expect("a refresh of the next group");
    for (granted, generation) in [(&good, 1), (&bad, 1), (&later, 2)] {
        assert_eq!(granted.bearer().await.session.generation, generation);
    }
    good.refresh(1).await;
    assert_eq!(w.noted(Event::Refreshed).await, 2);
}

#[tokio::test]
async fn many_resources_that_fail_half_way_are_taken_back_by_themselves_and_say_why() {
    let w = World::new().await;
    let broken = "CREATE TRIGGER broken AFTER INSERT ON resources WHEN NEW.fhir_id = 'third'
         BEGIN SELECT RAISE(FAIL, 'broken on purpose'); END";
    home::beside(w.home.path()).execute_batch(broken).expect("a trigger");
    let (hold, let_go) = holding(&w);
    let before = queued(grant(&w).await);
    let many = ["first", "second", "third"].map(|id| resource(ResourceType::Basic, id, "")).into();
    let source = Source::Organisation(w.elsewhere);
    let fails = queued(async { resource_write::put(&w.store, many, source, NOW, UPDATED.into()).await.map(|_| ()) });
    let after = queued(grant(&w).await);
    let_go.send(()).unwrap();
    hold.await.expect("the first of the group");
    before.await.expect("a job of the group before");
    let why = fails.await.expect_err("the resources of which one cannot be stored");
    assert!(why.to_string().contains("broken on purpose"), "{why}");
    after.await.expect("a job of the group behind");
    let w = w.reopened().await;
    assert_eq!(w.count("SELECT count(*) FROM sessions"), 2);
    assert_eq!(w.count("SELECT count(*) FROM resources"), 0, "no half of them stayed behind");
    assert_eq!(w.count("SELECT count(*) FROM index_uris"), 0);
}

#[tokio::test]
async fn who_waits_for_the_writer_is_counted_and_so_is_each_group() {
    let w = World::new().await;
    let before = w.store.figures().await;
    let (hold, let_go) = holding(&w);
    let waiting: Vec<Write<'_>> =
        (0..9).map(|_| queued(settings::set(&w.store, "a-setting", "a value".into()))).collect();
    // The first job may be begun or not; those behind it cannot be.
    assert!((9..=10).contains(&w.store.figures().await.writes_waiting));
    let_go.send(()).unwrap();
    hold.await.expect("the first of the group");
    for write in waiting {
        write.await.expect("a job of the group");
    }
    let after = w.store.figures().await;
    let (before, groups) = (before.groups.expect("groups"), after.groups.expect("groups"));
    assert_eq!((after.writes_waiting, groups.count() - before.count(), groups.sum - before.sum), (0, 1, 10));
}

#[tokio::test]
async fn the_writer_goes_on_after_a_panic() {
    let w = World::new().await;
    let failed = panics(&w).await.expect_err("the panicking job");
    assert!(matches!(failed.kind(), Error::Impossible(_)), "{failed}");
    settings::set(&w.store, "after", "the panic".into()).await.expect("the next job");
    assert_eq!(settings::get(&w.store, "after").await.unwrap().as_deref(), Some("the panic"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn what_was_acknowledged_is_there_after_reopening() {
    let w = World::new().await;
    let mut held: Vec<(SessionId, i64, bool)> = Vec::new();
    for n in 0..60 {
        let granted = w.connected().await;
        for before in 1..=n % 4 {
            granted.refresh(before).await;
        }
        let revoked = n % 5 == 0 && granted.revoke().await;
        held.push((granted.id, 1 + n % 4, revoked));
    }
    let w = w.reopened().await;
    for (id, generation, revoked) in held {
        let found = store::bearer::find(&w.store, id).await.unwrap().expect("an acknowledged session");
        assert_eq!(found.session.generation, generation);
        assert_eq!(found.session.revoked_at.is_some(), revoked);
    }
}

#[tokio::test]
async fn closing_the_store_finishes_what_was_accepted_though_nobody_waits_for_it() {
    let w = World::new().await;
    let mut accepted = Vec::new();
    for _ in 0..700 {
        accepted.push(queued(grant(&w).await));
    }
    drop(accepted);
    let w = w.reopened().await;
    assert_eq!(w.count("SELECT count(*) FROM sessions"), 700);
}

#[tokio::test]
async fn closing_the_store_leaves_files_that_stand_by_themselves() {
    let w = World::new().await;
    let granted: Grant = w.connected().await;
    drop(granted);
    let directory = w.home;
    drop(std::sync::Arc::into_inner(w.store).expect("nobody else holds the store"));
    let mut names: Vec<String> =
        std::fs::read_dir(directory.path()).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    assert_eq!(names, ["ledger.sqlite", "lock", "records.sqlite", "sessions.sqlite"]);
}
