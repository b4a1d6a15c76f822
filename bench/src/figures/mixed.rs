//! `mixed_ratio`: the reads again while other clients refresh durably as fast as they can, beside the bare reads alone.

use super::reads::Reads;
use super::refreshes::chains;
use super::{Figure, Goal, Ground};
use crate::Trouble;
use crate::machine::Machine;
use crate::rounds::{alternate, p99_ms, rate};
use crate::world::Sessions;
use crate::{driver, progress};

pub(crate) const NAME: &str = "mixed_ratio";
const GOAL: Goal = Goal::AtLeast(0.35);

pub(crate) async fn measure(
    ground: &Ground<'_>,
    reads: &Reads,
    sessions: &mut Sessions,
    machine: &Machine,
) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let mut chains = chains(ground, &std::mem::take(&mut sessions.refreshing_beside_reads));
    let mut refreshes = Vec::new();
    let rounds = alternate(
        ground.plan.rounds,
        async || {
            let (window, address) = (ground.window(), ground.service.address);
            let (read, refreshed) = tokio::try_join!(
                driver::load(address, window, reads.walks()),
                driver::load(address, window, std::mem::take(&mut chains)),
            )?;
            refreshes.push(refreshed.0);
            chains = refreshed.1;
            Ok(read.0)
        },
        async || driver::load(reads.bare.address, ground.window(), reads.walks()).await.map(|(tally, _)| tally),
    )
    .await?;
    let durability = format!("reads wait for no write; refreshes are {}", machine.durability());
    Ok(Figure::ratio(NAME, GOAL, &rounds, durability)
        .with("read_p99_ms", p99_ms(&rounds.ours))
        .with("bare_read_p99_ms", p99_ms(&rounds.theirs))
        .with("refreshes_per_second", rate(&refreshes))
        .with("refresh_p99_ms", p99_ms(&refreshes)))
}
