//! Tests of a book: what it counts, what it forgets, and that a flood moves no lock.

use super::*;

const MOST: u32 = 10;
const WINDOW: Duration = Duration::from_secs(900);
const START: Duration = Duration::from_secs(7);

fn book() -> Book {
    Book::new(MOST, WINDOW)
}

fn fail(book: &Book, name: Name, times: u32, now: Duration) {
    for _ in 0..times {
        book.reserve(name, now).unwrap_or_else(|no| panic!("{name}: {no:?}")).fail();
    }
}

fn wait(book: &Book, name: Name, now: Duration) -> Option<NoTry> {
    book.reserve(name, now).err()
}

#[test]
fn a_name_is_locked_after_its_failures_until_its_window_ends() {
    let book = book();
    fail(&book, 1, MOST, START);
    assert_eq!(wait(&book, 1, START), Some(NoTry::Locked(Wait(900))));
    assert_eq!(wait(&book, 1, START + WINDOW - Duration::from_millis(1)), Some(NoTry::Locked(Wait(1))));
    assert_eq!(wait(&book, 1, START + WINDOW), None);
}

#[test]
fn no_more_are_tried_at_once_than_may_still_fail_and_the_others_are_told_to_come_back_soon() {
    let book = book();
    fail(&book, 1, 4, START);
    let mut trying: Vec<_> = (0..6).map(|_| book.reserve(1, START).ok().unwrap()).collect();
    assert_eq!(wait(&book, 1, START), Some(NoTry::Locked(Wait(1))));
    drop(trying.pop());
    let again = book.reserve(1, START).ok().unwrap();
    trying.into_iter().chain([again]).for_each(Reservation::fail);
    assert_eq!(wait(&book, 1, START), Some(NoTry::Locked(Wait(900))));
}

#[test]
fn a_try_that_is_given_back_leaves_nothing_behind() {
    let book = book();
    for name in 0..100 {
        drop(book.reserve(name, START));
    }
    let pages = lock(&book.pages);
    assert_eq!((pages.tallies.len(), pages.open.len(), pages.locked.len()), (0, 0, 0));
}

#[test]
fn a_try_that_outlasts_its_window_counts_in_the_next_one() {
    let book = book();
    fail(&book, 1, MOST - 1, START);
    let slow = book.reserve(1, START).ok().unwrap();
    let later = START + WINDOW;
    fail(&book, 1, MOST - 1, later);
    assert_eq!(wait(&book, 1, later), Some(NoTry::Locked(Wait(1))), "one is still trying");
    slow.fail();
    assert_eq!(wait(&book, 1, later), Some(NoTry::Locked(Wait(900))));
}

#[test]
fn a_flood_forgets_no_lock_locks_no_other_name_and_takes_no_more_room_than_there_is() {
    let book = book();
    fail(&book, 1, MOST, START);
    let slow = book.reserve(2, START).ok().unwrap();
    for name in 10..10 + 3 * NAMES as Name {
        fail(&book, name, 1, START);
    }
    assert_eq!(lock(&book.pages).tallies.len(), NAMES);
    assert_eq!(wait(&book, 1, START), Some(NoTry::Locked(Wait(900))));
    assert_eq!(wait(&book, 3, START), None);
    slow.fail();
    fail(&book, 2, MOST - 1, START);
    assert!(wait(&book, 2, START).is_some(), "what was being tried was not forgotten");
}

#[test]
fn a_book_full_of_locked_names_keeps_them_all_and_says_when_there_is_room_again() {
    let book = Book::new(1, WINDOW);
    for name in 0..NAMES as Name {
        fail(&book, name, 1, START);
    }
    let later = START + Duration::from_secs(600);
    assert_eq!(wait(&book, NAMES as Name, later), Some(NoTry::NoRoom(Wait(300))));
    assert!((0..NAMES as Name).all(|name| wait(&book, name, later).is_some()));
    assert_eq!(wait(&book, NAMES as Name, START + WINDOW), None);
}
