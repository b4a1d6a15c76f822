//! Tests of the queue: whose turn it is, and that no turn is ever lost.

use super::*;
use rules::ids::UserId;
use std::pin::Pin;
use std::task::{Context, Poll, Waker};

const NOISY: Line = Line::Network(1);
const QUIET: Line = Line::Network(2);

type Wait = Pin<Box<dyn Future<Output = Result<Turn, Busy>>>>;

/// Somebody who stands in a line from now on, and what they have heard so far.
fn stand(queue: &Queue, line: Line) -> (Wait, Poll<Result<Turn, Busy>>) {
    let queue = queue.clone();
    let mut wait: Wait = Box::pin(async move { queue.turn(line).await });
    let heard = look(&mut wait);
    (wait, heard)
}

fn look(wait: &mut Wait) -> Poll<Result<Turn, Busy>> {
    wait.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

fn turn(heard: Poll<Result<Turn, Busy>>) -> Turn {
    match heard {
        Poll::Ready(Ok(turn)) => turn,
        Poll::Ready(Err(busy)) => panic!("{busy:?}"),
        Poll::Pending => panic!("it is not their turn"),
    }
}

#[test]
fn whoever_comes_after_a_noisy_address_waits_for_one_of_it_and_not_for_all() {
    let queue = Queue::new(1);
    let (_, first) = stand(&queue, NOISY);
    let mut noise: Vec<_> = (0..SIGN_INS_WAITING).map(|_| stand(&queue, NOISY).0).collect();
    let (mut quiet, heard) = stand(&queue, QUIET);
    assert!(heard.is_pending());
    drop(turn(first));
    let quiet = turn(look(&mut quiet));
    assert!(noise.iter_mut().all(|wait| look(wait).is_pending()), "one at a time");
    drop(quiet);
    drop(turn(look(&mut noise[0])));
}

#[test]
fn one_address_has_one_turn_at_a_time_though_others_are_free() {
    let queue = Queue::new(4);
    let (_, first) = stand(&queue, NOISY);
    let first = turn(first);
    let (mut second, heard) = stand(&queue, NOISY);
    assert!(heard.is_pending());
    turn(stand(&queue, QUIET).1);
    drop(first);
    turn(look(&mut second));
}

#[test]
fn a_few_wait_in_a_line_and_the_next_is_turned_away() {
    let queue = Queue::new(1);
    let (_, first) = stand(&queue, NOISY);
    let mut waiting: Vec<_> = (0..SIGN_INS_WAITING).map(|_| stand(&queue, NOISY).0).collect();
    assert!(matches!(stand(&queue, NOISY).1, Poll::Ready(Err(Busy::Line))));
    waiting.pop();
    assert!(stand(&queue, NOISY).1.is_pending(), "who went away takes no room");
    drop(first);
}

#[test]
fn strangers_from_many_addresses_leave_room_for_browsers_that_are_known() {
    let queue = Queue::new(1);
    let strangers: Vec<_> = (0..SIGN_IN_LINES as u128).map(|number| stand(&queue, Line::Network(number))).collect();
    assert!(matches!(stand(&queue, Line::Network(4711)).1, Poll::Ready(Err(Busy::Everywhere))));
    let (mut known, heard) = stand(&queue, Line::Browser(UserId(1), 7));
    assert!(heard.is_pending());
    drop(strangers);
    turn(look(&mut known));
}

#[test]
fn a_turn_that_nobody_waits_for_goes_to_the_next() {
    let queue = Queue::new(1);
    let (_, first) = stand(&queue, NOISY);
    let gone = [stand(&queue, NOISY), stand(&queue, QUIET)];
    let (mut last, _) = stand(&queue, Line::Network(3));
    drop(gone);
    drop(turn(first));
    turn(look(&mut last));
}

#[test]
fn a_turn_that_came_and_was_not_looked_at_is_not_lost() {
    let queue = Queue::new(1);
    let (_, first) = stand(&queue, NOISY);
    let (second, _) = stand(&queue, QUIET);
    let (mut third, _) = stand(&queue, NOISY);
    drop(turn(first));
    drop(second);
    turn(look(&mut third));
    let lines = queue.lock();
    assert_eq!((lines.free, lines.waiting.len(), lines.round.len()), (1, 0, 0), "all is as in the beginning");
}
