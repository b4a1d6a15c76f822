//! The primary is killed under load and its synchronous standby is promoted: the nodes say "try again" in time, find the
//! new primary by themselves, and everything that they had acknowledged is there.

use crate::chain::Course;
use crate::fleet::{Fleet, TokenPair};
use cluster::Stop;
use std::time::Duration;

const CLIENTS: usize = 6;
/// Longer than a node takes at the most, with room for a machine that runs two databases and much else.
const BOUND: Duration = Duration::from_secs(15);

#[test]
fn nodes_live_through_the_death_of_the_primary_and_lose_nothing_that_they_acknowledged() {
    let fleet = Fleet::with_standby();
    let nodes = [fleet.node(), fleet.node()];
    let (_, used) = fleet.issue("amina");
    let quiet = nodes[0].refresh(&used).tokens();
    let (grant, first) = fleet.issue("amina");
    let revoked = nodes[1].refresh(&first).tokens();
    fleet.run(&["grant", "revoke", &grant]);
    let chains: Vec<TokenPair> = (0..CLIENTS).map(|_| nodes[0].refresh(&fleet.issue("amina").1).tokens()).collect();

    let course = Course::default();
    let ended: Vec<(TokenPair, Duration)> = std::thread::scope(|scope| {
        let clients: Vec<_> = chains.into_iter().map(|held| scope.spawn(|| course.follow(&nodes, held))).collect();
        course.until(&course.answered, 60);
        fleet.cluster.stop(Stop::Kill);
        course.until(&course.put_off, 10);
        for node in &nodes {
            assert_eq!(node.whoami(&quiet.access).status, 503, "a standby is not asked: it may be behind");
            assert_eq!(node.get("/readyz", &[]).status, 503);
        }
        fleet.standby.as_ref().unwrap().promote();
        course.until(&course.answered, 60);
        course.stop();
        clients.into_iter().map(|client| client.join().unwrap()).collect()
    });

    for (held, longest) in ended {
        assert!(longest < BOUND, "an answer took {longest:?}");
        for node in &nodes {
            assert_eq!(node.until_answered(|node| node.whoami(&held.access)).status, 200);
        }
    }
    for node in &nodes {
        assert_eq!(node.whoami(&revoked.access).status, 401, "a revocation outlives the primary");
        assert_eq!(node.whoami(&quiet.access).status, 200, "a grant outlives the primary");
    }
    assert_eq!(nodes[0].refresh(&revoked.refresh).status, 400);
    // In the aftermath of an outage nobody is called a thief.
    let replayed = nodes[1].until_answered(|node| node.refresh(&used));
    assert_eq!(replayed.status, 400, "a used token is a used token on the new primary");
    assert_eq!(nodes[0].whoami(&quiet.access).status, 401, "and its replay ends the session");
}
