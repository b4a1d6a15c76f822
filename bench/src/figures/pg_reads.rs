//! `pg_read_ratio`: patients reading their own record through a node on PostgreSQL, beside a bare loop of the same
//! statement.

use super::reads::Reads;
use super::{CONNECTIONS, Figure, Goal, Ground};
use crate::bare_postgres::{BarePostgres, Journey};
use crate::rounds::{alternate, cpu_us, p99_ms};
use crate::{Trouble, progress};
use std::sync::Arc;

pub(crate) const NAME: &str = "pg_read_ratio";
const GOAL: Goal = Goal::AtLeast(0.6);

pub(crate) async fn measure(
    ground: &Ground<'_>,
    reads: &Reads,
    bare: &Arc<BarePostgres>,
    durability: &str,
) -> Result<Figure, Trouble> {
    progress::say(NAME);
    let plan = ground.plan;
    let rounds = alternate(
        plan.rounds,
        async || ground.service.load(ground.window(), reads.walks()).await.map(|(tally, _)| tally),
        async || bare.round(Journey::Read, CONNECTIONS, plan.warm_up(), plan.length).await,
    )
    .await?;
    let durability = format!(
        "the answer waits for no write; the ledger of who looked follows within seconds; both sides on one {durability}"
    );
    Ok(Figure::ratio(NAME, GOAL, &rounds, durability)
        .with("service_cpu_us", cpu_us(&rounds.ours))
        .with("service_p99_ms", p99_ms(&rounds.ours))
        .with("bare_p99_ms", p99_ms(&rounds.theirs)))
}
