//! What is remembered of a session is never older than the last acknowledged change.

use crate::grant::Grant;
use crate::world::{self, NORTH, NOW, SOUTH, World};
use rules::ids::SessionId;
use rules::scope::UserType;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use store::bearer::Bearer;
use store::{clients, people};

const READERS: usize = 6;
const CHANGES: u64 = 120;

/// A thing that can be switched on and off, and how a session shows it.
#[derive(Clone, Copy, Debug)]
enum Switch {
    ClientDisabled,
    UserFrozen,
    SecondTeam,
}

impl Switch {
    async fn turn(self, w: &World, on: bool) {
        let at = on.then_some(NOW);
        match self {
            Self::ClientDisabled => {
                clients::change(&w.store, "sleep-diary".into(), move |client| client.disabled_at = at, NOW)
                    .await
                    .unwrap();
            }
            Self::UserFrozen => {
                people::change(&w.store, "clara".into(), move |user| user.frozen_at = at, NOW).await.unwrap();
            }
            Self::SecondTeam => {
                let teams: &[&str] = if on { &[NORTH, SOUTH] } else { &[NORTH] };
                let users = vec![world::user("clara", UserType::Clinician, None, teams)];
                let declared = store::world::World { users, ..Default::default() };
                store::world::apply(&w.store, declared, NOW).await.unwrap();
            }
        }
    }

    fn is_on(self, bearer: &Arc<Bearer>) -> bool {
        match self {
            Self::ClientDisabled => bearer.client_disabled,
            Self::UserFrozen => bearer.session.frozen,
            Self::SecondTeam => bearer.reach.teams().len() == 2,
        }
    }
}

async fn of_clara(w: &World) -> Grant {
    let granted = w.opened(w.approval("clara").await).await;
    granted.redeem().await;
    granted
}

#[tokio::test]
async fn the_very_next_look_shows_an_acknowledged_change() {
    let w = World::new().await;
    let granted = of_clara(&w).await;
    for switch in [Switch::ClientDisabled, Switch::UserFrozen, Switch::SecondTeam] {
        for on in [true, false, true, false] {
            granted.bearer().await;
            switch.turn(&w, on).await;
            assert_eq!(switch.is_on(&granted.bearer().await), on, "{switch:?}");
        }
    }
}

#[tokio::test]
async fn the_very_next_look_shows_an_acknowledged_refresh_and_revocation() {
    let w = World::new().await;
    let granted = w.connected().await;
    for before in 1..20 {
        assert_eq!(granted.bearer().await.session.generation, before);
        granted.refresh(before).await;
        assert_eq!(granted.bearer().await.session.generation, before + 1);
    }
    granted.revoke().await;
    assert_eq!(granted.bearer().await.session.revoked_at, Some(NOW));
}

#[tokio::test]
async fn a_session_that_was_not_there_is_found_once_it_is() {
    let w = World::new().await;
    let first = w.connected().await;
    for id in first.id.0 + 1..first.id.0 + 3 {
        assert!(store::bearer::find(&w.store, SessionId(id)).await.unwrap().is_none());
    }
    let second = w.connected().await;
    assert_eq!(second.bearer().await.id, second.id);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_reader_that_starts_after_an_acknowledgement_ever_sees_the_state_before_it() {
    let w = Arc::new(World::new().await);
    let granted = of_clara(&w).await;
    for switch in [Switch::ClientDisabled, Switch::UserFrozen, Switch::SecondTeam] {
        let clock = Arc::new(Clock::default());
        let readers: Vec<_> =
            (0..READERS).map(|_| tokio::spawn(read_until_the_end(granted.clone(), switch, clock.clone()))).collect();
        for change in 1..=CHANGES {
            clock.begun.store(change, Ordering::SeqCst);
            switch.turn(&w, change % 2 == 1).await;
            clock.acknowledged.store(change, Ordering::SeqCst);
            clock.wait_for_a_look(change).await;
        }
        clock.begun.store(u64::MAX, Ordering::SeqCst);
        for reader in readers {
            reader.await.expect("a reader");
        }
    }
}

/// Which change was begun last and which acknowledged last; odd ones switch on, even ones off.
#[derive(Default)]
struct Clock {
    begun: AtomicU64,
    acknowledged: AtomicU64,
    /// The last change that a reader looked at while nothing else was under way.
    looked_at: AtomicU64,
}

impl Clock {
    async fn wait_for_a_look(&self, change: u64) {
        while self.looked_at.load(Ordering::SeqCst) < change {
            tokio::task::yield_now().await;
        }
    }
}

async fn read_until_the_end(granted: Grant, switch: Switch, clock: Arc<Clock>) {
    while clock.begun.load(Ordering::SeqCst) != u64::MAX {
        let acknowledged = clock.acknowledged.load(Ordering::SeqCst);
        let on = switch.is_on(&granted.bearer().await);
        // With a change under way both states are right; without, only the acknowledged one is.
        if clock.begun.load(Ordering::SeqCst) == acknowledged {
            assert_eq!(on, acknowledged % 2 == 1, "{switch:?} after change {acknowledged}");
            clock.looked_at.fetch_max(acknowledged, Ordering::SeqCst);
        }
        tokio::task::yield_now().await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn no_reader_that_starts_after_an_acknowledged_revocation_sees_the_session_alive() {
    let w = World::new().await;
    for _ in 0..150 {
        let granted = w.connected().await;
        let revoked = Arc::new(AtomicU64::new(0));
        let readers: Vec<_> = (0..READERS)
            .map(|_| {
                let (granted, revoked) = (granted.clone(), revoked.clone());
                tokio::spawn(async move {
                    loop {
                        let acknowledged = revoked.load(Ordering::SeqCst) == 1;
                        let alive = granted.bearer().await.session.revoked_at.is_none();
                        assert!(!(acknowledged && alive), "seen alive after its revocation");
                        if acknowledged {
                            break;
                        }
                        tokio::task::yield_now().await;
                    }
                })
            })
            .collect();
        granted.revoke().await;
        revoked.store(1, Ordering::SeqCst);
        for reader in readers {
            reader.await.expect("a reader");
        }
    }
}

#[tokio::test]
async fn a_swept_session_is_not_found_any_more() {
    let w = World::new().await;
    let granted = w.approved().await;
    granted.bearer().await;
    let long_after = NOW.plus_seconds(rules::limits::UNREDEEMED_KEPT_SECONDS);
    assert_eq!(store::sweep::sweep(&w.store, long_after).await.unwrap().sessions, 1);
    assert!(store::bearer::find(&w.store, granted.id).await.unwrap().is_none());
}
