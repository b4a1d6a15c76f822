//! Who is killed when, and for how long it stays away: decided beforehand, by the seed alone.

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

/// One kill, this long after the run began.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Fault<T> {
    pub(crate) after: Duration,
    pub(crate) what: T,
    pub(crate) away: Duration,
}

#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Schedule {
    pub(crate) length: Duration,
    /// One list per node.
    pub(crate) nodes: Vec<Vec<Fault<()>>>,
    pub(crate) database: Vec<Fault<Death>>,
}

/// Milliseconds, from and to.
type Span = (u64, u64);

const BETWEEN_KILLS_OF_A_NODE: Span = (1000, 6000);
const BETWEEN_DEATHS_OF_THE_DATABASE: Span = (1500, 6000);
const AWAY: Span = (0, 1200);
/// Longer than a node waits for the database before it tells a client to try again.
const LONG_AWAY: Span = (5200, 7000);
/// Of so many deaths of the database, one lasts that long.
const LONG_ONE_IN: usize = 5;

impl Schedule {
    pub(crate) fn new(seed: u64, length: Duration, nodes: usize) -> Self {
        let node =
            |number| faults(length, Dice::of(seed, number), BETWEEN_KILLS_OF_A_NODE, |dice| ((), away(dice, AWAY)));
        let database = faults(length, Dice::of(seed, 0), BETWEEN_DEATHS_OF_THE_DATABASE, |dice| {
            let death = if dice.one_in(2) { Death::Kill } else { Death::Immediate };
            let span = if dice.one_in(LONG_ONE_IN) { LONG_AWAY } else { AWAY };
            (death, away(dice, span))
        });
        Self { length, nodes: (1..=nodes as u64).map(node).collect(), database }
    }
}

fn away(dice: &mut Dice, (from, to): Span) -> Duration {
    dice.millis(from, to)
}

fn faults<T>(
    length: Duration,
    mut dice: Dice,
    (from, to): Span,
    mut decide: impl FnMut(&mut Dice) -> (T, Duration),
) -> Vec<Fault<T>> {
    let mut all = Vec::new();
    let mut after = dice.millis(from, to);
    while after < length {
        let (what, away) = decide(&mut dice);
        all.push(Fault { after, what, away });
        after += away + dice.millis(from, to);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    const MINUTE: Duration = Duration::from_secs(60);

    #[test]
    fn one_seed_gives_one_schedule_and_another_seed_another() {
        assert_eq!(Schedule::new(7, MINUTE, 2), Schedule::new(7, MINUTE, 2));
        assert_ne!(Schedule::new(7, MINUTE, 2), Schedule::new(8, MINUTE, 2));
    }

    #[test]
    fn in_a_minute_every_node_and_the_database_die_again_and_again_and_each_in_its_own_time() {
        for seed in 0..100 {
            let Schedule { nodes, database, .. } = Schedule::new(seed, MINUTE, 3);
            assert!(nodes.iter().all(|faults| faults.len() >= 5), "seed {seed}");
            assert!(nodes[0] != nodes[1] && nodes[1] != nodes[2], "seed {seed}");
            assert!(database.len() >= 4, "seed {seed}");
            assert!(database.iter().all(|fault| fault.after < MINUTE), "seed {seed}");
        }
    }

    #[test]
    fn over_many_seeds_the_database_dies_in_both_ways_and_is_away_for_short_and_for_long() {
        let all: Vec<_> = (0..20).flat_map(|seed| Schedule::new(seed, MINUTE, 2).database).collect();
        for death in [Death::Immediate, Death::Kill] {
            assert!(all.iter().any(|fault| fault.what == death && fault.away > Duration::from_secs(5)));
            assert!(all.iter().any(|fault| fault.what == death && fault.away < Duration::from_secs(2)));
        }
    }
}
