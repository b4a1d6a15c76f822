//! Concurrency as shots: many callers, one code or one refresh token; refreshing against revoking.

use crate::grant::{Grant, generation};
use crate::together::{CALLERS, how_many, together};
use crate::world::{NOW, TERMS, World};
use rules::lifecycle::{Refused, Revoked, Ruling, Terms};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};
use store::ledger::Event;

const ROUNDS: usize = 10;

fn is_issue(ruling: &Ruling) -> bool {
    matches!(ruling, Ruling::Issue(_))
}

/// One caller got tokens, one gave the reuse away, and everyone after that met a revoked session.
fn assert_one_winner(rulings: &[Ruling], why: Revoked) {
    assert_eq!(how_many(rulings, is_issue), 1);
    assert_eq!(how_many(rulings, |ruling| *ruling == Ruling::Revoke(why)), 1);
    let late = how_many(rulings, |ruling| *ruling == Ruling::Refuse(Refused::SessionRevoked));
    assert_eq!(late, CALLERS - 2);
}

async fn assert_no_branch_lives(granted: &Grant) {
    assert_eq!(granted.bearer().await.session.revoked_at, Some(NOW));
    let newest = granted.bearer().await.session.generation;
    for generation in 0..=newest + 1 {
        assert_eq!(granted.refresh(generation).await, Ruling::Refuse(Refused::SessionRevoked));
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixty_four_callers_with_one_code_one_wins_and_the_session_ends_revoked() {
    let w = World::new().await;
    for _ in 0..ROUNDS {
        let granted = w.approved().await;
        let callers = (0..CALLERS).map(|_| {
            let granted = granted.clone();
            async move { granted.redeem().await.expect("a genuine code") }
        });
        assert_one_winner(&together(callers).await, Revoked::CodeReplayed);
        assert_no_branch_lives(&granted).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_sixty_four_callers_with_one_refresh_token_one_wins_and_the_session_ends_revoked() {
    let w = World::new().await;
    for _ in 0..ROUNDS {
        let granted = w.connected().await;
        let callers = (0..CALLERS).map(|_| {
            let granted = granted.clone();
            async move { granted.refresh(1).await }
        });
        assert_one_winner(&together(callers).await, Revoked::RefreshTokenReplayed);
        assert_no_branch_lives(&granted).await;
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn in_the_retry_window_sixty_four_callers_get_the_same_generation_and_never_a_second_branch() {
    let w = World::new().await;
    let retrying = Terms { retry_seconds: 10, ..TERMS };
    for _ in 0..ROUNDS {
        let granted = w.connected().await;
        let callers = (0..CALLERS).map(|_| {
            let granted = granted.clone();
            async move { granted.refresh_on(retrying, 1, NOW).await }
        });
        let rulings = together(callers).await;
        assert_eq!(how_many(&rulings, is_issue), 1);
        let successor = rulings.iter().copied().find(is_issue).map(crate::grant::issue).expect("a winner");
        let again = how_many(&rulings, |ruling| *ruling == Ruling::IssueAgain(successor));
        assert_eq!(again, CALLERS - 1, "all others get the winner's tokens");
        assert_eq!(granted.bearer().await.session.generation, 2);
        assert_eq!(generation(granted.refresh(2).await), 3, "the one branch lives on");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_refresh_racing_a_revocation_never_survives_it() {
    let w = World::new().await;
    for round in 0..200 {
        let granted = w.connected().await;
        let (revoked, refreshed) = (Arc::new(AtomicBool::new(false)), Arc::new(AtomicI64::new(0)));
        let chain = tokio::spawn(refresh_until_refused(granted.clone(), revoked.clone(), refreshed.clone()));
        // Some rounds revoke at once, and some in the middle of the chain.
        while refreshed.load(Ordering::SeqCst) < round % 5 && !chain.is_finished() {
            tokio::task::yield_now().await;
        }
        assert!(granted.revoke().await, "there was something to revoke");
        revoked.store(true, Ordering::SeqCst);
        let at_ack = granted.bearer().await.session;
        assert_eq!(at_ack.revoked_at, Some(NOW));
        chain.await.expect("the chain of refreshes");
        let at_end = granted.bearer().await.session;
        assert_eq!(at_end, at_ack, "nothing was issued after the acknowledgement, and nothing un-revoked it");
    }
}

/// Refreshes as fast as it can, and counts how often it got tokens. None may be got by a refresh begun after the revocation.
async fn refresh_until_refused(granted: Grant, revoked: Arc<AtomicBool>, refreshed: Arc<AtomicI64>) {
    for before in 1.. {
        let begun_after = revoked.load(Ordering::SeqCst);
        match granted.refresh(before).await {
            Ruling::Issue(issue) => {
                assert!(!begun_after, "generation {} was issued after the revocation", issue.generation);
                refreshed.store(before, Ordering::SeqCst);
            }
            Ruling::Refuse(Refused::SessionRevoked) => return,
            other => panic!("neither tokens nor a revoked session but {other:?}"),
        }
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_many_revocations_of_one_session_exactly_one_is_the_one() {
    let w = World::new().await;
    let granted = w.connected().await;
    let callers = (0..CALLERS).map(|_| {
        let granted = granted.clone();
        async move { granted.revoke().await }
    });
    assert_eq!(how_many(&together(callers).await, |revoked| *revoked), 1);
    assert_eq!(w.noted(Event::Revoked).await, 1);
}
