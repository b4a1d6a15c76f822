//! Several processes of the built program on one PostgreSQL database and one key ring: together they are one service.

use crate::fleet::{Fleet, TokenPair};
use crate::terminal::answer::Answer;
use crate::terminal::patience::until;
use crate::terminal::program::Program;
use cluster::Stop;
use std::time::{Duration, Instant};

/// What a request may take at the most while the database is away, with room for a busy machine.
const BOUND: Duration = Duration::from_secs(7);

type Change = fn(&Fleet);
type Door = fn(&Program, &TokenPair) -> Answer;

#[test]
fn what_one_process_acknowledged_holds_in_the_other_from_its_next_request_on() {
    let fleet = Fleet::start();
    let [one, other] = [fleet.node(), fleet.node()];
    let (grant, first) = fleet.issue("amina");
    let second = one.refresh(&first).tokens();
    let third = other.refresh(&second.refresh).tokens();
    for node in [&one, &other] {
        assert_eq!(node.whoami(&second.access).status, 200);
        assert_eq!(node.whoami(&third.access).status, 200);
    }
    fleet.run(&["grant", "revoke", &grant]);
    for node in [&one, &other] {
        assert_eq!(node.whoami(&third.access).status, 401);
        assert_eq!(node.refresh(&third.refresh).status, 400);
    }
}

#[test]
fn a_refresh_token_used_on_one_process_is_a_replay_on_the_other() {
    let fleet = Fleet::start();
    let [one, other] = [fleet.node(), fleet.node()];
    let (_, first) = fleet.issue("amina");
    let second = one.refresh(&first).tokens();
    assert_eq!(other.refresh(&first).status, 400);
    assert_eq!(one.whoami(&second.access).status, 401, "the session is revoked");
    assert_eq!(one.refresh(&second.refresh).status, 400);
}

#[test]
fn while_the_database_is_away_every_door_says_so_in_time_and_afterwards_the_same_token_works() {
    let fleet = Fleet::start();
    let nodes = [fleet.node(), fleet.node()];
    let (_, first) = fleet.issue("amina");
    let mut held = nodes[0].refresh(&first).tokens();
    let ways: [(&str, Change, Change); 2] = [
        ("stopped", |fleet| fleet.cluster.stop(Stop::Crash), |fleet| fleet.cluster.start_again()),
        ("silent", |fleet| fleet.cluster.freeze(), |fleet| fleet.cluster.thaw()),
    ];
    for (way, leave, come_back) in ways {
        leave(&fleet);
        for node in &nodes {
            let doors: [Door; 2] = [|node, held| node.refresh(&held.refresh), |node, held| node.whoami(&held.access)];
            for ask in doors {
                let began = Instant::now();
                let answer = ask(node, &held);
                assert!(began.elapsed() < BOUND, "{way}: {:?}", began.elapsed());
                assert_eq!(answer.status, 503, "{way}: {}", answer.body);
                assert!(answer.headers.contains_key("retry-after"), "{way}: {}", answer.body);
            }
            assert_eq!(node.get("/healthz", &[]).status, 200, "{way}: the process itself is well");
            assert_eq!(node.get("/readyz", &[]).status, 503, "{way}");
        }
        come_back(&fleet);
        for node in &nodes {
            held = node.until_answered(|node| node.refresh(&held.refresh)).tokens();
            assert_eq!(node.whoami(&held.access).status, 200, "{way}");
        }
    }
}

/// Its sender is not known while the database is away, but the body is on its way already.
#[test]
fn a_large_upload_hears_503_while_the_database_is_away_and_no_broken_connection() {
    let fleet = Fleet::start();
    let node = fleet.node();
    let (_, first) = fleet.issue("amina");
    let held = node.refresh(&first).tokens();
    fleet.cluster.stop(Stop::Crash);
    let body = format!(r#"{{"resourceType":"Basic","language":"{}"}}"#, "a".repeat(8 << 20));
    let answer = node.post_json("/fhir/Basic", &held.access, &body);
    assert_eq!(answer.status, 503, "{}", answer.body);
    assert!(answer.headers.contains_key("retry-after"));
    fleet.cluster.start_again();
}

#[test]
fn a_process_that_starts_before_its_database_says_so_and_waits_for_it() {
    let fleet = Fleet::start();
    fleet.cluster.stop(Stop::Fast);
    let node = std::thread::scope(|scope| {
        let starting = scope.spawn(|| fleet.node());
        until("the start says that it waits", || fleet.log_of_first().contains("the start waits for it"));
        fleet.cluster.start_again();
        starting.join().unwrap()
    });
    assert_eq!(node.until_answered(|node| node.get("/readyz", &[])).status, 200);
}

#[test]
fn a_process_that_is_killed_leaves_the_others_serving_and_its_successor_joins_them() {
    let fleet = Fleet::start();
    let [one, other] = [fleet.node(), fleet.node()];
    let (_, first) = fleet.issue("amina");
    let mut held = one.refresh(&first).tokens();
    drop(one);
    held = other.refresh(&held.refresh).tokens();
    let successor = fleet.node();
    held = successor.refresh(&held.refresh).tokens();
    assert_eq!(other.whoami(&held.access).status, 200);
}

#[test]
fn a_new_key_is_taken_up_by_every_process_without_a_token_lost_and_a_retired_one_is_void_in_all() {
    let fleet = Fleet::start();
    let nodes = [fleet.node(), fleet.node()];
    let (_, first) = fleet.issue("amina");
    let old = nodes[0].refresh(&first).tokens();
    let keys = || -> Vec<serde_json::Value> {
        let told: serde_json::Value = serde_json::from_str(&fleet.run(&["keys", "list", "--json"])).unwrap();
        told.as_array().unwrap().clone()
    };
    let retired = keys()[0]["id"].as_str().unwrap().to_owned();
    fleet.run(&["keys", "rotate"]);
    let seals = format!("rga_{}_", keys()[1]["id"].as_str().unwrap());
    let mut held = nodes[0].refresh(&old.refresh).tokens();
    for node in &nodes {
        until("it seals with the new key", || {
            held = node.refresh(&held.refresh).tokens();
            held.access.starts_with(&seals)
        });
    }
    for node in &nodes {
        assert_eq!((node.whoami(&old.access).status, node.whoami(&held.access).status), (200, 200));
    }
    fleet.run(&["keys", "retire", &retired]);
    for node in &nodes {
        until("the retired key opens nothing", || node.whoami(&old.access).status == 401);
        assert_eq!(node.whoami(&held.access).status, 200);
    }
}
