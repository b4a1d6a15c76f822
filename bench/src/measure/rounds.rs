//! Alternating rounds: the sides of a figure in turn, so that whatever else the machine does falls on all of them.

use super::tally::{Tally, median};
use super::trouble::Trouble;

/// Who works in a round.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Side {
    Service,
    /// The barest program that could do the same work.
    Bare,
    /// A bare HTTP server before that program.
    Parts,
    /// Another server of the same field.
    Peer,
}

/// Runs `count` rounds of each side and hands over what they came to, side by side. In every round another side goes
/// first.
pub(crate) async fn alternate<const N: usize>(
    count: usize,
    sides: [Side; N],
    mut round: impl AsyncFnMut(Side) -> Result<Tally, Trouble>,
) -> Result<[Vec<Tally>; N], Trouble> {
    let mut tallies = std::array::from_fn(|_| Vec::new());
    for number in 0..count {
        let mut turn: Vec<_> = sides.into_iter().zip(&mut tallies).collect();
        turn.rotate_left(number % N.max(1));
        for (side, tallies) in turn {
            tallies.push(round(side).await?);
        }
    }
    Ok(tallies)
}

/// The median of the rounds' ratios: each compares two stretches of time that lie side by side.
pub(crate) fn median_ratio(ours: &[Tally], theirs: &[Tally]) -> f64 {
    median(&ratios(ours, theirs))
}

pub(crate) fn ratios(ours: &[Tally], theirs: &[Tally]) -> Vec<f64> {
    ours.iter().zip(theirs).map(|(ours, theirs)| ours.per_second() / theirs.per_second()).collect()
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

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    const ALL: [Side; 3] = [Side::Service, Side::Bare, Side::Parts];

    #[tokio::test]
    async fn each_side_works_once_in_a_round_and_another_one_goes_first_in_the_next() {
        let mut order = Vec::new();
        let work = async |side| {
            order.push(side);
            Ok(Tally::default())
        };
        let tallies = alternate(3, ALL, work).await.unwrap();
        assert_eq!(tallies.map(|side| side.len()), [3, 3, 3]);
        let first: Vec<_> = order.iter().step_by(3).copied().collect();
        assert_eq!(first, ALL);
    }

    #[tokio::test]
    async fn what_a_side_came_to_stands_under_that_side_whoever_went_first() {
        let work = async |side| {
            let mut tally = Tally::of(Duration::from_secs(1), 2);
            (0..if side == Side::Service { 1 } else { 2 }).for_each(|_| tally.add(Duration::from_millis(1)));
            Ok(tally)
        };
        let [service, bare, _] = alternate(4, ALL, work).await.unwrap();
        assert!(ratios(&service, &bare).iter().all(|ratio| (ratio - 0.5).abs() < 1e-9));
        assert!((median_ratio(&service, &bare) - 0.5).abs() < 1e-9);
    }

    #[tokio::test]
    async fn a_side_that_fails_ends_the_rounds() {
        let outcome = alternate(2, ALL, async |_| Err("the server has ended".into())).await;
        assert!(outcome.is_err());
    }
}
