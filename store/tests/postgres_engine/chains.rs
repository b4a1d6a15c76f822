//! Clients that refresh as fast as they can, through any node, and must never lose their session whatever happens.

use crate::grant::Grant;
use crate::world::{NOW, TERMS, World, registered};
use rules::lifecycle::Ruling;
use rules::moment::Moment;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, Instant};
use store::{Error, Store, sessions};
use tokio::task::JoinSet;

/// What a client that was told to come again waits.
const PAUSE: Duration = Duration::from_millis(20);

pub struct Chains {
    shared: Arc<Shared>,
    running: JoinSet<Tally>,
}

#[derive(Default)]
struct Shared {
    stop: AtomicBool,
    answered: AtomicU64,
}

/// What one client lived through.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    pub answered: u64,
    pub turned_away: u64,
    pub unknown: u64,
    pub longest: Duration,
}

impl Tally {
    /// Fails unless the database at this URL holds every refresh that was answered, and none besides but those of which
    /// the clients were told that nobody knows.
    pub fn is_kept_by(&self, database: &str) {
        let kept = cluster::ask(database, "SELECT sum(generation - 1)::bigint FROM sessions");
        let kept: u64 = kept.parse().expect("a number");
        assert!((self.answered..=self.answered + self.unknown).contains(&kept), "{kept} are kept of {self:?}");
    }
}

impl Chains {
    pub async fn start(w: &World, nodes: &[Arc<Store>], clients: usize) -> Self {
        let shared = Arc::new(Shared::default());
        let mut running = JoinSet::new();
        for number in 0..clients {
            let granted = w.connected().await;
            running.spawn(chain(granted, nodes.to_vec(), number, shared.clone()));
        }
        Self { shared, running }
    }

    /// Waits until so many more refreshes were answered; fails if that takes too long.
    pub async fn go_on(&self, more: u64) {
        let wanted = self.shared.answered.load(Ordering::SeqCst) + more;
        let deadline = Instant::now() + Duration::from_secs(60);
        while self.shared.answered.load(Ordering::SeqCst) < wanted {
            assert!(Instant::now() < deadline, "the clients do not get on");
            tokio::time::sleep(PAUSE).await;
        }
    }

    pub async fn end(self) -> Tally {
        self.shared.stop.store(true, Ordering::SeqCst);
        self.running.join_all().await.into_iter().fold(Tally::default(), |all, one| Tally {
            answered: all.answered + one.answered,
            turned_away: all.turned_away + one.turned_away,
            unknown: all.unknown + one.unknown,
            longest: all.longest.max(one.longest),
        })
    }
}

async fn chain(granted: Grant, nodes: Vec<Arc<Store>>, mut node: usize, shared: Arc<Shared>) -> Tally {
    let mut told = Tally::default();
    let mut generation = 1;
    while !shared.stop.load(Ordering::SeqCst) {
        let token = granted.refresh_token(generation);
        let now = Moment(NOW.0 + i64::try_from(told.answered + told.turned_away).unwrap());
        let began = Instant::now();
        let asked =
            sessions::refresh(&nodes[node % nodes.len()], registered(granted.client, TERMS), token, None, now).await;
        told.longest = told.longest.max(began.elapsed());
        match asked {
            Ok(Some(outcome)) => match outcome.ruling {
                Ruling::Issue(issue) => {
                    generation += 1;
                    assert_eq!(issue.generation, generation);
                    told.answered += 1;
                    shared.answered.fetch_add(1, Ordering::SeqCst);
                    node += 1;
                }
                other => panic!("generation {generation} of {} got {other:?} after {told:?}", granted.id),
            },
            Ok(None) => panic!("session {} is gone", granted.id),
            Err(error) => {
                assert!(error.is_passing(), "{error}");
                told.turned_away += 1;
                // Only the node that asked knows that an outcome is open; anything else is safe to ask of any node.
                match error.kind() {
                    Error::OutcomeUnknown => told.unknown += 1,
                    _ => node += usize::from(told.unknown == 0),
                }
                tokio::time::sleep(PAUSE).await;
            }
        }
    }
    told
}
