//! The primary dies and its streaming standby takes its place: nothing acknowledged is lost, and no client notices more
//! than a pause.

use crate::chains::Chains;
use crate::home::{Home, bound};
use crate::world::World;
use cluster::{Cluster, Stop};
use std::sync::Arc;

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn clients_live_through_the_failover_to_a_synchronous_standby() {
    let primary = Arc::new(Cluster::start());
    let standby = Arc::new(primary.standby());
    // From here on a commit is acknowledged only once the standby has it.
    primary.set("synchronous_standby_names", "*");
    primary.reload();
    let alone = Home::at(primary.new_database());
    let home = alone.through(&format!("{},{}", primary.address(), standby.address()));
    let w = World::at(home.clone()).await;
    let nodes = [w.store.clone(), Arc::new(home.node().await)];
    let chains = Chains::start(&w, &nodes, 16).await;
    chains.go_on(300).await;
    let (dead, next) = (primary.clone(), standby.clone());
    let change = tokio::task::spawn_blocking(move || {
        dead.stop(Stop::Crash);
        next.promote();
    });
    change.await.unwrap();
    chains.go_on(300).await;
    let told = chains.end().await;
    told.is_kept_by(&alone.through(&standby.address()).url);
    assert!(told.longest < bound(&home.options), "{told:?}");
}
