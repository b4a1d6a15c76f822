//! The world as it lies in a database. On PostgreSQL it is laid once for all tests, and each gets a copy: to make all tables anew
//! for each took longer than most tests do.

use super::calendar::START;
use super::organisations::{RIVERSIDE, organisations, teams};
use super::{app, clients, people, records};
use store::world::{WantedGrant, World};
use store::{Place, Store};
use tokio::sync::OnceCell;

/// A database of the shared cluster in which the world lies, and into which nobody is let any more.
static LAID: OnceCell<String> = OnceCell::const_new();

/// A new database in which the world lies, in the shared cluster.
pub async fn copy() -> Place {
    let cluster = cluster::shared();
    let original = LAID.get_or_init(|| async {
        let url = cluster.new_database();
        let store = Store::open_within(&app::place(&url), 1, app::patient_budget()).await.unwrap();
        lay(&store).await;
        drop(store);
        cluster.close(&url);
        url
    });
    app::place(&cluster.copy_of(original.await))
}

/// Lays the world in a store.
pub async fn lay(store: &Store) {
    store::world::apply(store, declared(), START).await.unwrap();
    records::put_all(store).await;
}

fn declared() -> World {
    World {
        organisations: organisations(),
        teams: teams(),
        users: people::users(),
        patients: Vec::new(),
        consents: Vec::new(),
        clients: clients::all(),
        organisation_grants: vec![WantedGrant::of(RIVERSIDE, clients::named("Lab Link").client_id)],
    }
}
