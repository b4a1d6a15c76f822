//! The kit itself: a cluster is durable, can be frozen, crashed and replaced, and leaves nothing behind.

use cluster::{Cluster, Stop};

fn folder(cluster: &Cluster) -> String {
    let data = cluster.ask("postgres", "SHOW data_directory");
    data.trim_end_matches("/data").to_owned()
}

#[test]
fn what_was_committed_survives_a_crash_and_a_cluster_leaves_nothing_behind() {
    let cluster = Cluster::start();
    assert_eq!(cluster.ask("postgres", "SHOW fsync"), "on");
    let url = cluster.new_database();
    cluster::ask(&url, "CREATE TABLE t (n INT); INSERT INTO t VALUES (7)");
    for how in [Stop::Crash, Stop::Kill] {
        cluster.stop(how);
        cluster.start_again();
        assert_eq!(cluster::ask(&url, "SELECT n FROM t"), "7", "{how:?}");
    }
    let folder = folder(&cluster);
    assert!(std::fs::exists(&folder).expect("the temporary folder"));
    cluster.freeze();
    drop(cluster);
    assert!(!std::fs::exists(&folder).expect("the temporary folder"));
}

#[test]
fn a_standby_has_what_its_primary_had_and_can_take_its_place() {
    let primary = Cluster::start();
    let standby = primary.standby();
    primary.ask("postgres", "CREATE TABLE t (n INT)");
    assert_eq!(standby.ask("postgres", "SELECT pg_is_in_recovery()"), "t");
    primary.stop(Stop::Fast);
    standby.promote();
    assert_eq!(standby.ask("postgres", "SELECT count(*) FROM t"), "0");
    assert_eq!(standby.ask("postgres", "SELECT pg_is_in_recovery()"), "f");
}
