//! `neighbour_p99_ratio`: how much later the slowest hundredth of a good client's reads comes beside a nuisance than in calm, the worst
//! of all nuisances. `neighbour_p99_bare` is the same of a bare hyper server beside the same requests, which does no work for them:
//! what the machine and the driver on it cost.

use super::nuisances::{self, HAS_CALLERS, Nuisance};
use super::plan::Plan;
use super::record::{Record, Somebody};
use crate::bare::order::{self, Work};
use crate::http::flood::{Flood, FloodRates};
use crate::http::{requests, unhurried};
use crate::measure::figure::{Case, Figure, Goal};
use crate::measure::progress;
use crate::measure::rounds::p99_ms;
use crate::measure::tally::Tally;
use crate::measure::trouble::Trouble;
use crate::measure::window::Window;
use crate::service::child::Server;
use crate::service::clinicians;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::sleep;

pub(crate) const NAME: &str = "neighbour_p99_ratio";
pub(crate) const BARE: &str = "neighbour_p99_bare";
const GOAL: Goal = Goal::AtMost(3.0);

/// In a smoke run everything is this much shorter.
const QUICK_PART: u32 = 5;

pub(crate) async fn measure(plan: &Plan, record: &Record) -> Result<[Figure; 2], Trouble> {
    let server = record.service.serve().await?;
    let tokens = clinicians::tokens(&record.service, &server, 1 + HAS_CALLERS).await?;
    let (own, others) = tokens.split_first().ok_or("there are no clinicians")?;
    let read = |somebody: &Somebody| requests::read(&server.host(), &format!("/fhir/Patient/{}", somebody.id), own);
    let reads: Arc<[Vec<u8>]> = record.people.iter().map(read).collect();
    let (head, body) = server.sample(reads.first().ok_or("there is nobody to read")?).await?;
    let bare = Server::bare(&order::line(&head, &body, &Work::Nothing)?).await?;
    let length = if plan.quick { plan.length / QUICK_PART } else { plan.length };
    let [ours, theirs] = [&server, &bare].map(|server| GoodClient { server, reads: &reads, length });
    let mut cases = Vec::new();
    for nuisance in nuisances::all(record, &server, others, plan.quick).await? {
        progress::say(&format!("{NAME}: {}", nuisance.name));
        let beside = ours.beside(&nuisance).await?;
        cases.push((nuisance.name, beside, theirs.beside(&nuisance).await?));
    }
    server.stop().await?;
    bare.stop().await?;
    let value = worst(cases.iter().map(|(_, ours, _)| ours.ratio()));
    let of_bare = worst(cases.iter().map(|(_, _, theirs)| theirs.ratio()));
    let durability = format!(
        "a clinician's reads of {} Patients beside each nuisance, to the same before and after it; over {} resources",
        reads.len(),
        record.count
    );
    let cases = cases.iter().map(|(name, ours, theirs)| ours.case(name, theirs)).collect();
    let how =
        "the same reads and the same nuisances, of a bare hyper server on the same cores with the driver".to_owned();
    Ok([Figure { cases, ..Figure::of(NAME, value, Some(GOAL), durability) }, Figure::of(BARE, of_bare, None, how)])
}

/// Somebody who reads records of a server, a few at a time.
struct GoodClient<'a> {
    server: &'a Server,
    reads: &'a Arc<[Vec<u8>]>,
    length: Duration,
}

/// How a good client fared.
struct Fare {
    /// Before the nuisance, and after it.
    calm: [Tally; 2],
    beside: Tally,
    /// Of its reads beside the nuisance.
    refused: u32,
    flood: FloodRates,
}

impl GoodClient<'_> {
    async fn read(&self, length: Duration) -> Result<(Tally, u32), Trouble> {
        unhurried::read(self.server.address, Window::after(length / 5, length), self.reads).await
    }

    async fn beside(&self, nuisance: &Nuisance) -> Result<Fare, Trouble> {
        let (before, _) = self.read(self.length).await?;
        let flood = Flood::begin(self.server.address, nuisance.connections, &nuisance.requests, nuisance.listening);
        let (beside, refused) = self.read(2 * self.length).await?;
        let flood = flood.end().await;
        // What was asked last is still being answered.
        sleep(self.length).await;
        let (after, _) = self.read(self.length).await?;
        Ok(Fare { calm: [before, after], beside, refused, flood })
    }
}

impl Fare {
    fn ratio(&self) -> f64 {
        self.beside.percentile_ms(0.99) / p99_ms(&self.calm).max(1e-3)
    }

    fn case(&self, name: &'static str, bare: &Self) -> Case {
        let [before, after] = self.calm.each_ref().map(|calm| calm.percentile_ms(0.99));
        let values = vec![
            ("p99_ratio", self.ratio()),
            ("p50_ms", self.beside.percentile_ms(0.5)),
            ("p99_ms", self.beside.percentile_ms(0.99)),
            ("longest_ms", self.beside.percentile_ms(1.0)),
            ("calm_p50_ms", self.calm.each_ref().map(|calm| calm.percentile_ms(0.5)).into_iter().fold(0.0, f64::max)),
            ("calm_before_p99_ms", before),
            ("calm_after_p99_ms", after),
            ("reads", f64::from(self.beside.count())),
            ("refused_reads", f64::from(self.refused)),
            ("nuisance_per_second", self.flood.answered),
            ("nuisance_refused_per_second", self.flood.refused),
            ("bare_p99_ratio", bare.ratio()),
            ("bare_p99_ms", bare.beside.percentile_ms(0.99)),
            ("bare_nuisance_per_second", bare.flood.answered),
        ];
        Case { name, values }
    }
}

/// The largest of these ratios; 0 of none.
fn worst(ratios: impl Iterator<Item = f64>) -> f64 {
    ratios.fold(0.0, f64::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(milliseconds: impl Iterator<Item = u64>) -> Tally {
        let mut tally = Tally::of(Duration::from_secs(1), 100);
        milliseconds.for_each(|ms| tally.add(Duration::from_millis(ms)));
        tally
    }

    #[test]
    fn a_ratio_is_to_the_calm_before_and_after_together() {
        let calm = [tally(std::iter::repeat_n(1, 100)), tally(std::iter::repeat_n(2, 100))];
        let flood = FloodRates { answered: 0.0, refused: 0.0 };
        let fare = Fare { calm, beside: tally(1..=101), refused: 0, flood };
        assert!((fare.ratio() - 50.0).abs() < 1e-9, "{}", fare.ratio());
    }

    #[test]
    fn the_worst_of_the_nuisances_is_the_figure() {
        assert!((worst([1.5, 7.0, 0.9].into_iter()) - 7.0).abs() < 1e-9);
        assert!(worst([].into_iter()).abs() < 1e-9);
    }
}
