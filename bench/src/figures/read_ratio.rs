//! `read_ratio`: patients reading their own record, each by a token of their own, beside a bare hyper server.

use super::ground::Ground;
use super::reads::Reads;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms};
use crate::measure::trouble::Trouble;
use crate::service::child::Server;

pub(crate) const NAME: &str = "read_ratio";
const GOAL: Goal = Goal::AtLeast(0.55);

pub(crate) async fn measure(ground: &Ground<'_>, reads: &Reads, bare: &Server) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let [service, bare] = alternate(ground.plan.rounds, [Side::Service, Side::Bare], async |side| {
        let server = if side == Side::Service { ground.service } else { bare };
        Ok(server.load(ground.plan.window(), reads.walks()).await?.0)
    })
    .await?;
    let durability = "the answer waits for no write; the ledger of who looked at whose record follows within seconds";
    let sides = Sides { service: &service, other: &bare, other_rate: "bare_per_second" };
    Ok(Figure::ratio(NAME, Some(GOAL), sides, durability.to_owned())
        .with("service_cpu_us", cpu_us(&service))
        .with("bare_cpu_us", cpu_us(&bare))
        .with("service_p99_ms", p99_ms(&service))
        .with("bare_p99_ms", p99_ms(&bare)))
}
