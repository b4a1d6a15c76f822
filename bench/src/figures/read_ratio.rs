//! `read_ratio` and `read_ratio_before_answer`: patients reading their own record, each by a token of their own, beside a bare
//! hyper server. Who looked is in the ledger's spool a moment after the answer, or before it.

use super::ground::Ground;
use super::plan::Plan;
use super::reads::Reads;
use crate::measure::figure::{Figure, Goal, Sides};
use crate::measure::progress;
use crate::measure::rounds::{Side, alternate, cpu_us, p99_ms};
use crate::measure::trouble::Trouble;
use crate::service::child::Server;
use crate::service::recordgate::Recordgate;

pub(crate) const NAME: &str = "read_ratio";
pub(crate) const BEFORE_ANSWER: &str = "read_ratio_before_answer";
const GOAL: Goal = Goal::AtLeast(0.58);

const AFTER: &str = "the answer waits for no write; who looked at whose record is in the spool within 100 ms";
const BEFORE: &str =
    "with ledger = \"before-answer\": who looked at whose record is synced to disk before the answer leaves";

pub(crate) async fn measure(ground: &Ground<'_>, reads: &Reads, bare: &Server) -> Result<Figure, Trouble> {
    one(ground, reads, bare, (NAME, Some(GOAL), AFTER)).await
}

/// The same, for information, of a process that answers when the line is written. The store must be nobody's.
pub(crate) async fn measure_before_answer(
    service: &Recordgate,
    plan: &Plan,
    (reads, bare): (&Reads, &Server),
) -> Result<Figure, Trouble> {
    let server = service.serve_with(&[("RECORDGATE_LEDGER", "before-answer")]).await?;
    let figure = one(&Ground { plan, service: &server }, reads, bare, (BEFORE_ANSWER, None, BEFORE)).await?;
    server.stop().await?;
    Ok(figure)
}

async fn one(
    ground: &Ground<'_>,
    reads: &Reads,
    bare: &Server,
    (name, goal, durability): (&'static str, Option<Goal>, &str),
) -> Result<Figure, Trouble> {
    progress::say(name);
    let [service, bare] = alternate(ground.plan.rounds, [Side::Service, Side::Bare], async |side| {
        let server = if side == Side::Service { ground.service } else { bare };
        Ok(server.load(ground.plan.window(), reads.of(server)).await?.0)
    })
    .await?;
    let sides = Sides { service: &service, other: &bare, other_rate: "bare_per_second" };
    Ok(Figure::ratio(name, goal, sides, durability.to_owned())
        .with("service_cpu_us", cpu_us(&service))
        .with("bare_cpu_us", cpu_us(&bare))
        .with("service_p99_ms", p99_ms(&service))
        .with("bare_p99_ms", p99_ms(&bare)))
}
