//! Who is killed when, and for how long it stays away: decided by the seed alone. Times count from when the victim was
//! last back, because how long a crashed database needs to come back is up to the disk.

use super::dice::Dice;
use std::time::Duration;

/// How the database dies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Death {
    /// PostgreSQL's immediate shutdown: it still says goodbye to its connections.
    Immediate,
    /// SIGKILL of every process it has.
    Kill,
}

/// One kill.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault<T> {
    /// How long the victim had been up.
    pub(crate) after: Duration,
    pub(crate) what: T,
    /// How long it is left alone before it is started again.
    pub(crate) away: Duration,
}

/// Milliseconds, from and to.
type Span = (u64, u64);

const NODE_UP: Span = (1000, 6000);
/// One in so many lives of a node in a soak is as long as that.
const LONG_LIFE: Span = (20_000, 60_000);
const LONG_LIFE_ONE_IN: usize = 6;
/// So many come first that are not: a soak of some seconds is to see kills, too.
const SHORT_LIVES: usize = 3;
const DATABASE_UP: Span = (2500, 7000);
const AWAY: Span = (0, 1200);
/// Longer than a node waits for the database before it tells a client to try again.
const LONG_AWAY: Span = (5200, 7000);
/// Of so many deaths of the database, one lasts that long.
const LONG_ONE_IN: usize = 5;

/// The kills of one node, without end.
pub(crate) fn of_node(seed: u64, number: usize) -> impl Iterator<Item = Fault<()>> {
    let mut dice = Dice::of(seed, number as u64 + 1);
    std::iter::repeat_with(move || Fault { after: span(&mut dice, NODE_UP), what: (), away: span(&mut dice, AWAY) })
}

/// The kills of the one node of a soak, without end. Some of its lives are long: what is kept for ever shows in these.
pub(crate) fn of_lone_node(seed: u64) -> impl Iterator<Item = Fault<()>> {
    let mut dice = Dice::of(seed, 1);
    (0..).map(move |life: usize| {
        let is_long = dice.one_in(LONG_LIFE_ONE_IN) && life >= SHORT_LIVES;
        let up = if is_long { LONG_LIFE } else { NODE_UP };
        Fault { after: span(&mut dice, up), what: (), away: span(&mut dice, AWAY) }
    })
}

/// The deaths of the database, without end.
pub(crate) fn of_database(seed: u64) -> impl Iterator<Item = Fault<Death>> {
    let mut dice = Dice::of(seed, 0);
    std::iter::repeat_with(move || Fault {
        after: span(&mut dice, DATABASE_UP),
        what: if dice.one_in(2) { Death::Kill } else { Death::Immediate },
        away: if dice.one_in(LONG_ONE_IN) { span(&mut dice, LONG_AWAY) } else { span(&mut dice, AWAY) },
    })
}

fn span(dice: &mut Dice, (from, to): Span) -> Duration {
    dice.millis(from, to)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_seed_gives_one_schedule_and_another_seed_or_another_node_another() {
        let node = |seed, number| of_node(seed, number).take(10).collect::<Vec<_>>();
        assert_eq!(node(7, 0), node(7, 0));
        assert_ne!(node(7, 0), node(8, 0));
        assert_ne!(node(7, 0), node(7, 1));
        let database = |seed| of_database(seed).take(10).collect::<Vec<_>>();
        assert_eq!(database(7), database(7));
        assert_ne!(database(7), database(8));
    }

    #[test]
    fn a_lone_node_has_short_lives_and_long_ones_and_the_seed_decides_which() {
        let all = |seed| of_lone_node(seed).take(100).collect::<Vec<_>>();
        assert!(all(3) == all(3) && all(3) != all(4));
        let long = all(3).iter().filter(|fault| fault.after >= Duration::from_secs(20)).count();
        assert!((5..40).contains(&long), "{long}");
        for seed in 0..50 {
            assert!(of_lone_node(seed).take(SHORT_LIVES).all(|fault| fault.after < Duration::from_secs(6)));
        }
    }

    #[test]
    fn the_database_dies_in_both_ways_and_is_away_for_short_and_for_long() {
        let all: Vec<_> = of_database(1).take(200).collect();
        for death in [Death::Immediate, Death::Kill] {
            assert!(all.iter().any(|fault| fault.what == death && fault.away > Duration::from_secs(5)));
            assert!(all.iter().any(|fault| fault.what == death && fault.away < Duration::from_secs(2)));
        }
    }
}
