//! Alternating rounds: ours and theirs in turn, so that whatever else the machine does falls on both.

use crate::Trouble;
use crate::tally::{Tally, median};

/// What the rounds of one figure came to, on both sides.
#[derive(Debug, Default)]
pub(crate) struct Rounds {
    pub(crate) ours: Vec<Tally>,
    pub(crate) theirs: Vec<Tally>,
}

impl Rounds {
    /// The median of the rounds' ratios: each compares two stretches of time that lie side by side.
    pub(crate) fn ratio(&self) -> f64 {
        median(&self.ratios())
    }

    pub(crate) fn ratios(&self) -> Vec<f64> {
        self.ours.iter().zip(&self.theirs).map(|(ours, theirs)| ours.per_second() / theirs.per_second()).collect()
    }

    pub(crate) fn our_rate(&self) -> f64 {
        rate(&self.ours)
    }

    pub(crate) fn their_rate(&self) -> f64 {
        rate(&self.theirs)
    }
}

pub(crate) fn rate(rounds: &[Tally]) -> f64 {
    median(&rounds.iter().map(Tally::per_second).collect::<Vec<_>>())
}

/// The 99th percentile over all rounds together: a tail that shows in one round alone is still a tail.
pub(crate) fn p99_ms(rounds: &[Tally]) -> f64 {
    together(rounds).percentile_ms(0.99)
}

/// What one answer cost the server over all rounds.
pub(crate) fn cpu_us(rounds: &[Tally]) -> f64 {
    together(rounds).cpu_us()
}

fn together(rounds: &[Tally]) -> Tally {
    let mut whole = Tally::default();
    rounds.iter().for_each(|round| whole.absorb(round.clone()));
    whole
}

/// Runs `count` rounds of each side; every other round the order is turned round, so that neither always goes first.
pub(crate) async fn alternate(
    count: usize,
    mut ours: impl AsyncFnMut() -> Result<Tally, Trouble>,
    mut theirs: impl AsyncFnMut() -> Result<Tally, Trouble>,
) -> Result<Rounds, Trouble> {
    let mut rounds = Rounds::default();
    for number in 0..count {
        if number % 2 == 0 {
            rounds.theirs.push(theirs().await?);
            rounds.ours.push(ours().await?);
        } else {
            rounds.ours.push(ours().await?);
            rounds.theirs.push(theirs().await?);
        }
    }
    Ok(rounds)
}
