//! `refresh_ratio`: clients that refresh durably over HTTP, beside the bare group-commit loop on the same disk. And,
//! because the loop has no HTTP, what a bare hyper server before that loop comes to.

use super::{Figure, Goal, Ground};
use crate::Trouble;
use crate::child::Server;
use crate::commit_loop::CommitLoop;
use crate::driver::{self, Script};
use crate::machine::Machine;
use crate::response::Answer;
use crate::rounds::{alternate, cpu_us, p99_ms};
use crate::scripts::{Chain, Walk};
use crate::world::{APP, REFRESHERS, Sessions};
use crate::{bare, progress};
use std::path::Path;
use std::sync::Arc;

pub(crate) const NAME: &str = "refresh_ratio";
const GOAL: Goal = Goal::AtLeast(0.5);

pub(crate) async fn measure(
    ground: &Ground<'_>,
    sessions: &mut Sessions,
    machine: &Machine,
    directory: &Path,
) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let total = u32::try_from(sessions.total)?;
    let bare = CommitLoop::open(&directory.join("commit-loop"), total)?;
    let mut chains = chains(ground, &std::mem::take(&mut sessions.refreshing));
    let parts = parts(ground, &mut chains, &directory.join("parts"), total).await?;
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
    let together = alternate(
        plan.rounds,
        async || {
            parts.server.load(ground.window(), Walk::together(&parts.request, REFRESHERS)).await.map(|(tally, _)| tally)
        },
        async || bare.round(clients, plan.warm_up(), plan.length).await,
    )
    .await?;
    parts.server.stop().await?;
    bare.close()?;
    let durability = format!("{}; the bare loop leaves checkpoints to SQLite's defaults", machine.durability());
    Ok(Figure::ratio(NAME, GOAL, &rounds, durability)
        .with("service_cpu_us", cpu_us(&rounds.ours))
        .with("service_p99_ms", p99_ms(&rounds.ours))
        .with("bare_p99_ms", p99_ms(&rounds.theirs))
        .with("parts_per_second", together.our_rate())
        .with("parts_ratio", together.ratio())
        .with("parts_cpu_us", cpu_us(&together.ours)))
}

/// A bare hyper server before a bare loop, and what to ask it.
struct Parts {
    server: Server,
    request: Arc<[Vec<u8>]>,
}

/// Has one of the clients refresh, and makes a server that answers the same to the same request.
async fn parts(ground: &Ground<'_>, chains: &mut [Chain], directory: &Path, sessions: u32) -> Result<Parts, Trouble> {
    let chain = chains.first_mut().ok_or("nobody refreshes")?;
    let request = chain.request().to_vec();
    let (status, head, body) = driver::once(ground.service.address, &request).await?;
    if status != 200 {
        return Err(format!("a refresh was answered {status}: {}", String::from_utf8_lossy(&body)).into());
    }
    chain.answered(&Answer { status, head: &head, body: &body })?;
    let order = bare::order_after_commits(&head, &body, directory, sessions)?;
    Ok(Parts { server: Server::bare(&order).await?, request: Arc::new([request]) })
}

pub(crate) fn chains(ground: &Ground<'_>, tokens: &[String]) -> Vec<Chain> {
    let host = ground.service.host();
    tokens.iter().map(|token| Chain::new(&host, APP, token)).collect()
}
