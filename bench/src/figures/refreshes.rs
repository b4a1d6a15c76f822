//! `refresh_vs_parts` and `refresh_ratio`: clients that refresh durably over HTTP, beside a bare hyper server that answers the
//! same bytes after the same committed row update, and beside the bare loop that makes that update without any HTTP. All
//! three on the same disk, with pages of the same size, in the same rounds.

use super::ground::Ground;
use crate::bare::commit_loop::CommitLoop;
use crate::bare::order::{self, Work};
use crate::bare::sessions_file::Extent;
use crate::bare::worker;
use crate::http::driver::Script;
use crate::http::response::Response;
use crate::http::scripts::RefreshChain;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::machine::Machine;
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms};
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::sessions::{REFRESHERS, Sessions};
use std::path::{Path, PathBuf};

pub(crate) const VS_PARTS: &str = "refresh_vs_parts";
pub(crate) const RATIO: &str = "refresh_ratio";
const GOAL: Goal = Goal::AtLeast(0.70);

/// `page_bytes` is of the service's own sessions file.
pub(crate) async fn measure(
    ground: &Ground<'_>,
    sessions: &mut Sessions,
    machine: &Machine,
    (directory, page_bytes): (&Path, u32),
) -> Result<[Figure; 2], Trouble> {
    progress::say(VS_PARTS);
    let extent = Extent { sessions: u32::try_from(sessions.total)?, page_bytes };
    let commits = CommitLoop::open(&directory.join("commit-loop"), extent)?;
    let mut chains = ground.chains(&std::mem::take(&mut sessions.of_refreshers));
    let mut parts = Parts::start(ground, &mut chains, directory.join("parts"), extent).await?;
    let clients = u32::try_from(REFRESHERS)?;
    let plan = ground.plan.in_shorter_rounds();
    let sides = [Side::Service, Side::Parts, Side::Bare];
    let [service, together, bare] = alternate(plan.rounds, sides, async |side| {
        let window = plan.window();
        if side == Side::Bare {
            return worker::round(window, commits.clients(clients)).await;
        }
        let (server, chains) = match side {
            Side::Parts => (&parts.server, &mut parts.chains),
            _ => (ground.service, &mut chains),
        };
        let (tally, back) = server.load(window, std::mem::take(chains)).await?;
        *chains = back;
        Ok(tally)
    })
    .await?;
    parts.server.stop().await?;
    commits.close()?;
    let durability = format!(
        "{}; the bare loop writes pages of {page_bytes} bytes, as the service does, and leaves checkpoints to \
        SQLite's defaults",
        machine.durability()
    );
    let vs_parts = Sides { service: &service, other: &together, other_rate: "parts_per_second" };
    let vs_bare = Sides { service: &service, other: &bare, other_rate: "bare_per_second" };
    Ok([
        Figure::ratio(VS_PARTS, Some(GOAL), vs_parts, durability.clone())
            .with("service_cpu_us", cpu_us(&service))
            .with("parts_cpu_us", cpu_us(&together))
            .with("service_p99_ms", p99_ms(&service))
            .with("parts_p99_ms", p99_ms(&together)),
        Figure::ratio(RATIO, None, vs_bare, durability)
            .with("service_cpu_us", cpu_us(&service))
            .with("service_p99_ms", p99_ms(&service))
            .with("bare_p99_ms", p99_ms(&bare)),
    ])
}

/// A bare hyper server before a bare loop, and who asks it: clients that do with its answers what those of the service do, so
/// that the driver's own work is the same on both sides.
struct Parts {
    server: Server,
    chains: Vec<RefreshChain>,
}

impl Parts {
    /// Has one of the clients refresh, and makes a server that answers the same to the same request.
    async fn start(
        ground: &Ground<'_>,
        chains: &mut [RefreshChain],
        directory: PathBuf,
        extent: Extent,
    ) -> Result<Self, Trouble> {
        let chain = chains.first_mut().ok_or("nobody refreshes")?;
        let request = chain.request().to_vec();
        let (head, body) = ground.service.sample(&request).await?;
        chain.answered(&Response { status: 200, head: &head, body: &body })?;
        let order = order::line(&head, &body, &Work::Commit { directory, extent })?;
        Ok(Self { server: Server::bare(&order).await?, chains: vec![chain.clone(); REFRESHERS] })
    }
}
