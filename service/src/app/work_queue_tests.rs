//! Tests of the queue for long work: everybody's first before one's tenth, and no turn is lost.

use super::*;
use futures_util::FutureExt;
use rules::ids::ClientId;
use std::pin::Pin;

type Waiting<'q> = Pin<Box<dyn Future<Output = Option<WorkTurn>> + 'q>>;

/// Somebody who waits for a turn, and has asked for it already.
fn asks(queue: &WorkQueue, caller: i64, is_large: bool) -> (i64, Waiting<'_>, Option<WorkTurn>) {
    let mut waiting: Waiting<'_> = Box::pin(queue.turn(Taker::Client(ClientId(caller)), is_large));
    let turn = waiting.as_mut().now_or_never().flatten();
    (caller, waiting, turn)
}

/// In which order they have their turns, one after the other.
fn order(mut all: Vec<(i64, Waiting<'_>, Option<WorkTurn>)>) -> Vec<i64> {
    let mut order = Vec::new();
    while !all.is_empty() {
        let place = all.iter_mut().position(|(_, waiting, turn)| {
            if turn.is_none() {
                *turn = waiting.as_mut().now_or_never().flatten();
            }
            turn.is_some()
        });
        let (caller, _, turn) = all.remove(place.expect("somebody has a turn"));
        order.push(caller);
        drop(turn);
    }
    order
}

#[test]
fn the_tenth_of_one_caller_waits_behind_the_first_of_everybody() {
    let queue = WorkQueue::new(1);
    let mut all: Vec<_> = (0..10).map(|_| asks(&queue, 1, false)).collect();
    all.extend([asks(&queue, 2, false), asks(&queue, 3, false)]);
    assert_eq!(order(all), [1, 1, 2, 3, 1, 1, 1, 1, 1, 1, 1, 1]);
}

#[test]
fn one_large_piece_has_its_turn_at_a_time_and_small_ones_pass_it() {
    let queue = WorkQueue::new(2);
    let first = asks(&queue, 1, true);
    let second = asks(&queue, 2, true);
    let small = asks(&queue, 3, false);
    assert!(first.2.is_some() && second.2.is_none() && small.2.is_some());
    drop(small);
    let (_, mut waiting, _) = second;
    assert!(waiting.as_mut().now_or_never().is_none(), "a free thread is no turn for a second large one");
    drop(first);
    assert!(waiting.as_mut().now_or_never().flatten().is_some());
}

#[test]
fn a_turn_that_nobody_waits_for_any_more_goes_to_the_next() {
    let queue = WorkQueue::new(1);
    let has_it = asks(&queue, 1, false);
    let gone = asks(&queue, 2, true);
    let next = asks(&queue, 3, false);
    drop(gone);
    drop(has_it);
    let (_, mut waiting, _) = next;
    assert!(waiting.as_mut().now_or_never().flatten().is_some());
    drop(waiting);
    let lines = queue.lock();
    assert!(lines.free == 1 && lines.is_large_free && lines.round.is_empty() && lines.waiting.is_empty());
}
