//! Tests of the room for large answers.

use super::*;

const LETTER: usize = 1_000_000;
const AMINA: Taker = Taker::Session(SessionId(1));
const BEN: Taker = Taker::Session(SessionId(2));

fn response_budget(in_all: usize, per_caller: usize) -> ResponseBudget {
    ResponseBudget::new(&ConnectionBounds {
        unread: in_all,
        unread_per_caller: per_caller,
        ..ConnectionBounds::default()
    })
}

#[test]
fn a_caller_who_has_as_much_as_it_may_waits_and_another_does_not() {
    let response_budget = response_budget(10 * LETTER, 2 * LETTER);
    let held = [response_budget.room(AMINA, LETTER).unwrap(), response_budget.room(AMINA, LETTER).unwrap()];
    assert_eq!(response_budget.has_room(AMINA), Err(Overload::OfCaller));
    assert_eq!(response_budget.room(AMINA, LETTER).unwrap_err(), Overload::OfCaller);
    assert!(response_budget.room(BEN, LETTER).is_ok());
    drop(held);
    assert_eq!(response_budget.has_room(AMINA), Ok(()));
}

#[test]
fn when_all_together_have_as_much_as_there_may_be_everybody_waits() {
    let response_budget = response_budget(LETTER, 2 * LETTER);
    let held = response_budget.room(AMINA, LETTER).unwrap();
    assert_eq!(response_budget.has_room(BEN), Err(Overload::InAll));
    drop(held);
    assert!(response_budget.room(BEN, LETTER).is_ok());
}

#[test]
fn an_answer_that_is_larger_than_the_bound_can_be_had_alone() {
    let response_budget = response_budget(LETTER / 2, LETTER / 4);
    let held = response_budget.room(AMINA, LETTER).unwrap();
    assert_eq!(response_budget.has_room(AMINA), Err(Overload::OfCaller));
    drop(held);
    assert!(response_budget.room(AMINA, LETTER).is_ok());
}

#[test]
fn a_small_answer_needs_no_room_and_nothing_is_kept_of_who_has_taken_all() {
    let response_budget = response_budget(LETTER, LETTER);
    let held = response_budget.room(AMINA, LETTER).unwrap();
    assert!(response_budget.room(AMINA, SMALL_ANSWER_BYTES).unwrap().is_none());
    drop(held);
    let tallies = lock(&response_budget.tallies);
    assert_eq!((tallies.in_all, tallies.of.len()), (0, 0));
}
