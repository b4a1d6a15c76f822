//! `refresh_ratio`: clients that refresh durably over HTTP, beside the bare group-commit loop on the same disk.

use super::{Figure, Goal, Ground};
use crate::Trouble;
use crate::commit_loop::CommitLoop;
use crate::machine::Machine;
use crate::progress;
use crate::rounds::{alternate, cpu_us, p99_ms};
use crate::scripts::Chain;
use crate::world::{APP, REFRESHERS, Sessions};
use std::path::Path;

pub(crate) const NAME: &str = "refresh_ratio";
const GOAL: Goal = Goal::AtLeast(0.5);

pub(crate) async fn measure(
    ground: &Ground<'_>,
    sessions: &mut Sessions,
    machine: &Machine,
    directory: &Path,
) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let bare = CommitLoop::open(&directory.join("commit-loop"), u32::try_from(sessions.total)?)?;
    let mut chains = chains(ground, &std::mem::take(&mut sessions.refreshing));
    let plan = ground.plan;
    let clients = u32::try_from(REFRESHERS)?;
    let rounds = alternate(
        plan.rounds,
        async || {
            let (tally, back) = ground.service.load(ground.window(), std::mem::take(&mut chains)).await?;
            chains = back;
            Ok(tally)
        },
        async || bare.round(clients, plan.warm_up(), plan.length).await,
    )
    .await?;
    bare.close()?;
    let durability = format!("{}; the bare loop leaves checkpoints to SQLite's defaults", machine.durability());
    Ok(Figure::ratio(NAME, GOAL, &rounds, durability)
        .with("service_cpu_us", cpu_us(&rounds.ours))
        .with("service_p99_ms", p99_ms(&rounds.ours))
        .with("bare_p99_ms", p99_ms(&rounds.theirs)))
}

pub(crate) fn chains(ground: &Ground<'_>, tokens: &[String]) -> Vec<Chain> {
    let host = ground.service.host();
    tokens.iter().map(|token| Chain::new(&host, APP, token)).collect()
}
