//! Hosts that accept a connection and then say nothing: each uses up its own time and nobody else's.

use crate::home::Home;
use cluster::Cluster;
use std::net::TcpListener;
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::{Error, settings};

/// How long anyone may wait here for anything but a host.
const LONG: Duration = Duration::from_secs(60);

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_gets_to_the_host_that_speaks_past_one_that_is_silent() {
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let alone = Home::new();
    let both = format!("{},{}", silent.local_addr().unwrap(), cluster::shared().address());
    let mut home = alone.through(&both);
    home.options.connect_timeout = Duration::from_secs(3);
    home.options.wait_timeout = LONG;
    let node = home.node().await;
    settings::set(&node, "colour", "red".into()).await.unwrap();
    assert_eq!(settings::get(&node, "colour").await.unwrap().as_deref(), Some("red"));
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_write_that_only_silent_hosts_could_serve_is_told_so_when_their_time_is_up() {
    let cluster = Arc::new(Cluster::start());
    let mut home = Home::at(cluster.new_database());
    home.options.wait_timeout = LONG;
    let node = home.node().await;
    cluster.freeze();
    let began = Instant::now();
    let error = settings::set(&node, "colour", "red".into()).await.expect_err("nobody there");
    cluster.thaw();
    assert!(matches!(error.kind(), Error::Unavailable(why) if why.contains("did not let us in in time")), "{error}");
    assert!(began.elapsed() >= home.options.connect_timeout, "{:?}", began.elapsed());
    assert!(began.elapsed() < LONG / 2, "{:?}", began.elapsed());
}
