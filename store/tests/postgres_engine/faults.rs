//! The database restarts, is cut off, is frozen, is overrun: passing errors in time, never a wrong answer, and it resumes.

use crate::chains::Chains;
use crate::home::{Home, bound};
use crate::together::{how_many, together};
use crate::world::{NOW, TERMS, World, registered};
use cluster::{Cluster, Stop};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Error, Obstacle, bearer, sessions, settings};

const CLIENTS: usize = 16;

type Change = fn(&Cluster);

fn is_away<T>(answer: &store::Result<T>) -> bool {
    answer.as_ref().is_err_and(|error| matches!(error.kind(), Error::Unavailable(_)))
}

/// A server that takes no writes, as one with a full disk does: said until a write that is tried succeeds.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_database_that_takes_no_writes_is_known_until_it_takes_one() {
    let home = Home::new();
    let w = World::at(home.clone()).await;
    assert_eq!(w.store.obstacle(), None);
    let name = home.ask("SELECT current_database()");
    let cut = "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()";
    home.ask(&format!("ALTER DATABASE \"{name}\" SET default_transaction_read_only = on"));
    home.ask(cut);
    let failed = loop {
        assert!(settings::set(&w.store, "name", "value".into()).await.is_err());
        w.store.probe().await;
        if let Some(failed) = w.store.obstacle() {
            break failed;
        }
    };
    assert!(matches!(failed, Obstacle::CommitFailed(_)), "{failed}");
    home.ask(&format!("BEGIN READ WRITE; ALTER DATABASE \"{name}\" RESET default_transaction_read_only; COMMIT"));
    home.ask(cut);
    while w.store.obstacle().is_some() {
        w.store.probe().await;
        tokio::task::yield_now().await;
    }
    settings::set(&w.store, "name", "value".into()).await.expect("it takes writes again");
}

async fn blocking(work: impl FnOnce() + Send + 'static) {
    tokio::task::spawn_blocking(work).await.unwrap();
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn clients_of_two_nodes_live_through_restarts_and_crashes_of_the_database() {
    let cluster = Arc::new(Cluster::start());
    let home = Home::at(cluster.new_database());
    let w = World::at(home.clone()).await;
    let nodes = [w.store.clone(), Arc::new(home.node().await)];
    let chains = Chains::start(&w, &nodes, CLIENTS).await;
    for how in [Stop::Fast, Stop::Crash, Stop::Crash] {
        chains.go_on(300).await;
        let cluster = cluster.clone();
        blocking(move || {
            cluster.stop(how);
            cluster.start_again();
        })
        .await;
    }
    chains.go_on(300).await;
    let told = chains.end().await;
    told.is_kept_by(&home.url);
    assert!(told.longest < bound(&home.options), "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn clients_live_through_connections_that_are_cut_in_the_middle_of_transactions() {
    let home = Home::new();
    let w = World::at(home.clone()).await;
    let chains = Chains::start(&w, std::slice::from_ref(&w.store), CLIENTS).await;
    for _ in 0..10 {
        chains.go_on(100).await;
        let home = home.clone();
        blocking(move || {
            let cut = home.count(
                "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity
                 WHERE datname = current_database() AND pid <> pg_backend_pid()",
            );
            assert!(cut > 0, "there was no connection to cut");
        })
        .await;
    }
    chains.go_on(100).await;
    let told = chains.end().await;
    told.is_kept_by(&home.url);
    assert!(told.longest < bound(&home.options), "{told:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_database_that_falls_silent_or_goes_away_is_said_to_be_away_in_time_and_missed_no_longer_than_it_is_gone() {
    let cluster = Arc::new(Cluster::start());
    let home = Home::at(cluster.new_database());
    let w = World::at(home.clone()).await;
    let granted = w.connected().await;
    let ways: [(&str, Change, Change); 2] =
        [("frozen", Cluster::freeze, Cluster::thaw), ("stopped", |c| c.stop(Stop::Fast), Cluster::start_again)];
    for (way, leave, come_back) in ways {
        granted.bearer().await;
        let away = cluster.clone();
        blocking(move || leave(&away)).await;
        let began = Instant::now();
        let reads = (0..8).map(|_| {
            let (store, id) = (w.store.clone(), granted.id);
            async move { bearer::find(&store, id).await.map(|_| ()) }
        });
        let token = granted.refresh_token(1);
        let write = sessions::refresh(&w.store, registered(granted.client, TERMS), token, None, NOW);
        let (read, written) = tokio::join!(together(reads), write);
        assert!(began.elapsed() < bound(&home.options), "{way}: {:?}", began.elapsed());
        assert_eq!(how_many(&read, is_away), 8, "{way}: {read:?}");
        assert!(written.as_ref().is_err_and(Error::is_passing), "{way}: {written:?}");
        let back = cluster.clone();
        blocking(move || come_back(&back)).await;
        granted.bearer().await;
        w.connected().await;
        assert_eq!(granted.bearer().await.session.generation, 1, "{way}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn writers_that_wait_for_each_other_hold_up_no_reader_and_too_many_are_turned_away_at_once() {
    let mut home = Home::new();
    home.options.write_connections = 2;
    home.options.queue_limit = 4;
    home.options.statement_timeout = Duration::from_secs(1);
    let w = World::at(home.clone()).await;
    let granted = w.connected().await;
    let (beside, task) = tokio_postgres::connect(&home.url, tokio_postgres::NoTls).await.unwrap();
    tokio::spawn(task);
    let lock = format!("BEGIN; SELECT * FROM sessions WHERE id = {} FOR UPDATE", granted.id);
    beside.batch_execute(&lock).await.unwrap();
    let began = Instant::now();
    let callers: Vec<_> = (0..32)
        .map(|_| {
            let (store, granted) = (w.store.clone(), granted.clone());
            async move {
                let token = granted.refresh_token(1);
                let answer = sessions::refresh(&store, registered(granted.client, TERMS), token, None, NOW).await;
                (answer.map(|_| ()), began.elapsed())
            }
        })
        .collect();
    let writing = tokio::spawn(together(callers));
    for _ in 0..100 {
        let asked = Instant::now();
        granted.bearer().await;
        assert!(asked.elapsed() < Duration::from_millis(900), "a read waited for a transaction: {:?}", asked.elapsed());
    }
    let answers = writing.await.unwrap();
    assert!(answers.iter().all(|(answer, _)| is_away(answer)), "{answers:?}");
    assert!(answers.iter().all(|(_, after)| *after < bound(&home.options)), "{answers:?}");
    let at_once = how_many(&answers, |(_, after)| *after < Duration::from_millis(900));
    assert!(at_once >= 32 - 2 - 4 - 2, "{at_once} of 32 were turned away at once: {answers:?}");
    beside.batch_execute("ROLLBACK").await.unwrap();
    assert_eq!(crate::grant::generation(granted.refresh(1).await), 2);
}

#[tokio::test]
async fn a_write_job_that_panics_leaves_no_transaction_behind_and_its_connection_serves_nobody_else() {
    let mut home = Home::new();
    home.options.write_connections = 1;
    let w = World::at(home.clone()).await;
    // Of the connections of a node, the one that writes ends with this.
    let the_one_that_writes =
        || home.ask("SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND query = 'COMMIT'");
    let before = the_one_that_writes();
    let failed = store::clients::change(&w.store, "sleep-diary".into(), |_| panic!("on purpose"), NOW).await;
    assert!(failed.as_ref().is_err_and(|error| matches!(error.kind(), Error::Impossible(_))), "{failed:?}");
    let longer = |client: &mut store::clients::Client| client.product.push('!');
    assert!(store::clients::change(&w.store, "sleep-diary".into(), longer, NOW).await.unwrap().is_some());
    let after = the_one_that_writes();
    assert!(before.parse::<i64>().is_ok() && after.parse::<i64>().is_ok() && before != after, "{before}, {after}");
}

#[tokio::test]
async fn a_caller_that_goes_away_does_not_stop_what_it_asked_for() {
    let w = World::new().await;
    let granted = w.connected().await;
    {
        let mut revoking = Box::pin(granted.revoke());
        let once = std::future::poll_fn(|cx| std::task::Poll::Ready(revoking.as_mut().poll(cx).is_pending())).await;
        assert!(once, "it takes a while");
    }
    let deadline = Instant::now() + Duration::from_secs(10);
    while granted.bearer().await.session.revoked_at.is_none() {
        assert!(Instant::now() < deadline, "the revocation stopped with its caller");
    }
}
