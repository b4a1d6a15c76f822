//! Tests of the budget of request bodies: nobody takes all of it, and all of it comes back.

use super::*;
use fhir::extraction::index_row::IndexRow;
use rules::ids::ClientId;
use rules::limits::TRANSACTION_INDEX_ROWS;

const LONGEST: usize = 10 << 20;

fn caller(number: i64) -> Taker {
    Taker::Client(ClientId(number))
}

/// A body of so many bytes, come in pieces as they come over a wire.
fn received(budget: &BodyBudget, of: Taker, bytes: usize) -> Result<BodyClaim, BodyOverload> {
    let mut claim = budget.claim(of);
    for start in (0..bytes).step_by(8192) {
        claim.grow(8192.min(bytes - start))?;
    }
    Ok(claim)
}

fn is_empty(budget: &BodyBudget) -> bool {
    [&budget.small, &budget.large].iter().all(|share| share.lock().in_all == 0 && share.lock().of.is_empty())
}

#[test]
fn one_caller_has_a_share_and_others_have_theirs() {
    let budget = BodyBudget::new(LONGEST);
    let first = received(&budget, caller(1), LONGEST).unwrap();
    assert_eq!(received(&budget, caller(1), LONGEST).unwrap_err(), BodyOverload::OfCaller);
    let second = received(&budget, caller(2), LONGEST).unwrap();
    drop(first);
    let third = received(&budget, caller(1), LONGEST).unwrap();
    drop((second, third));
    assert!(is_empty(&budget));
}

/// A transaction of the longest body and the most index rows, with the drafts that are made of it.
#[test]
fn the_largest_transaction_has_room_beside_that_of_somebody_else() {
    let budget = BodyBudget::of_prepared(LONGEST);
    let rows = TRANSACTION_INDEX_ROWS * (size_of::<IndexRow>() + 48);
    let largest = |number| {
        let mut claim = budget.claim(caller(number));
        claim.grow(4 * LONGEST + rows).map(|()| claim)
    };
    let held = [largest(1), largest(2)];
    assert!(held.iter().all(Result::is_ok), "{held:?}");
    assert_eq!(largest(1).unwrap_err(), BodyOverload::OfCaller);
    assert_eq!(largest(3).unwrap_err(), BodyOverload::InAll);
    drop(held);
    assert!(is_empty(&budget));
}

#[test]
fn all_callers_together_have_no_more_than_there_is() {
    let budget = BodyBudget::new(LONGEST);
    let held: Vec<_> = (0..50).map_while(|number| received(&budget, caller(number), LONGEST).ok()).collect();
    assert!((2..50).contains(&held.len()), "{} bodies", held.len());
    assert_eq!(received(&budget, caller(99), LONGEST).unwrap_err(), BodyOverload::InAll);
    assert_eq!(budget.claim(caller(99)).has_room(LONGEST), Err(BodyOverload::InAll));
    assert_eq!(budget.claim(caller(0)).has_room(LONGEST), Err(BodyOverload::OfCaller));
    drop(held);
    assert!(is_empty(&budget) && budget.claim(caller(99)).has_room(LONGEST).is_ok());
}

#[test]
fn small_bodies_are_received_while_large_ones_hold_all_that_they_may() {
    let budget = BodyBudget::new(LONGEST);
    let large: Vec<_> = (0..50).map_while(|number| received(&budget, caller(number), LONGEST).ok()).collect();
    let mut small: Vec<_> =
        (0..50).map(|_| received(&budget, caller(0), SMALL_BODY_BYTES).expect("a small body")).collect();
    assert_eq!(small.iter_mut().try_for_each(|claim| claim.grow(1)), Err(BodyOverload::InAll));
    drop((small, large));
    assert!(is_empty(&budget));
}

#[test]
fn small_bodies_have_an_end_too_and_one_caller_leaves_some_to_others() {
    let budget = BodyBudget::new(LONGEST);
    let of_one: Vec<_> = (0..10_000).map_while(|_| received(&budget, caller(1), SMALL_BODY_BYTES).ok()).collect();
    let bytes = of_one.len() * SMALL_BODY_BYTES;
    assert!(bytes <= SMALL_BODIES_BYTES_PER_CALLER + BODY_BYTES_PER_CALLER, "{bytes} bytes");
    assert!(received(&budget, caller(2), SMALL_BODY_BYTES).is_ok());
}

#[test]
fn a_service_that_takes_longer_bodies_has_room_for_one_of_each_of_two_callers() {
    let longest = 2 * BODY_BYTES;
    let budget = BodyBudget::new(longest);
    let first = received(&budget, caller(1), longest).unwrap();
    assert!(received(&budget, caller(2), longest).is_ok());
    drop(first);
}
