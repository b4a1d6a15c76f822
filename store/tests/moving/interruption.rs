//! A move that stops on its way: the source is as it was, the target is refused, and the same move begun again ends well.

use crate::home::{ACROSS, DIRECTIONS, Home};

/// Stops after so many steps.
async fn stopped(source: &Home, target: &Home, steps: usize) {
    let begun = source.begun(target).await.unwrap();
    if steps == 0 {
        return;
    }
    let copied = begun.copy(|_| ()).await.unwrap();
    if steps == 1 {
        return;
    }
    drop(copied.compare(|_| ()).await.unwrap());
}

#[tokio::test]
async fn wherever_a_move_stops_the_source_is_usable_the_target_refused_and_the_next_move_ends_well() {
    for [from, to] in DIRECTIONS {
        let (source, target) = (Home::full(from).await, to());
        for steps in [0, 1, 2, 1] {
            stopped(&source, &target, steps).await;
            let said = target.open().await.expect_err("half done").to_string();
            assert!(said.contains("run the same `recordgate move` again, which starts over"), "{said}");
            drop(source.open().await.expect("the source is as it was"));
        }
        source.moved(&target).await.unwrap();
        target.open().await.expect("a whole database");
    }
}

#[tokio::test]
async fn another_source_may_be_moved_into_what_was_left_half_done() {
    let (abandoned, source, target) = (Home::full(Home::sqlite).await, Home::sqlite(), Home::postgres());
    stopped(&abandoned, &target, 1).await;
    drop(source.open().await.unwrap());
    source.run("INSERT INTO words (id, word) VALUES (9000, 'mine')");
    source.moved(&target).await.unwrap();
    assert_eq!(target.count("SELECT count(*) FROM words"), 1, "nothing of the first is left");
}

#[tokio::test]
async fn cut_short_between_the_last_two_writes_neither_is_used_and_the_same_move_again_ends_it() {
    for [from, to] in ACROSS {
        let (source, target) = (Home::full(from).await, to());
        source.moved(&target).await.unwrap();
        // As if the process had been killed before the last one.
        target.run("INSERT INTO migrations (name) VALUES ('move/unfinished')");
        assert!(source.open().await.is_err() && target.open().await.is_err());
        let elsewhere = source.begun(&Home::sqlite()).await;
        assert!(elsewhere.is_err(), "it was to go to one place alone");
        source.moved(&target).await.expect("the same move again");
        target.open().await.expect("a whole database");
        assert!(source.open().await.is_err(), "still moved");
    }
}

#[tokio::test]
async fn cut_short_between_the_last_two_writes_the_source_can_be_reopened_instead() {
    for [from, to] in ACROSS {
        let (source, target) = (Home::full(from).await, to());
        source.moved(&target).await.unwrap();
        target.run("INSERT INTO migrations (name) VALUES ('move/unfinished')");
        source.reopened().await.unwrap();
        drop(source.open().await.expect("usable again"));
        assert!(target.open().await.is_err());
        source.moved(&target).await.expect("and it can be moved later");
    }
}
