//! Commits whose acknowledgement was lost: nobody is told the wrong thing, and nobody is taken for a thief.

use crate::grant::{Grant, REDIRECT, issue};
use crate::home::{Home, bound};
use crate::wire::{Fate, Wire};
use crate::world::{NOW, TERMS, World, registered};
use rules::lifecycle::{Refused, Ruling, Terms};
use std::sync::Arc;
use std::time::{Duration, Instant};
use store::ledger::Event;
use store::sessions::{self, Redemption};
use store::{Error, Store};

/// The small world seen through a wire that can be cut, by a node that is less patient than usual.
async fn world() -> (World, Wire) {
    let home = Home::new();
    let wire = Wire::to(cluster::shared().address()).await;
    let mut through = home.through(&wire.address);
    through.options.answer_within = Duration::from_secs(3);
    (World::at(through).await, wire)
}

async fn refresh(store: &Store, granted: &Grant, generation: i64, terms: Terms) -> store::Result<Ruling> {
    let token = granted.refresh_token(generation);
    let outcome = sessions::refresh(store, registered(granted.client, terms), token, None, NOW).await?;
    Ok(outcome.expect("a genuine token").ruling)
}

async fn redeem(store: &Store, granted: &Grant) -> store::Result<Ruling> {
    let asked = Redemption { code: granted.code(), redirect_uri: Some(REDIRECT.into()), challenge: None };
    let outcome = sessions::redeem(store, registered(granted.client, TERMS), asked, NOW).await?;
    Ok(outcome.expect("a genuine code").ruling)
}

/// As a client does that is told to come again in a moment.
async fn until_answered(ask: impl AsyncFn() -> store::Result<Ruling>) -> Ruling {
    let deadline = Instant::now() + Duration::from_secs(60);
    loop {
        match ask().await {
            Ok(ruling) => return ruling,
            Err(error) => assert!(error.is_passing() && Instant::now() < deadline, "{error}"),
        }
        tokio::task::yield_now().await;
    }
}

async fn refresh_until_answered(store: &Arc<Store>, granted: &Grant, generation: i64) -> Ruling {
    until_answered(async || refresh(store, granted, generation, TERMS).await).await
}

#[tokio::test]
async fn a_refresh_that_was_committed_is_answered_with_its_tokens_though_the_acknowledgement_was_lost() {
    let (w, wire) = world().await;
    let granted = w.connected().await;
    wire.next_commit(Fate::CutAfter);
    assert_eq!(issue(refresh(&w.store, &granted, 1, TERMS).await.unwrap()).generation, 2);
    assert!(wire.has_struck());
    assert_eq!(issue(refresh(&w.store, &granted, 2, TERMS).await.unwrap()).generation, 3);
    assert_eq!((w.noted(Event::Refreshed).await, w.noted(Event::GivenUp).await), (2, 0));
}

#[tokio::test]
async fn a_code_that_was_redeemed_is_answered_with_its_tokens_though_the_acknowledgement_was_lost() {
    let (w, wire) = world().await;
    let granted = w.approved().await;
    wire.next_commit(Fate::CutAfter);
    assert_eq!(issue(redeem(&w.store, &granted).await.unwrap()).generation, 1);
    assert!(wire.has_struck());
    assert_eq!(issue(refresh(&w.store, &granted, 1, TERMS).await.unwrap()).generation, 2);
}

#[tokio::test]
async fn a_refresh_that_was_cut_off_before_its_commit_did_not_happen_and_the_same_token_works_again() {
    let (w, wire) = world().await;
    let granted = w.connected().await;
    wire.next_commit(Fate::CutBefore);
    let error = refresh(&w.store, &granted, 1, TERMS).await.expect_err("cut off");
    assert!(matches!(error.kind(), Error::Unavailable(_)), "{error}");
    assert!(wire.has_struck());
    assert_eq!(issue(refresh(&w.store, &granted, 1, TERMS).await.unwrap()).generation, 2);
    assert_eq!((w.noted(Event::Refreshed).await, w.noted(Event::GivenUp).await), (1, 1));
}

#[tokio::test]
async fn a_transaction_that_hangs_on_the_databases_side_is_given_up_and_gives_up_its_locks() {
    let (w, wire) = world().await;
    let granted = w.connected().await;
    wire.next_commit(Fate::HangBefore);
    let began = Instant::now();
    let error = refresh(&w.store, &granted, 1, TERMS).await.expect_err("cut off");
    assert!(error.is_passing(), "{error}");
    assert!(began.elapsed() < Duration::from_secs(5), "{:?}", began.elapsed());
    assert_eq!(issue(refresh_until_answered(&w.store, &granted, 1).await).generation, 2);
    assert_eq!(w.noted(Event::Refreshed).await, 1);
}

#[tokio::test]
async fn when_nobody_can_say_what_became_of_a_commit_the_caller_hears_so_in_time_and_the_same_request_then_succeeds() {
    let (w, wire) = world().await;
    let granted = w.connected().await;
    wire.next_commit(Fate::CutAfter);
    wire.then_stay_away();
    let began = Instant::now();
    let error = refresh(&w.store, &granted, 1, TERMS).await.expect_err("nobody to ask");
    assert!(matches!(error.kind(), Error::OutcomeUnknown), "{error}");
    assert!(began.elapsed() < Duration::from_secs(4), "{:?}", began.elapsed());
    let meanwhile = refresh(&w.store, &granted, 1, TERMS).await.expect_err("still away");
    assert!(matches!(meanwhile.kind(), Error::Unavailable(_)), "{meanwhile}");
    wire.come_back();
    assert_eq!(issue(refresh_until_answered(&w.store, &granted, 1).await).generation, 2);
    assert_eq!(issue(refresh(&w.store, &granted, 2, TERMS).await.unwrap()).generation, 3);
    assert_eq!((w.noted(Event::Refreshed).await, w.noted(Event::Undone).await), (3, 1));
}

#[tokio::test]
async fn after_an_outage_no_node_calls_a_client_a_thief_before_the_others_have_taken_back_what_they_must() {
    let (w, wire) = world().await;
    let their_wire = Wire::to(cluster::shared().address()).await;
    let other = Arc::new(w.home.through(&their_wire.address).node().await);
    let [granted, another] = [w.connected().await, w.connected().await];
    wire.next_commit(Fate::CutAfter);
    wire.then_stay_away();
    their_wire.next_commit(Fate::CutBefore);
    let error = refresh(&w.store, &granted, 1, TERMS).await.expect_err("nobody to ask");
    assert!(matches!(error.kind(), Error::OutcomeUnknown), "{error}");
    refresh(&other, &another, 1, TERMS).await.expect_err("cut off too");
    let error = refresh(&other, &granted, 1, TERMS).await.expect_err("the first node may still take it back");
    assert!(matches!(error.kind(), Error::Unavailable(_)), "{error}");
    wire.come_back();
    assert_eq!(issue(refresh_until_answered(&other, &granted, 1).await).generation, 2);
    assert_eq!(w.noted(Event::Undone).await, 1);
    let replayed = refresh_until_answered(&other, &granted, 1).await;
    assert!(matches!(replayed, Ruling::Revoke(_)), "a replay is judged when the moment has passed: {replayed:?}");
}

#[tokio::test]
async fn a_redeemed_code_that_nobody_could_answer_for_can_be_redeemed_once_more_and_only_once() {
    let (w, wire) = world().await;
    let granted = w.approved().await;
    wire.next_commit(Fate::CutAfter);
    wire.then_stay_away();
    let error = redeem(&w.store, &granted).await.expect_err("nobody to ask");
    assert!(matches!(error.kind(), Error::OutcomeUnknown), "{error}");
    wire.come_back();
    let again = async || redeem(&w.store, &granted).await;
    assert_eq!(issue(until_answered(again).await).generation, 1);
    assert!(matches!(until_answered(again).await, Ruling::Revoke(_)));
}

#[tokio::test]
async fn in_a_retry_window_the_tokens_of_an_unknown_commit_stay_and_are_given_again() {
    let (w, wire) = world().await;
    let granted = w.connected().await;
    let retrying = Terms { retry_seconds: 10, ..TERMS };
    wire.next_commit(Fate::CutAfter);
    wire.then_stay_away();
    refresh(&w.store, &granted, 1, retrying).await.expect_err("nobody to ask");
    wire.come_back();
    let ruling = until_answered(async || refresh(&w.store, &granted, 1, retrying).await).await;
    assert!(matches!(ruling, Ruling::IssueAgain(issue) if issue.generation == 2), "{ruling:?}");
    assert_eq!(w.noted(Event::Undone).await, 0);
}

#[tokio::test]
async fn a_refusal_writes_nothing_and_so_needs_no_acknowledgement() {
    let (w, wire) = world().await;
    let granted = w.connected().await;
    granted.revoke().await;
    wire.next_commit(Fate::CutBefore);
    let refused = refresh(&w.store, &granted, 1, TERMS).await.unwrap();
    assert_eq!(refused, Ruling::Refuse(Refused::SessionRevoked));
    assert!(wire.has_struck());
}

#[tokio::test]
async fn a_lost_acknowledgement_of_a_revocation_is_found_out_too() {
    let (w, wire) = world().await;
    let granted = w.connected().await;
    let options = &w.home.options;
    for (fate, revoked) in [(Fate::CutBefore, false), (Fate::CutAfter, true)] {
        wire.next_commit(fate);
        let began = Instant::now();
        let why = rules::lifecycle::Revoked::ByOperator;
        let answer = store::grants::revoke(&w.store, granted.id, store::grants::Whose::Anyone, why, NOW).await;
        assert_eq!(matches!(answer, Ok(true)), revoked, "{answer:?}");
        assert!(began.elapsed() < bound(options));
        assert_eq!(granted.bearer().await.session.revoked_at.is_some(), revoked);
    }
}
